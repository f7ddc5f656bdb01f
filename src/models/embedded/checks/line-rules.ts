// Rules that judge one added line at a time. Each line is parsed once and cut first, so a rule sees at most
// 2,000 characters; rules name their languages and whether strings count.

import { type AddedLine, type ChangedFile, MAX_LINE } from '../change.ts'
import type { Check, Rule, Severity } from '../finding.ts'
import { type Dissected, dissect, type Language, languageOf, type Open } from '../language.ts'
import { isGenerated, isVendored } from '../paths.ts'

export interface LineRule extends Rule {
  readonly tests: readonly LinePattern[]
  /** Files that the rule ignores. */
  readonly except?: (path: string) => boolean
  /** Also judges files that are shown as they are; true unless the rule is about new lines. */
  readonly onlyChanges?: boolean
}

interface LinePattern {
  /** Null for every language. */
  readonly languages: readonly Language[] | null
  /** `code`: strings emptied, no comment. `said`: no comment. `comment`, `line`: just that. */
  readonly part: 'code' | 'said' | 'comment' | 'line'
  readonly pattern: RegExp
  /** What makes the same match harmless, in the same part. */
  readonly unless?: RegExp
  readonly severity?: Severity
}

interface Read extends Dissected {
  readonly line: string
}

const matches = (read: Read, { part, pattern, unless }: LinePattern): boolean =>
  pattern.test(read[part]) && !unless?.test(read[part])

function firstMatch(rule: LineRule, read: Read, language: Language): LinePattern | undefined {
  return rule.tests.find((test) => (test.languages?.includes(language) ?? true) && matches(read, test))
}

function applicable(rules: readonly LineRule[], file: ChangedFile): LineRule[] {
  // Declarations of types run nothing.
  if (/\.d\.[cm]?ts$/.test(file.path)) return []
  if (file.binary || isGenerated(file.path) || isVendored(file.path)) return []
  return rules.filter((rule) => !(rule.onlyChanges && file.status === 'present') && !rule.except?.(file.path))
}

/** Consecutive lines share what a comment or text leaves open; across a gap nothing is known. */
function* readLines({ added, path }: ChangedFile): Generator<{ line: AddedLine; read: Read }> {
  const language = languageOf(path)
  let [last, open]: [number, Open] = [0, null]
  for (const line of added) {
    const text = line.text.slice(0, MAX_LINE)
    const read: Read = { line: text, ...dissect(text, language, line.number === last + 1 ? open : null) }
    last = line.number
    open = read.open
    if (line.fresh && text.trim() !== '') yield { line, read }
  }
}

export const lineCheck = (rules: readonly LineRule[]): Check => ({
  rules,
  *find({ files }) {
    for (const file of files) {
      const judged = applicable(rules, file)
      if (judged.length === 0) continue
      const language = languageOf(file.path)
      yield null
      for (const { line, read } of readLines(file)) {
        for (const rule of judged) {
          const match = firstMatch(rule, read, language)
          if (!match) continue
          const severity = match.severity ?? rule.severity
          yield { rule, path: file.path, line: line.number, quote: line.text, severity }
        }
      }
    }
  },
})
