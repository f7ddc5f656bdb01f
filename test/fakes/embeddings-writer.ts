// One of several processes that embed the same texts into one cache directory.
import { cached } from '../../src/embeddings/cache.ts'
import { WordCountEmbedder } from './embeddings-sense.ts'

const [directory = '', texts = '[]'] = process.argv.slice(2)
const embedder = cached(new WordCountEmbedder(), directory)
await embedder.embed(JSON.parse(texts))
process.exitCode = embedder.trouble ? 1 : 0
