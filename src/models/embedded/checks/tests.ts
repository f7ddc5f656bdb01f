// What a change does to the tests as a whole: source changed without them, deleted test files, deleted test
// cases. A test that moves to another file is not deleted.

import { type Change, type ChangedFile, MAX_LINE } from '../change.ts'
import type { Check, Hit, Rule } from '../finding.ts'
import { dissect, languageOf } from '../language.ts'
import { isFixture, isSource, isTest } from '../paths.ts'
import type { LineRule } from './line-rules.ts'

// Tests that no longer run: skipped without a condition, or left out because another one was singled out.

/** Rust keeps tests beside the code. */
const notTest = (path: string) => !isTest(path) && languageOf(path) !== 'rust'

export const SKIPPED_TEST_RULES: readonly LineRule[] = [
  {
    id: 'WITAN-TEST-004',
    severity: 'medium',
    category: 'testing',
    description: 'A test is switched off.',
    rationale: 'It still counts in everyone’s head and checks nothing.',
    fix: 'Mend it or remove it; where it cannot run everywhere, name the condition.',
    except: notTest,
    tests: [
      {
        languages: ['script'],
        part: 'code',
        pattern:
          /(?<![\w.$])(?:(?:it|test|describe|suite|context)(?:\.concurrent|\.sequential)?\.skip|xit|xdescribe|xtest|xcontext)\s?[(.`]/,
      },
      {
        languages: ['python'],
        part: 'code',
        pattern:
          /^\s*@(?:pytest\.mark\.|unittest\.)?skip(?![iI]f|[uU]nless)\b|\bpytestmark\s*=\s*pytest\.mark\.skip\b(?!if)|^ {0,4}pytest\.skip\(/,
      },
      { languages: ['rust'], part: 'code', pattern: /^\s*#\[ignore\b/ },
      { languages: ['go'], part: 'code', pattern: /^\t(?:t|b)\.Skip(?:f|Now)?\(/ },
      { languages: ['java', 'swift'], part: 'code', pattern: /^\s*@(?:Disabled|Ignore)(?!\w)/ },
      {
        languages: ['csharp'],
        part: 'code',
        pattern: /\[(?:Fact|Theory)\([^)]{0,200}\bSkip\s*=|^\s*\[Ignore\b/,
      },
      {
        languages: ['ruby'],
        part: 'code',
        pattern: /^\s*(?:xit|xdescribe|xcontext|xspecify)\s|^\s*(?:skip|pending)(?:\s+["']|\s*$)/,
      },
    ],
  },
  {
    id: 'WITAN-TEST-005',
    severity: 'high',
    category: 'testing',
    description: 'One test is singled out, so the others of its file do not run.',
    rationale: 'The run is green although nearly nothing was tried.',
    fix: 'Remove the mark before merging.',
    except: notTest,
    tests: [
      {
        languages: ['script'],
        part: 'code',
        pattern:
          /(?<![\w.$])(?:it|test|describe|suite|context)(?:\.concurrent|\.sequential)?\.only\s?[(.`]|^\s*(?:fit|fdescribe|fcontext)\s?\(/,
      },
      {
        languages: ['ruby'],
        part: 'code',
        pattern: /^\s*(?:fit|fdescribe|fcontext)\s|,\s*:?focus(?::\s*true|\s+do)/,
      },
    ],
  },
]

const UNTESTED: Rule = {
  id: 'WITAN-TEST-001',
  severity: 'medium',
  category: 'testing',
  description: 'Source changes and no test does.',
  rationale:
    'Nothing in the change shows that the new behaviour was tried, and nothing will notice when it breaks.',
  fix: 'Add a test that fails without the change, or say which existing test covers it.',
}

const FILE_GONE: Rule = {
  id: 'WITAN-TEST-002',
  severity: 'medium',
  category: 'testing',
  description: 'A file of tests is deleted while what it tested stays.',
  rationale: 'What the tests held true may now break unnoticed.',
  fix: 'Keep them, move them, or say which behaviour is given up.',
}

const CASES_GONE: Rule = {
  id: 'WITAN-TEST-003',
  severity: 'medium',
  category: 'testing',
  description: 'The change removes more test cases than it adds.',
  rationale: 'A test that is taken out together with a change often is the one that the change breaks.',
  fix: 'Keep the cases, or say which behaviour is given up.',
}

const FEW_LINES = 10

function codeLines(file: ChangedFile): ChangedFile['added'] {
  const language = languageOf(file.path)
  return file.added.filter(({ text, fresh }) => {
    const code = fresh ? dissect(text.slice(0, MAX_LINE), language).code.trim() : ''
    return (
      /\w/.test(code) &&
      !/^(?:(?:import|from|package|use|using|require)\b|export (?:\*|type\b|\{))/.test(code)
    )
  })
}

const CASE =
  /^\s*(?:it|test|describe|context|specify|scenario|Scenario|it\.each|test\.each|it\.for|test\.for)(?:\.\w{1,20})?\s?[(`"']|^\s*(?:async\s+)?def\s+test_\w|^func\s+(?:Test|Fuzz|Benchmark)\w|^\s*#\[(?:\w+::)?test\]|^\s*@(?:Test|ParameterizedTest)\b|^\s*\[(?:Fact|Theory|Test|TestMethod)\b/

/** Rust keeps tests beside the code, in the same file. */
const testsInside = (file: ChangedFile) =>
  file.added.some(({ text }) => /#\[(?:\w+::)?test\]|#\[cfg\(test\)\]/.test(text.slice(0, 200)))

function untested({ files }: Change): Hit | null {
  const changed = files.filter(({ status }) => status === 'added' || status === 'modified')
  if (changed.some((file) => isTest(file.path) || isFixture(file.path) || testsInside(file))) return null
  const sources = changed.flatMap((file) => {
    const lines = isSource(file.path) && !file.binary ? codeLines(file) : []
    return lines.length > 0 ? [{ path: file.path, lines }] : []
  })
  const first = sources[0]
  if (!first) return null
  const total = sources.reduce((sum, { lines }) => sum + lines.length, 0)
  const note = `Code lines added: ${total}; source files: ${sources.length}.`
  const severity = total < FEW_LINES ? 'low' : UNTESTED.severity
  return { rule: UNTESTED, path: first.path, line: first.lines[0]?.number ?? null, severity, note }
}

const stem = (path: string): string =>
  (path.split('/').at(-1) ?? path)
    .replace(/\.[^.]*$/, '')
    .replace(/^test_|[._-]?(?:tests?|specs?)$/i, '')
    .toLowerCase()

function filesGone({ files }: Change): Hit[] {
  const deleted = files.filter(({ status }) => status === 'deleted')
  const goneSources = new Set(deleted.filter(({ path }) => !isTest(path)).map(({ path }) => stem(path)))
  return deleted
    .filter(({ path }) => isTest(path) && !isFixture(path) && languageOf(path) !== 'text')
    .filter(
      ({ path, removed }) =>
        !goneSources.has(stem(path)) && removed.some((line) => CASE.test(line.slice(0, MAX_LINE))),
    )
    .map(({ path }) => ({ rule: FILE_GONE, path, line: null }))
}

const cases = (lines: readonly string[]): string[] =>
  lines.map((line) => line.slice(0, MAX_LINE)).filter((line) => CASE.test(line))

function casesGone({ files }: Change): Hit[] {
  const tests = files
    .filter(({ path }) => isTest(path))
    .map((file) => {
      const removed = cases(file.removed)
      const added = cases(file.added.map(({ text }) => text))
      return { file, removed, added, net: removed.length - added.length }
    })
  if (tests.reduce((sum, { net }) => sum + net, 0) <= 0) return []
  return tests
    .filter(({ file, net }) => net > 0 && file.status === 'modified')
    .map(({ file, removed, added }) => {
      const addedLines = new Set(added.map((line) => line.trim()))
      const quote = removed.find((line) => !addedLines.has(line.trim())) ?? ''
      return {
        rule: CASES_GONE,
        path: file.path,
        line: null,
        quote,
        note: `Removed: ${removed.length}; added: ${added.length}.`,
      }
    })
}

export const testCoverage: Check = {
  rules: [UNTESTED, FILE_GONE, CASES_GONE],
  *find(change) {
    const hit = untested(change)
    if (hit) yield hit
    yield* filesGone(change)
    yield* casesGone(change)
  },
}
