// A failure as it is shown: as JSON, or as lines for a terminal.

import { plain, plainJson, wrap } from './plain.ts'

interface Failure {
  readonly code: string
  readonly message: string
  readonly next: string
  /** Each fault of a settings file. */
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

/** With a width, lines are broken between words, and a command is whole on its own line, so that it can be copied. */
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
