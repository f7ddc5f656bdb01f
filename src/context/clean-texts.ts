// Finds and takes out secrets, in the thread that calls it. Our own rules and secretlint's both look, because each finds
// what the other misses. Comments that tell secretlint to look away are not obeyed: they come with the text.

import type { SecretLintCoreConfig } from '@secretlint/types'
import { type Cleaned, inOrder, type Mark, marksIn, removeMarks } from '../ledger/secrets/remove.ts'

const OBEYS_COMMENTS = '@secretlint/secretlint-rule-filter-comments'
const PREFIX = /^@secretlint\/secretlint-rule-/

type Lint = (text: string) => Promise<readonly Mark[]>

async function load(): Promise<Lint> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ])
  // It keeps every mark forever and looks through all of them at each: every text would take longer than the one before.
  secretLintProfiler.mark = () => {}
  const config: SecretLintCoreConfig = {
    rules: rules
      .filter(({ meta }) => meta.id !== OBEYS_COMMENTS)
      .map((rule) => ({ id: rule.meta.id, rule }) as SecretLintCoreConfig['rules'][number]),
  }
  // Never the real path: a rule for key stores would open it.
  const source = { filePath: 'text.txt', ext: '.txt', contentType: 'text' } as const
  return async (content) => {
    const { messages } = await lintSource({
      source: { ...source, content },
      options: { config, noPhysicFilePath: true },
    })
    return messages.map(({ range: [start, end], ruleId }) => ({
      start,
      end,
      rule: ruleId.replace(PREFIX, ''),
      madeUp: false,
    }))
  }
}

let loaded: Promise<Lint> | null = null

/** Longer text is looked at in pieces that overlap. */
const PIECE = 262_144
const OVERLAP = 8_192

async function linted(text: string): Promise<Mark[]> {
  loaded ??= load()
  const lint = await loaded
  const marks: Mark[] = []
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += PIECE - OVERLAP) {
    for (const mark of await lint(text.slice(from, from + PIECE))) {
      marks.push({ ...mark, start: mark.start + from, end: mark.end + from })
    }
  }
  return marks
}

export interface Uncleaned {
  readonly text: string
  /** Says what kind of file the text is of; without one any assignment may be a secret. */
  readonly path?: string
}

const BETWEEN = '\n\n'

/** Many texts at once, in their order: to start secretlint costs more than to let it read a file. */
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
