// A clerk in a process of its own, on an errand in a SQLite home or a PostgreSQL database. What it really does to the
// world (asking, running the tool) goes into a side file, line by line, before it is reported to anyone: the ledger
// is later compared with that file. Arguments: store, trace, side file, milliseconds a call takes, what to do.

import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Clerk, type Perform } from '../../src/clerk/clerk.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import { errand } from '../protocols/errand.ts'
import { approve, performer } from './errand-run.ts'
import { AGENTS, testPorts } from './ports.ts'
import { openVaultAt } from './store-at.ts'

const [place = '', trace = '', side = '', took = '0', role = 'work'] = process.argv.slice(2)

process.on('unhandledRejection', (error) => {
  console.error('unhandled rejection', error)
  process.exit(70)
})

const store = await openVaultAt(place)
const ports = testPorts(store)
for (const agent of [...Object.keys(AGENTS), 'registrar']) ports.key(agent)
const registrar = await Registrar.open(ports)
const log = new TraceLog(ports, errand, trace)
const plain = performer(ports, registrar)

const perform: Perform = async (action, signal) => {
  if (action.call === 'record') return plain(action, signal)
  appendFileSync(side, `${action.id} ${process.pid}\n`)
  console.log(`doing ${action.id}`)
  if (role === 'fail' && action.id === 'ask/b/1') throw new Error('the provider hung up')
  await pause(Number(took), undefined, { signal })
  return plain(action, signal)
}

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())

/** Approves as soon as someone asks for it, so that errands run through. */
async function approveWhenAsked(): Promise<void> {
  const own = new TraceLog(ports, errand, trace)
  while (!interrupt.signal.aborted) {
    await own.refresh()
    if (own.state.inner.approved || own.state.inner.failed || own.state.inner.closed) return
    if (own.protocol.decide(own.state).some((action) => action.call === 'park')) {
      // Another process may have approved in this very moment.
      await approve(own, registrar).catch(() => undefined)
    }
    await pause(5)
  }
}

try {
  console.log('ready')
  const approving = role === 'work' ? approveWhenAsked() : Promise.resolve()
  const clerk = new Clerk(ports, registrar, log, perform, {
    wait: role === 'work',
    signal: interrupt.signal,
  })
  const end = await clerk.run()
  if (end.status === 'finished') await approving
  console.log(`end ${end.status} discarded ${end.discarded.length}`)
} catch (error) {
  console.log(`failed ${error instanceof Error ? error.message : String(error)}`)
} finally {
  await store.close()
}
process.exit(0)
