// What retention erases, for people, before and after.

import { plain } from './plain.ts'

export interface PruneLines {
  readonly before: string
  readonly traces: readonly {
    readonly trace: string
    readonly protocol: string
    readonly last: string
    readonly payloads: number
    readonly artifacts: number
  }[]
  readonly kept: readonly { readonly trace: string; readonly why: string }[]
}

const MOST = 40
const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

function some(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST
  return more > 0 ? [...lines.slice(0, MOST), `  … and ${more} more`] : lines
}

/** What would be erased and what stays. */
export function pruneLines({ before, traces, kept }: PruneLines): readonly string[] {
  const payloads = traces.reduce((sum, one) => sum + one.payloads, 0)
  const artifacts = traces.reduce((sum, one) => sum + one.artifacts, 0)
  return [
    `Before ${before}: ${counted(traces.length, 'trace')}, ${counted(payloads, 'payload')}, ${counted(artifacts, 'artifact')}`,
    ...some(
      traces.map(
        (one) =>
          `  ${one.trace}  ${plain(one.protocol)}  ${one.last}  ${counted(one.payloads, 'payload')}, ${counted(one.artifacts, 'artifact')}`,
      ),
    ),
    ...(kept.length > 0 ? ['Kept though as old:'] : []),
    ...some(kept.map(({ trace, why }) => `  ${trace}  ${plain(why)}`)),
  ]
}

export const prunedLines = (
  done: PruneLines & { readonly erased: boolean; readonly by: string | null; readonly reason: string | null },
): readonly string[] => [
  ...pruneLines(done),
  done.erased
    ? `Erased. Headers, signatures and chains stay; the registry says who (${plain(done.by ?? '')}) and why.`
    : 'Nothing was erased.',
]
