// One of several that append to the same trace at once. The one who finds the head moved seals again on the new one.
// Arguments: the store, the trace, how many, its own name.
import { isWitanError } from '../../src/ledger/errors.ts'
import { announced } from './audit.ts'
import { endOf, makeChain, testKey } from './events.ts'
import { openVaultAt } from './store-at.ts'

const [place = '', trace = '', count = '0', by = ''] = process.argv.slice(2)
console.log(announced(testKey))
const store = await openVaultAt(place)
let retries = 0
for (let n = 0; n < Number(count); ) {
  const head = (await store.head(trace)) ?? endOf([])
  const events = makeChain({ trace, count: 1, from: head.size, prev: head.hash, payload: () => ({ by, n }) })
  try {
    await store.append(trace, head, events)
    n++
  } catch (error) {
    if (!isWitanError(error, 'HEAD_MOVED')) throw error
    retries++
  }
}
await store.close()
console.log(`done ${retries}`)
