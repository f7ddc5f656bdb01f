// The results of a search, trace by trace, each event with the text around the match.

import type { Payload } from '../ledger/event.ts'
import { block, clip, type Layout, plain, wrap } from './plain.ts'
import { subjectOf } from './story/subject.ts'
import { shortTime } from './time.ts'

interface Found {
  readonly trace: string
  readonly seq: number
  readonly protocol: string
  readonly at: string
  readonly type: string
  readonly by: string
  readonly passage: string
}

interface Findings {
  readonly events: readonly Found[]
  readonly traces: readonly {
    readonly trace: string
    readonly opening: { readonly type: string; readonly payload: Payload } | null
  }[]
  readonly hasMore: boolean
}

export const foundJson = (words: string, { events, traces, hasMore }: Findings) => ({
  words,
  found: events,
  traces: traces.map(({ trace, opening }) => ({
    trace,
    about: opening && subjectOf(opening.type, opening.payload),
  })),
  more: hasMore,
})

/** `now` decides only whether a year is shown; `narrowed` are the options that leave something out. */
export function foundLines(
  { events, traces }: Findings,
  now: string,
  { paint, width }: Layout,
  narrowed: readonly string[] = [],
): readonly string[] {
  if (events.length === 0) {
    const asked = narrowed.length > 0 ? ` where ${narrowed.join(', ')} applies` : ''
    return [wrap(`Nothing recorded here has all of these words${asked}.`, 0, width)]
  }
  return traces.flatMap(({ trace, opening }, i) => {
    const about = opening && subjectOf(opening.type, opening.payload)
    const own = events.filter((event) => event.trace === trace)
    return [
      ...(i > 0 ? [''] : []),
      `${paint.bold(trace)}  ${clip(plain(about ?? own[0]?.protocol ?? ''), Math.max(20, width - 28))}`,
      ...own.flatMap(({ seq, at, by, type, passage }) => [
        paint.dim(
          clip(`  ${String(seq).padStart(4)}  ${shortTime(at, now)}  ${plain(by)}  ${plain(type)}`, width),
        ),
        ...block(clip(passage, Math.max(20, width - 8)), '        '),
      ]),
    ]
  })
}

export const foundHints = ({ events: [first], hasMore }: Findings): readonly string[] => [
  '',
  ...(hasMore ? ['There is more: give --limit N, or narrow it with --since, --seat or --in.'] : []),
  ...(first
    ? [`One event in full: witan show ${first.trace} ${first.seq}`]
    : ['Fewer words find more; word* finds every word that begins so. See `witan find --help`.']),
]
