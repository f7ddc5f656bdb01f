// One of several processes that embed the same texts into one cache directory.
import { cached } from '../../src/senses/cache.ts'
import { WordCountSense } from './embeddings-sense.ts'

const [directory = '', texts = '[]'] = process.argv.slice(2)
const sense = cached(new WordCountSense(), directory)
await sense.embed(JSON.parse(texts))
process.exitCode = sense.trouble ? 1 : 0
