// The list of traces for every page: checked once a second while a page is connected, and sent only where it
// changed. A page that joins gets all of it.

import type { OpenHome, TraceRow } from '../../app/console/open-home.ts'
import type { Runs } from '../../app/console/runs.ts'
import { forkPointOf } from '../../ledger/fork.ts'
import { rootSubjectOf } from '../../render/story/subject.ts'

const LOOK_MS = 1_000

type Listener = (rows: string) => void

/** Its parent trace, and the round where that is stated. */
function parentOf({ opening }: TraceRow) {
  const parent = opening && forkPointOf(opening.payload)
  if (!parent) return null
  const { branch } = opening.payload as { readonly branch?: { readonly round?: unknown } }
  const round = typeof branch?.round === 'number' ? branch.round : null
  return { trace: parent.trace, seq: parent.seq, round }
}

/** Why the run that was begun here failed; null where there was none, or it succeeded. */
function failureOf({ trace }: TraceRow, runs: Pick<Runs, 'list'>) {
  const failure = runs.list().find((run) => run.trace === trace)?.failure ?? null
  return failure && { message: failure.message, next: failure.next }
}

/** A row as it travels. */
const shown = (
  { opening: _, ...row }: TraceRow,
  more: {
    readonly about: string | null
    readonly parent: ReturnType<typeof parentOf>
    readonly failure: ReturnType<typeof failureOf>
  },
) => ({ ...row, ...more })

export type ShownRow = ReturnType<typeof shown>

export class TraceList {
  readonly #openHome: OpenHome
  readonly #runs: Pick<Runs, 'list'>
  readonly #hearing = new Set<Listener>()
  /** By trace, as they were sent last. */
  #told = new Map<string, string>()
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null

  constructor(openHome: OpenHome, runs: Pick<Runs, 'list'>) {
    this.#openHome = openHome
    this.#runs = runs
  }

  async rows(): Promise<readonly ShownRow[]> {
    const rows = await this.#openHome.traces()
    const all = new Map(rows.map((row) => [row.trace, row]))
    return rows.map((row) =>
      shown(row, {
        about: rootSubjectOf(row, all),
        parent: parentOf(row),
        failure: failureOf(row, this.#runs),
      }),
    )
  }

  /** Sends everything, then changes, until the returned function is called. */
  hear(listener: Listener): () => void {
    this.#hearing.add(listener)
    if (this.#told.size > 0) listener(this.#message('all', [...this.#told.values()]))
    void this.look()
    return () => {
      this.#hearing.delete(listener)
      if (this.#hearing.size > 0) return
      if (this.#timer) clearTimeout(this.#timer)
      this.#timer = null
      this.#told = new Map()
    }
  }

  /** Checks now; a page that has just done something need not wait. */
  async look(): Promise<void> {
    if (this.#looking) return this.#looking
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#looking = this.#tellChanges()
      // What cannot be read now is read at the next check; the event streams report the error.
      .catch(() => undefined)
      .finally(() => {
        this.#looking = null
        if (this.#hearing.size > 0) this.#timer = setTimeout(() => void this.look(), LOOK_MS)
      })
    return this.#looking
  }

  async #tellChanges(): Promise<void> {
    const rows = await this.rows()
    const now = new Map(rows.map((row) => [row.trace, JSON.stringify(row)]))
    const isFirst = this.#told.size === 0
    const changed = [...now].filter(([trace, row]) => this.#told.get(trace) !== row).map(([, row]) => row)
    this.#told = now
    if (changed.length === 0 && !isFirst) return
    const rowsMessage = this.#message(isFirst ? 'all' : 'some', isFirst ? [...now.values()] : changed)
    for (const listener of this.#hearing) listener(rowsMessage)
  }

  #message(kind: 'all' | 'some', rows: readonly string[]): string {
    return `{"${kind}":[${rows.join(',')}]}`
  }
}
