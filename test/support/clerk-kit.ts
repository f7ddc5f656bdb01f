// A kit to try the clerk at: ports over some store, an errand, and a switchboard through which the test decides
// when each call ends and how.

import type { Perform } from '../../src/clerk/clerk.ts'
import { wholeBundle } from '../../src/clerk/extract.ts'
import type { Registrar } from '../../src/clerk/registrar.ts'
import { readHeader, readPayload } from '../../src/ledger/event.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { performer } from './errand-run.ts'
import { openPorts, type TestPorts } from './ports.ts'
import { check } from './verification.ts'

export interface Kit {
  readonly store: Store
  readonly ports: TestPorts
  readonly registrar: Registrar
}

export async function openKit(store: Store = new MemoryStore(), fixed = false): Promise<Kit> {
  return { store, ...(await openPorts(store, fixed)) }
}

/** What a reader who trusts the registrar finds in the home itself. */
export async function verifyAtHome({ store, ports }: Kit, trace: string): Promise<Report> {
  return check(await wholeBundle(store, trace), store, {
    keys: [ports.key('registrar').id],
    checkpoints: [],
  })
}

/** The trace as lines of type and action: `call_started ask/a/1`. */
export async function minutes(store: Store, trace: string): Promise<string[]> {
  const lines: string[] = []
  for await (const event of store.read(trace)) {
    const header = readHeader(event.header)
    const payload = event.payload && readPayload(event.payload)
    const action = typeof payload === 'object' && payload?.action ? ` ${payload.action}` : ''
    lines.push(typeof header === 'string' ? header : `${header.type}${action}`)
  }
  return lines
}

export const countOf = (lines: readonly string[], pattern: RegExp): number =>
  lines.filter((line) => pattern.test(line)).length

interface Held {
  readonly go: () => void
  readonly fail: (error: Error) => void
}

/** Performs errands, but holds the calls it is told to until the test lets them go. */
export class CallControl {
  /** Every action that was really performed, in order. */
  readonly made: string[] = []
  readonly #held = new Map<string, Held>()
  readonly #wanted = new Set<string>()
  readonly #waiting = new Set<() => void>()
  readonly #perform: Perform

  constructor(kit: Kit) {
    this.#perform = performer(kit.ports, kit.registrar)
  }

  hold(...actions: string[]): this {
    for (const action of actions) this.#wanted.add(action)
    return this
  }

  /** `endsWithSignal`: whether held calls end with the signal, as good performers do. */
  perform(endsWithSignal = true): Perform {
    return async (action, signal) => {
      this.made.push(action.id)
      if (this.#wanted.has(action.id)) {
        await new Promise<void>((resolve, reject) => {
          this.#held.set(action.id, { go: resolve, fail: reject })
          if (endsWithSignal)
            signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
          for (const look of this.#waiting) look()
        })
      }
      return this.#perform(action, signal)
    }
  }

  /** Resolves once all these calls are being made. */
  async underWay(...actions: string[]): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!actions.every((action) => this.#held.has(action))) return
        this.#waiting.delete(look)
        resolve()
      }
      this.#waiting.add(look)
      look()
    })
  }

  release(action: string): void {
    this.#held.get(action)?.go()
  }

  fail(action: string, error = new Error(`${action} failed`)): void {
    this.#held.get(action)?.fail(error)
  }
}

/** Waits until something is so; for what another process or task does. */
export async function until(condition: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const end = Date.now() + ms
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('it did not come to pass')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
