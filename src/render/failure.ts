// A failure as it is shown: as JSON, or as lines that a terminal can hold.

import { plain, plainJson, wrap } from './plain.ts'

interface Failure {
  readonly code: string
  readonly message: string
  readonly next: string
  /** Each thing that is wrong with a file of settings. */
  readonly faults?: readonly object[]
  readonly details?: readonly string[]
}

export const failureJson = ({ code, message, next, faults }: Failure): string =>
  plainJson({ error: { code, message, next, ...(faults && { faults }) } })

function nextLines(next: string, width: number): readonly string[] {
  const line = `next: ${plain(next)}`
  const command = line.length > width ? line.match(/^(.*: )(witan [^.;]+)$/) : null
  if (!command) return [wrap(line, 0, width)]
  return [wrap((command[1] ?? '').trimEnd(), 0, width), `  ${command[2]}`]
}

/** With a width, lines are broken between words, and a command stands whole on its own line, to be copied. */
export function failureText(
  { code, message, next, details = [] }: Failure,
  width = Number.POSITIVE_INFINITY,
): string {
  const fitted = (text: string, indent: number): string => wrap(plain(text), indent, width)
  return [
    fitted(`error ${code}: ${message}`, 0),
    ...details.map((line) => `  ${fitted(line, 2)}`),
    ...nextLines(next, width),
  ].join('\n')
}
