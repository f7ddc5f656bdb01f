// hypercore, an append-only signed log that many build on, doing its own append and its own whole verification in
// the same run. It signs the tree head once an append and does not sync to disk, so the figures say how far apart
// the two are, not that they do the same.
import { openSqliteStore } from '../../dist/stores/sqlite.js'
import { answer, inTurns } from '../measure.js'
import { note, settle, temporary } from './workbench.js'

const APPENDS = 150

export async function peerRows() {
  const { default: Hypercore } = await import('hypercore')
  const [home, other] = [temporary(), temporary()]
  const store = await openSqliteStore({ directory: home.directory })
  const kit = await settle(store)
  const log = kit.newBook()
  const core = new Hypercore(other.directory)
  await core.ready()
  const prepare = () => Array.from({ length: APPENDS }, (_, n) => note(kit.actor, n))
  const rates = await inTurns({
    witan: {
      prepare,
      run: async (input) => {
        for (const draft of input) await log.append([draft])
        return APPENDS
      },
    },
    hypercore: {
      prepare,
      run: async (input) => {
        for (const draft of input) await core.append(JSON.stringify(draft.payload))
        return APPENDS
      },
    },
    'witan batch': {
      prepare,
      run: async (input) => {
        await log.append(input)
        return APPENDS
      },
    },
    'hypercore batch': {
      prepare,
      run: async (input) => {
        await core.append(input.map((draft) => JSON.stringify(draft.payload)))
        return APPENDS
      },
    },
  })
  await store.close()
  await core.close()
  home.remove()
  other.remove()
  const versions = 'Witan synced and signed, hypercore 11.37.1 unsynced'
  return [
    {
      ...answer({
        question: `peer: append, single; ${versions}, rate`,
        ours: 'witan',
        floor: 'hypercore',
        rates,
        atLeast: 0,
      }),
      wanted: 'no floor',
      met: '',
    },
    answer({
      question: `peer: append of 150 at once; ${versions}, rate`,
      ours: 'witan batch',
      floor: 'hypercore batch',
      rates,
      atLeast: 0.7,
    }),
  ]
}
