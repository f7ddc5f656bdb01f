// Streams an artifact of so many bytes into the files and out again, and says how much memory that took at most.
// Arguments: the directory, the number of bytes.
import { openArtifactFiles } from '../../src/stores/artifact-files.ts'

const [directory = '', bytes = '0'] = process.argv.slice(2)
const block = Buffer.alloc(1 << 20, 'witan ')

async function* source(): AsyncGenerator<Uint8Array> {
  for (let left = Number(bytes); left > 0; left -= block.length)
    yield block.subarray(0, Math.min(left, block.length))
}

const files = openArtifactFiles(directory)
const stored = await files.put(source())
let size = 0
let same = true
for await (const chunk of (await files.open(stored.hash)) ?? []) {
  const from = size % block.length
  same &&= block.subarray(from, from + chunk.length).equals(chunk)
  size += chunk.length
}
const peak = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ same, size, stored: stored.size, peak }))
