// A session worked in this process on a real home, so that it can be cut off at any event: the store takes so many
// appends and then none, as when the machine dies. Hands, policy, keys and store are those of the door.

import { decideAs, openLog, openPerson, type SessionLog, type Verdict } from '../../src/app/agents/decide.ts'
import { mindsOf, openSession, signersOf } from '../../src/app/agents/open-session.ts'
import {
  mindsFor,
  openSessionEquipment,
  type SessionEquipment,
} from '../../src/app/agents/session-equipment.ts'
import { readTask } from '../../src/app/agents/task-file.ts'
import { loadSettings } from '../../src/app/config/config.ts'
import { type Home, openHome } from '../../src/app/home/home.ts'
import { registerSigners } from '../../src/app/home/signers.ts'
import { Clerk, type RunEnd } from '../../src/clerk/clerk.ts'
import { agentsPerformer } from '../../src/clerk/performers/agents/performer.ts'
import type { Ports } from '../../src/clerk/ports.ts'
import type { SealedEvent } from '../../src/ledger/event.ts'
import type { Store } from '../../src/stores/store.ts'
import { type AgentsHome, writeTask } from './agents-home.ts'

/** Nothing is written after so many events of a trace. */
class PowerCut extends Error {}

const OPERATOR = 'tester'

/** What befalls a session while it is worked on. */
interface Interruption {
  /** Nothing is written after so many events. */
  readonly after?: number
  /** The last of them is written with a signature that does not hold. */
  readonly spoilt?: boolean
  /** How late it is, in minutes. */
  readonly late?: number
}

const invalidSignature = (event: SealedEvent): SealedEvent => ({
  ...event,
  signature: event.signature.map((byte) => byte ^ 1),
})

function storeUntilCut(
  store: Store,
  trace: string,
  { after = Number.POSITIVE_INFINITY, spoilt }: Interruption,
): Store {
  const append: Store['append'] = async (into, expected, events, registry) => {
    const size = expected.size + events.length
    if (into === trace && size > after) throw new PowerCut(`no event after ${after}`)
    const isLast = into === trace && size === after && spoilt
    return store.append(into, expected, isLast ? events.map(invalidSignature) : events, registry)
  }
  return new Proxy(store, {
    get(target, name) {
      if (name === 'append') return append
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

export interface WorkedSession {
  readonly log: SessionLog
  /** Null when the power was cut. */
  readonly end: RunEnd | null
}

export interface CutOffSessions {
  open(task: object): Promise<string>
  /** Works until nothing is left to do, or until the mishap. */
  work(trace: string, interruption?: Interruption): Promise<WorkedSession>
  /** A person with a key of this home decides the only thing that waits. */
  say(trace: string, name: string, verdict: Verdict): Promise<void>
  readonly home: Home
  close(): Promise<void>
}

export async function cutOffSessions(place: AgentsHome): Promise<CutOffSessions> {
  const home = await openHome({ directory: place.home, mode: 'write' })
  const settings = await loadSettings({ home: place.home, from: place.folder, file: null })
  const benches: SessionEquipment[] = []
  const tasks = new Map<string, string>()

  async function prepareTask(file: string) {
    const task = await readTask(file, place.home)
    const bench = await openSessionEquipment(home, task, settings)
    benches.push(bench)
    const registrar = await registerSigners(home, signersOf(OPERATOR, task))
    return { task, bench, registrar }
  }

  return {
    home,
    async open(written) {
      const file = await writeTask(place, written)
      const { task, bench, registrar } = await prepareTask(file)
      const { operator, offered, policy, policyText: text } = bench
      const inForce = { hash: policy.hash, text, viaHost: operator.viaHost, fallback: operator.fallback }
      const { log } = await openSession(home, registrar, {
        task,
        operator: OPERATOR,
        offered,
        policy: inForce,
      })
      tasks.set(log.trace, file)
      return log.trace
    },
    async say(trace, name, verdict) {
      const person = await openPerson(home, { name, keyFile: null, means: async () => 'terminal' })
      await decideAs(person, trace, null, verdict)
    },
    async work(trace, interruption = {}) {
      const { task, bench, registrar } = await prepareTask(tasks.get(trace) ?? '')
      const { late = 0 } = interruption
      const ports: Ports = {
        ...home.ports,
        store: storeUntilCut(home.store, trace, interruption),
        now: () => new Date(Date.now() + late * 60_000).toISOString(),
      }
      const log = await openLog(ports, trace)
      const minds = await mindsFor(mindsOf(task), settings, AbortSignal.timeout(30_000))
      const perform = agentsPerformer({ ports, registrar, log, minds, ...bench })
      try {
        return { log, end: await new Clerk(ports, registrar, log, perform).run() }
      } catch (error) {
        if (!(error instanceof PowerCut)) throw error
        return { log: await openLog(home.ports, trace), end: null }
      }
    },
    async close() {
      for (const bench of benches) await bench.close()
      await home.close()
    },
  }
}
