// The state of the page: its home, the traces, and the selected one. One stream feeds all of it.

import { computed, effect, signal } from '@preact/signals'
import { get, Line, type LineState } from './client.ts'
import { route } from './route.ts'
import { TraceModel } from './trace/trace-model.ts'
import type { Viewer, WireRow } from './wire.ts'

export const viewer = signal<Viewer | null>(null)
export const line = signal<LineState>('connecting')
export const rows = signal<ReadonlyMap<string, WireRow>>(new Map())
export const hasRows = signal(false)
/** The selected trace. */
export const openTrace = signal<TraceModel | null>(null)
/** A requested trace that is not in this home. */
export const missingTrace = signal<string | null>(null)
/** Text that models are writing now, by trace and seat or action; it is not recorded. */
export const liveTexts = signal<ReadonlyMap<string, string>>(new Map())

const byActivity = (one: WireRow, other: WireRow): number => (one.last.at < other.last.at ? 1 : -1)

export const isRegistry = ({ protocol }: { readonly protocol: string }): boolean =>
  protocol.startsWith('registry/')

export const listedRows = computed(() =>
  [...rows.value.values()].filter((row) => !isRegistry(row)).sort(byActivity),
)

export const waitingRows = computed(() =>
  listedRows.value.filter(({ standing, waits: waitingCount }) => waitingCount > 0 && standing !== 'over'),
)

export const running = computed(() =>
  listedRows.value.filter(
    ({ standing, waits: waitingCount }) => standing === 'running' && waitingCount === 0,
  ),
)

export const recentRows = computed(() =>
  listedRows.value.filter(
    ({ standing, waits: waitingCount }) =>
      standing !== 'running' && !(waitingCount > 0 && standing !== 'over'),
  ),
)

export const waitingCount = computed(() => waitingRows.value.reduce((sum, row) => sum + row.waits, 0))

/** How often the selected trace was loaded from its beginning. */
const reloads = signal(0)

/** Loads all of it again: something in it was erased. */
export const reloadTrace = (): void => {
  reloads.value++
}

const wantedTrace = computed(() => (route.value.at === 'trace' ? route.value.trace : null))

export async function start(): Promise<void> {
  let open: Line | null = null
  effect(() => {
    const trace = wantedTrace.value
    void reloads.value
    open?.close()
    const loaded = trace === null ? null : new TraceModel(trace)
    openTrace.value = loaded
    liveTexts.value = new Map()
    missingTrace.value = null
    line.value = 'connecting'
    open = new Line({
      trace,
      size: () => loaded?.size ?? 0,
      rows: ({ all, some }) => {
        const known = all ? new Map<string, WireRow>() : new Map(rows.value)
        for (const row of all ?? some ?? []) known.set(row.trace, row)
        rows.value = known
        hasRows.value = true
        // It was started meanwhile.
        if (trace !== null && missingTrace.peek() === trace && known.has(trace)) reloadTrace()
      },
      events: (batch) => loaded?.take(batch),
      absent: () => {
        missingTrace.value = trace
      },
      text: ({ trace: of, who, text }) => {
        liveTexts.value = new Map(liveTexts.value).set(`${of}/${who}`, text)
      },
      state: (state) => {
        line.value = state
      },
    })
  })
  viewer.value = await get<Viewer>('/me').catch(() => null)
}
