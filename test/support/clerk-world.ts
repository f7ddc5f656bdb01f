// A world for the model of the clerk: several clerks on one errand in one store, where every call waits until the
// schedule says how it ends, and where a clerk can die: from then on nothing it does reaches the store.

import { Clerk, type Perform } from '../../src/clerk/clerk.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import { RefusedError, TraceLog } from '../../src/clerk/trace-log.ts'
import type { Store } from '../../src/stores/store.ts'
import { errand } from '../protocols/errand.ts'
import type { Kit } from './clerk-kit.ts'
import { approve, type ErrandLog, openErrand, performer } from './errand-run.ts'

interface HeldCall {
  readonly id: string
  readonly go: () => void
  readonly fail: () => void
}

interface Worker {
  readonly held: HeldCall[]
  readonly interrupt: AbortController
  readonly die: () => Promise<void>
  readonly ended: Promise<void>
}

/** The store as one process sees it: once cut off, nothing returns any more, and its clerks no longer attend. */
function cuttable(store: Store): { store: Store; cut: () => Promise<void> } {
  const leaving: (() => Promise<void>)[] = []
  let isCut = false
  const forever = new Promise<never>(() => undefined)
  const seen = new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name === 'read') {
        return async function* (...given: Parameters<Store['read']>) {
          for await (const event of target.read(...given)) yield isCut ? await forever : event
          if (isCut) await forever
        }
      }
      return async (...given: unknown[]) => {
        if (isCut) return forever
        const result: unknown = await Reflect.apply(member, target, given)
        if (name === 'attend') leaving.push(result as () => Promise<void>)
        // Done, but the one who asked for it does not live to hear so.
        return isCut ? forever : result
      }
    },
  })
  const cut = async (): Promise<void> => {
    isCut = true
    for (const leave of leaving) await leave()
  }
  return { store: seen, cut }
}

export class World {
  readonly #kit: Kit
  readonly log: ErrandLog
  /** Calls that really were made, by id. */
  readonly made: string[] = []
  readonly #workers = new Set<Worker>()
  #isHolding = true

  private constructor(kit: Kit, log: ErrandLog) {
    this.#kit = kit
    this.log = log
  }

  static async open(kit: Kit, seats: readonly string[]): Promise<World> {
    return new World(kit, await openErrand(kit.ports, kit.registrar, [...seats]))
  }

  /** Lets everything happen that can happen by itself. */
  async calm(): Promise<void> {
    for (let i = 0; i < 12; i++) await new Promise((resolve) => setImmediate(resolve))
  }

  async start(): Promise<void> {
    if (this.#workers.size >= 3) return
    const { store, cut } = cuttable(this.#kit.store)
    const ports = { ...this.#kit.ports, store }
    const registrar = await Registrar.open(ports)
    const held: HeldCall[] = []
    const plain = performer(ports, registrar)
    const perform: Perform = async (action, signal) => {
      if (action.call !== 'record') {
        this.made.push(action.id)
        if (this.#isHolding) await hold(held, action.id, signal)
      }
      return plain(action, signal)
    }
    const interrupt = new AbortController()
    const log = new TraceLog(ports, errand, this.log.trace)
    const run = new Clerk(ports, registrar, log, perform, { signal: interrupt.signal }).run()
    const worker: Worker = {
      held,
      interrupt,
      die: async () => {
        this.#workers.delete(worker)
        await cut()
      },
      // A run that a failing performer ended is as over as any other.
      ended: run.then(
        () => void this.#workers.delete(worker),
        () => void this.#workers.delete(worker),
      ),
    }
    this.#workers.add(worker)
  }

  #pick(choice: number): Worker | undefined {
    const workers = [...this.#workers]
    return workers[choice % Math.max(1, workers.length)]
  }

  #take(choice: number): HeldCall | undefined {
    const all = [...this.#workers].filter(({ held }) => held.length > 0)
    const worker = all[choice % Math.max(1, all.length)]
    return worker?.held.splice(choice % worker.held.length, 1)[0]
  }

  complete = (choice: number): void => this.#take(choice)?.go()
  fail = (choice: number): void => this.#take(choice)?.fail()
  interrupt = (choice: number): void => this.#pick(choice)?.interrupt.abort()
  die = async (choice: number): Promise<void> => this.#pick(choice)?.die()

  /** Someone else answers an open ask, or approves; a clerk may be faster. */
  async rival(choice: number): Promise<void> {
    await this.#rival(choice).catch((error: unknown) => {
      if (!(error instanceof RefusedError)) throw error
    })
  }

  async #rival(choice: number): Promise<void> {
    const { ports, registrar } = this.#kit
    const own = new TraceLog(ports, errand, this.log.trace)
    await own.refresh()
    const asks = [...own.state.open.values()].filter((call) => call.call === 'ask')
    const ask = asks[choice % Math.max(1, asks.length)]
    if (ask) {
      const payload = { action: ask.action, seat: ask.action.split('/')[1] ?? '', text: 'from a rival' }
      await own.append([{ type: 'answer_given', actor: registrar.actor('sam', 'seat'), payload }])
    } else if (own.protocol.decide(own.state).some((action) => action.call === 'park')) {
      await approve(own, registrar)
    }
  }

  /** Ends what is under way and runs the errand to its end with nothing in the way. */
  async finish(): Promise<string> {
    for (const worker of [...this.#workers]) {
      worker.interrupt.abort()
      await worker.ended
    }
    this.#isHolding = false
    for (let i = 0; i < 3; i++) {
      await this.start()
      await Promise.all([...this.#workers].map(({ ended }) => ended))
      await this.log.refresh()
      if (this.log.protocol.finished(this.log.state)) return 'finished'
      await this.rival(0)
    }
    return 'not finished'
  }
}

function hold(held: HeldCall[], id: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    held.push({ id, go: resolve, fail: () => reject(new Error(`${id} failed`)) })
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
  })
}
