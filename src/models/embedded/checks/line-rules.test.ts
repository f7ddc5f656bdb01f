// A table a rule: lines that it must report and near misses that it must not. A rule without a table fails.

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the lines are data.

import { describe, expect, it } from 'vitest'
import { CASES } from '../../../../test/fakes/repos/line-cases.ts'
import { examine } from '../embedded-model.ts'
import { LINE_RULES } from './all.ts'

const rulesFor = (path: string, line: string): string[] =>
  examine({ question: '', mode: 'review', files: [{ path, text: `\n${line}\n`, before: '' }] })
    .findings.filter((finding) => finding.line !== null && finding.rule !== 'WITAN-TEST-001')
    .map(({ rule }) => rule)

describe('rules about lines', () => {
  it('each have examples and near misses', () => {
    expect(Object.keys(CASES).sort()).toEqual(LINE_RULES.map(({ id }) => id).sort())
    for (const { fires, silent } of Object.values(CASES))
      expect(Math.min(fires.length, silent.length)).toBeGreaterThan(1)
  })

  for (const [rule, { fires, silent }] of Object.entries(CASES)) {
    it.each(fires)(`${rule} reports in %s: %s`, (path, line) => {
      expect(rulesFor(path, line)).toContain(rule)
    })
    it.each(silent)(`${rule} is silent in %s about: %s`, (path, line) => {
      expect(rulesFor(path, line)).not.toContain(rule)
    })
  }

  it('repeat no group without a bound, and see no more than 2,000 characters', () => {
    const patterns = LINE_RULES.flatMap(({ tests }) =>
      tests.flatMap(({ pattern, unless }) => [pattern, unless]),
    )
    for (const pattern of patterns) {
      const shape = (pattern?.source ?? '').replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x')
      expect(shape).not.toMatch(/\)(?:[*+]|\{\d+,\})/)
    }
    expect(rulesFor('src/a.js', `${' '.repeat(1_990)}eval(x)`)).toEqual(['WITAN-RISK-001'])
    expect(rulesFor('src/a.js', `${' '.repeat(2_000)}eval(x)`)).toEqual([])
  })

  it.each([
    ['db.query(`SELECT * FROM users WHERE name = ${name}`)', 'high'],
    ['db.query(`select * from users where name in (${names})`)', 'high'],
    ['db.query(`DELETE FROM ${table}`)', 'low'],
    ['db.query(`SELECT a FROM t LIMIT ${LIMIT}`)', undefined],
  ])('weigh a value put into a query more than the name of a table: %s', (line, severity) => {
    const files = [{ path: 'src/a.ts', text: line }]
    const [finding] = examine({ question: '', mode: 'review', files }).findings
    expect(finding?.severity).toBe(severity)
  })

  it('judge only what the change adds, and not what it moves', () => {
    const [kept, added] = ['const a = eval(x)', 'const b = eval(y)']
    const files = [
      { path: 'src/a.js', before: `${kept}\nconst c = 1\n`, text: `const c = 1\n  ${added}\n${kept}\n` },
    ]
    const report = examine({ question: '', mode: 'review', files })
    expect(report.findings.filter(({ rule }) => rule === 'WITAN-RISK-001')).toMatchObject([
      { line: 2, quote: added },
    ])
    const moved = [
      { path: 'src/old.js', before: `  ${kept}\n`, text: '' },
      { path: 'src/new.js', before: '', text: `${kept}\n` },
    ]
    expect(
      examine({ question: '', mode: 'review', files: moved }).findings.map(({ rule }) => rule),
    ).not.toContain('WITAN-RISK-001')
  })

  it('judge a file that is shown as it stands whole, but find nothing new in it', () => {
    const files = [{ path: 'src/a.js', text: 'eval(x)\n// TODO: y\nconsole.log(1)\n' }]
    expect(examine({ question: '', mode: 'review', files }).findings.map(({ rule }) => rule)).toEqual([
      'WITAN-RISK-001',
    ])
  })

  it('leave comments, texts over several lines, generated and vendored files alone', () => {
    const quiet = [
      ['src/a.py', 'def f():\n    """Like\n    eval(x)\n    """\n'],
      ['src/a.js', '/* as in\n   eval(x)\n*/\n'],
      ['src/a.js', " * eval(x)\n// eval(x)\nconst s = 'eval(x)'\nconst r = /eval(x)/\n"],
      ['vendor/a.js', 'eval(x)\n'],
      ['dist/a.min.js', 'eval(x)\n'],
      ['src/a.d.ts', 'declare function eval(x: string): unknown\n'],
    ] as const
    for (const [path, text] of quiet) {
      const { findings } = examine({ question: '', mode: 'review', files: [{ path, text }] })
      expect(findings.map(({ rule }) => rule)).not.toContain('WITAN-RISK-001')
    }
    const after = '"""doc\n"""\neval(x)\n'
    expect(
      examine({ question: '', mode: 'review', files: [{ path: 'a.py', text: after }] }).findings,
    ).toMatchObject([{ line: 3 }])
  })
})
