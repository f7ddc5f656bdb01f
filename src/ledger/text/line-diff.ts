// The changes between two texts, line by line, as people read them: removed lines, added lines, and a few around
// them.

const CONTEXT = 3
/** Beyond this many pairs of lines the middle is shown as removed and added as a whole. */
const MOST_PAIRS = 4_000_000

type Mark = ' ' | '-' | '+'
type Line = readonly [mark: Mark, text: string]

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** The longest common run of lines, found backwards so that it can be walked forwards. */
function middle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const all = (mark: Mark, lines: readonly string[]): readonly Line[] => lines.map((text) => [mark, text])
  if (before.length * after.length > MOST_PAIRS) return [...all('-', before), ...all('+', after)]
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const isSame = i < before.length && j < after.length && before[i] === after[j]
    const drops = (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)
    if (isSame) {
      lines.push([' ', before[i++] ?? ''])
      j++
    } else if (i < before.length && (j === after.length || drops)) lines.push(['-', before[i++] ?? ''])
    else lines.push(['+', after[j++] ?? ''])
  }
  return lines
}

function changed(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  const same = (lines: readonly string[]): readonly Line[] => lines.map((text) => [' ', text])
  return [
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ]
}

/** Each line with its mark; `…` where unchanged lines are left out. Empty when nothing changes. `before` null: a new file. */
export function lineDiff(before: string | null, after: string): readonly string[] {
  const lines = changed(linesOf(before ?? ''), linesOf(after))
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(([mark]) => mark !== ' '),
  )
  return lines
    .flatMap(([mark, text], at) => {
      if (near[at]) return [`${mark}${text}`]
      return at === 0 || near[at - 1] ? ['…'] : []
    })
    .filter((line, _, all) => line !== '…' || all.length > 1)
}
