// What the page knows: who it is for, the traces there are, and the one that is looked at. One stream feeds all of it.

import { computed, effect, signal } from '@preact/signals'
import { get, Line, type LineState } from './client.ts'
import { route } from './route.ts'
import { TraceModel } from './trace/trace-model.ts'
import type { Me, WireRow } from './wire.ts'

export const me = signal<Me | null>(null)
export const line = signal<LineState>('connecting')
export const rows = signal<ReadonlyMap<string, WireRow>>(new Map())
export const hasRows = signal(false)
/** The trace that is looked at. */
export const model = signal<TraceModel | null>(null)
/** A trace that was asked for and is not in this home. */
export const absent = signal<string | null>(null)
/** What models are writing now, by trace and seat or action; it is nowhere on record. */
export const live = signal<ReadonlyMap<string, string>>(new Map())

const byActivity = (one: WireRow, other: WireRow): number => (one.last.at < other.last.at ? 1 : -1)

export const isRegistry = ({ protocol }: { readonly protocol: string }): boolean =>
  protocol.startsWith('registry/')

export const listed = computed(() =>
  [...rows.value.values()].filter((row) => !isRegistry(row)).sort(byActivity),
)

export const waiting = computed(() =>
  listed.value.filter(({ standing, waits }) => waits > 0 && standing !== 'over'),
)

export const running = computed(() =>
  listed.value.filter(({ standing, waits }) => standing === 'running' && waits === 0),
)

export const recent = computed(() =>
  listed.value.filter(({ standing, waits }) => standing !== 'running' && !(waits > 0 && standing !== 'over')),
)

export const waits = computed(() => waiting.value.reduce((sum, row) => sum + row.waits, 0))

/** How often the trace that is looked at was asked for from its beginning. */
const reread = signal(0)

/** Asks for all of it again: something in it was erased. */
export const rereadTrace = (): void => {
  reread.value++
}

const wanted = computed(() => (route.value.at === 'trace' ? route.value.trace : null))

export async function start(): Promise<void> {
  let open: Line | null = null
  effect(() => {
    const trace = wanted.value
    void reread.value
    open?.close()
    const looked = trace === null ? null : new TraceModel(trace)
    model.value = looked
    live.value = new Map()
    absent.value = null
    line.value = 'connecting'
    open = new Line({
      trace,
      size: () => looked?.size ?? 0,
      rows: ({ all, some }) => {
        const known = all ? new Map<string, WireRow>() : new Map(rows.value)
        for (const row of all ?? some ?? []) known.set(row.trace, row)
        rows.value = known
        hasRows.value = true
        // It was begun meanwhile.
        if (trace !== null && absent.peek() === trace && known.has(trace)) rereadTrace()
      },
      events: (batch) => looked?.take(batch),
      absent: () => {
        absent.value = trace
      },
      text: ({ trace: of, who, text }) => {
        live.value = new Map(live.value).set(`${of}/${who}`, text)
      },
      state: (state) => {
        line.value = state
      },
    })
  })
  me.value = await get<Me>('/me').catch(() => null)
}
