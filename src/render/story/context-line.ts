// What lay before a council, in one line: a reader of the report must see whether it was the change or the whole file,
// and that something was left out.

import type { ContextRecord } from '../../council/events.ts'

const names = (list: readonly string[]): string => list.join(', ')

const NAMED = 4

const counted = (excluded: ContextRecord['excluded']): string => {
  const reasons = Object.entries(excluded)
  const all = reasons.reduce((sum, [, count]) => sum + count, 0)
  return all === 0
    ? ''
    : `; left out ${all}: ${names(reasons.map(([reason, count]) => `${reason} ${count}`))}`
}

/** Empty when nothing was laid before it. */
export function basisOf({ kind, files, excluded, diff }: ContextRecord): string {
  if (kind === 'none') return ''
  const first = names(files.slice(0, NAMED).map(({ path }) => path))
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : ''
  const what = `${kind === 'summary' ? 'a summary of ' : ''}${first}${more}`
  return `${diff === null ? what : `${diff}: ${what}`}${counted(excluded)}`
}
