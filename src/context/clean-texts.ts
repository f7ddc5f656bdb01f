// Finds and removes secrets, in the thread that calls it. Our own rules and secretlint's are both used,
// because each finds what the other misses. Comments that tell secretlint to ignore a line are not obeyed:
// they come with the text.

import type { SecretLintRuleCreator, SecretLintSourceCode } from '@secretlint/types'
import { type Cleaned, inOrder, type Mark, marksIn, removeMarks } from '../ledger/secrets/remove.ts'

const OBEYS_COMMENTS = '@secretlint/secretlint-rule-filter-comments'
const PREFIX = /^@secretlint\/secretlint-rule-/

type Lint = (text: string) => readonly Mark[]

/** Never the real path: a rule for key stores would open it. */
const SOURCE = { filePath: 'text.txt', ext: '.txt', contentType: 'text' }

/**
 * Its rules are created once, without its own runner, which would create them again for each text and take longer
 * than they do.
 */
async function load(): Promise<Lint> {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend')
  let marks: Mark[] = []
  function looking({ meta, create }: SecretLintRuleCreator) {
    const rule = meta.id.replace(PREFIX, '')
    return create(
      {
        sharedOptions: {},
        createTranslator: () => (messageId) => ({ message: '', messageId: String(messageId), data: {} }),
        ignore: () => undefined,
        report: ({ range: [start, end] }) => void marks.push({ start, end, rule, madeUp: false }),
      },
      {},
    ).file
  }
  const looks = rules.filter(({ meta }) => meta.id !== OBEYS_COMMENTS).map(looking)
  return (content) => {
    marks = []
    const source = { ...SOURCE, content } as SecretLintSourceCode
    // One that continued later would report into the next text.
    for (const look of looks) if (look?.(source)) throw new Error('a rule of secretlint is not done at once')
    return marks
  }
}

let loaded: Promise<Lint> | null = null

/** Longer text is scanned in pieces that overlap. */
const PIECE = 262_144
const OVERLAP = 8_192

async function linted(text: string): Promise<Mark[]> {
  loaded ??= load()
  const lint = await loaded
  const marks: Mark[] = []
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += PIECE - OVERLAP) {
    for (const mark of lint(text.slice(from, from + PIECE))) {
      marks.push({ ...mark, start: mark.start + from, end: mark.end + from })
    }
  }
  return marks
}

export interface Uncleaned {
  readonly text: string
  /** The name says what kind of file the text is from; without one any assignment may be a secret. */
  readonly path?: string
}

const BETWEEN = '\n\n'

/** Many texts at once, in order: starting secretlint costs more than scanning a file. */
export async function cleanTexts(texts: readonly Uncleaned[]): Promise<readonly Cleaned[]> {
  if (texts.every(({ text }) => text === '')) return texts.map(() => ({ text: '', removed: [] }))
  const marks = await linted(texts.map(({ text }) => text).join(BETWEEN))
  marks.sort((a, b) => a.start - b.start)
  let next = 0
  let start = 0
  /** Those that begin before the end of the text that starts here. */
  function* within(length: number): Generator<Mark> {
    for (let mark = marks[next]; mark && mark.start < start + length; mark = marks[++next]) {
      yield {
        ...mark,
        start: Math.max(0, mark.start - start),
        end: Math.min(mark.end - start, length),
      }
    }
  }
  return texts.map(({ text, path }) => {
    const cleaned = removeMarks(text, inOrder(marksIn(text, path), within(text.length)))
    start += text.length + BETWEEN.length
    return cleaned
  })
}
