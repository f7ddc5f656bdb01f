// A line as it may be shown in a report: everything with the form of a secret is hidden, made up or not.

import { forQuote } from '../text/neutral.ts'
import { spansIn } from './find.ts'

const LONG_RANDOM = /[A-Za-z0-9+/_=-]{40,2000}/g

/** Text with everything that has the form of a secret removed, made up or not. */
export function masked(text: string): string {
  const hidden = (length: number) => `[${length} characters hidden]`
  let out = ''
  let from = 0
  for (const { start, end } of spansIn(text, { bare: true, program: false })) {
    out += text.slice(from, start) + hidden(end - start)
    from = end
  }
  return (out + text.slice(from)).replace(LONG_RANDOM, (run) =>
    /\d/.test(run) && /[A-Za-z]/.test(run) ? hidden(run.length) : run,
  )
}

const QUOTE = 200

/** A line as it may be shown: masked, on one line, without control or direction characters, at most 200 characters. */
export function quoted(text: string): string {
  const plain = forQuote(masked(text.slice(0, 4_000))).trim()
  const chars = [...plain]
  return chars.length > QUOTE ? `${chars.slice(0, QUOTE).join('')}…` : plain
}
