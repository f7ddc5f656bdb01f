// `witan list`: what is in the home, newest first, each with what it is about. Opens the vault alone and loads nothing
// else, since people run it all the time; nothing is checked here.

import { openStore } from '../../../app/home/home.ts'
import { byActivity } from '../../../app/traces/trace-name.ts'
import { REGISTRY_PROTOCOL, readHeader, readPayload } from '../../../ledger/event.ts'
import { clip, plain } from '../../../render/plain.ts'
import { subjectOf } from '../../../render/story/subject.ts'
import { shortTime } from '../../../render/time.ts'
import type { Store } from '../../../stores/store.ts'
import type { Verb } from '../command.ts'

const HEADINGS = ['TRACE', 'PROTOCOL', 'SIZE', 'LAST', 'LAST EVENT']

function table(rows: readonly (readonly string[])[], width: number): string[] {
  const widths = HEADINGS.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows.map((row) => {
    const cells = row.map((cell, i) => {
      if (i === row.length - 1) return cell
      return i === 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)
    })
    return clip(cells.join('  '), width)
  })
}

async function aboutOf(store: Store, trace: string): Promise<string | null> {
  for await (const event of store.read(trace, 0, 1)) {
    const header = readHeader(event.header)
    const payload = event.payload && readPayload(event.payload)
    if (typeof header === 'string' || typeof payload !== 'object' || !payload) return null
    return subjectOf(header.type, payload)
  }
  return null
}

export const run: Verb = async ({ home, postgres, paint, width }) => {
  const store = await openStore({ directory: home, mode: 'read', postgres })
  try {
    const traces = await Promise.all(
      byActivity(await store.traces()).map(async (summary) => ({
        ...summary,
        about: await aboutOf(store, summary.trace),
      })),
    )
    const now = new Date().toISOString()
    const rows = traces.map(({ trace, protocol, size, last }) => [
      trace,
      protocol,
      String(size),
      shortTime(last.at, now),
      last.type,
    ])
    const [heading = '', ...lines] = table([HEADINGS, ...rows], width)
    const below = (about: string | null): string[] =>
      about === null ? [] : [paint.dim(clip(`  ${plain(about)}`, width))]
    const started = traces.some(({ protocol }) => protocol !== REGISTRY_PROTOCOL)
    const next =
      traces.length === 0
        ? 'Finish it with: witan init'
        : 'Only the registry of keys so far. See it with: witan show registry'
    return {
      value: { home, traces },
      lines:
        traces.length > 0
          ? [paint.dim(heading), ...lines.flatMap((line, i) => [line, ...below(traces[i]?.about ?? null)])]
          : ['This home has no registry yet.'],
      brief: traces.map(({ trace }) => trace),
      hints: started ? [] : ['', next],
    }
  } finally {
    await store.close()
  }
}
