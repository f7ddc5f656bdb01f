// Appends without end, singly and in batches, some events with an artifact, and prints each head once it is
// acknowledged. It waits to be killed. Arguments: the store, the trace.
import { randomBytes, randomInt } from 'node:crypto'
import type { Payload } from '../../src/ledger/event.ts'
import { announced } from './audit.ts'
import { descriptor, endOf, makeChain, testKey } from './events.ts'
import { openVaultAt } from './store-at.ts'

const [place = '', trace = ''] = process.argv.slice(2)
console.log(announced(testKey))
const store = await openVaultAt(place)
const found = await store.head(trace)
let head = found ?? endOf([])
console.log('ready')

async function withArtifact(): Promise<Payload> {
  const { hash, size } = await store.putArtifact(randomBytes(randomInt(1, 130_000)))
  return { artifacts: [{ ...descriptor(hash, size) }] }
}

for (;;) {
  const count = randomInt(2) === 0 ? 1 : randomInt(2, 24)
  const artifact = randomInt(3) === 0 ? await withArtifact() : null
  const text = randomBytes(randomInt(1, 3000)).toString('base64')
  const payload = (seq: number) => (artifact !== null && seq === head.size ? artifact : { text })
  const events = makeChain({ trace, count, from: head.size, prev: head.hash, payload })
  await store.append(trace, head, events)
  head = endOf(events, head.size)
  console.log(`ack ${head.size} ${head.hash}`)
}
