// What a council would send to whom, in lines.

import { dollars, thousands } from './board/board-lines.ts'
import type { Paint } from './paint.ts'
import { clip, plain } from './plain.ts'

/** What is shown of a preview. */
export interface PreviewView {
  /** False when nothing leaves this machine. */
  readonly sends: boolean
  readonly diff: string | null
  readonly seats: readonly {
    readonly seat: string
    readonly model: string | null
    readonly bytes: number
    readonly tokens: number
    readonly cost: number | null
  }[]
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly lines: number }[]
  readonly left_out: readonly { readonly path: string; readonly reason: string }[]
  readonly secretsRemoved: number
  readonly total: { readonly bytes: number; readonly tokens: number }
}

const MOST_LISTED = 40

function listed(lines: readonly string[], what: string): readonly string[] {
  const more = lines.length - MOST_LISTED
  return more <= 0
    ? lines
    : [...lines.slice(0, MOST_LISTED), `  … and ${more} more ${what}; --json lists all`]
}

const kilobytes = (bytes: number): string =>
  bytes < 1_000 ? `${bytes} bytes` : `${thousands(Math.round(bytes / 100) / 10).replace(/\.0$/, '')} kB`

export function previewLines(
  preview: PreviewView,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): readonly string[] {
  const { seats, files, left_out, secretsRemoved, total, sends, diff } = preview
  const fitted = (line: string): string => clip(line, width)
  const who = seats.map(({ seat, model, bytes, tokens, cost }) => {
    const price = cost === null ? 'cost not known' : `about ${dollars(cost)} to send`
    const name = model === null ? seat : `${seat} (${model})`
    return fitted(`  ${plain(name)}: ${kilobytes(bytes)}, about ${thousands(tokens)} tokens, ${price}`)
  })
  const what = files.map(({ path, lines, bytes }) =>
    fitted(`  ${plain(path)}  ${lines} line${lines === 1 ? '' : 's'}, ${kilobytes(bytes)}`),
  )
  const out = left_out.map(({ path, reason }) => fitted(`  ${plain(path)}  ${reason}`))
  const sum = `${kilobytes(total.bytes)}, about ${thousands(total.tokens)} tokens in round one`
  return [
    paint.bold(
      sends ? 'What would be sent, and to whom' : 'What would be looked at; nothing leaves this machine',
    ),
    ...who,
    `  in all ${sum};`,
    '  later rounds add what was said',
    ...(diff === null ? [] : ['', fitted(`Change: ${plain(diff)}`)]),
    ...(what.length > 0 ? ['', 'Files', ...listed(what, 'files')] : ['', 'No files: the question alone.']),
    ...(out.length > 0 ? ['', 'Left out', ...listed(out, 'left out')] : []),
    ...(secretsRemoved > 0 ? ['', `Secrets taken out of the text: ${secretsRemoved}`] : []),
  ]
}
