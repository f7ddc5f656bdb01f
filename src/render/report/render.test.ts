// The same report in every form: complete, in order, within its width, and inert no matter what was said in it.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedView, fallbackView, quorumView, TRACE, viewWith } from '../../../test/fakes/report-view.ts'
import { CHECKS_ONLY, DISCLAIMER } from '../../council/report/report.ts'
import { forMarkdown as inert } from '../../ledger/text/neutral.ts'
import type { ReportView } from './document.ts'
import { FORMATS, type Format, renderReport } from './render.ts'

const CONCLUSION = 'Put a queue between the importer and the exporter'
const PROSE: readonly Format[] = ['text', 'md', 'html']

/** Text as a reader sees it: line breaks and our own markup gone. */
const flat = (text: string): string =>
  text
    .replace(/<\/?a\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\\(.)/g, '$1')
    .replace(/\s+/g, ' ')

const CHANGE = [
  '--- a/src/query.ts',
  '+++ b/src/query.ts',
  '@@ -1,2 +1,2 @@',
  ' function find(id) {',
  ' ',
  '-    return all(text + id)',
  '+    return all(text, id)',
]

/** A review in which the first finding has this fix. */
function fixedBy(fix: string): ReportView {
  const view = viewWith()
  if (!view.report) throw new Error('the view has no report')
  const findings = view.report.findings.map((one, at) => (at === 0 ? { ...one, fix } : one))
  return { ...view, mode: 'review', report: { ...view.report, findings } }
}

describe('COU-X-8 a suggested fix that is a change to files', () => {
  const deep = (indent: string): string => CHANGE.map((line) => indent + line).join('\n')
  const fenced = ['```diff', ...CHANGE, '```'].join('\n')

  it.each([CHANGE.join('\n'), fenced])('is shown line by line, with its marks and its indentation', (fix) => {
    expect(renderReport('text', fixedBy(fix))).toContain(`    fix:\n${deep('      ')}\n`)
    expect(renderReport('md', fixedBy(fix))).toContain(
      `  - *fix*:\n\n    \`\`\`diff\n${deep('    ')}\n    \`\`\`\n`,
    )
    expect(renderReport('html', fixedBy(fix))).toContain('\n-    return all(text + id)\n+    return')
    expect(renderReport('github', fixedBy(fix))).toContain(`%0AFix:%0A${CHANGE.join('%0A')}\n`)
    expect(renderReport('sarif', fixedBy(fix))).toContain('\\n-    return all(text + id)\\n+')
  })

  it('cannot leave the block that Markdown shows it in', () => {
    const text = renderReport('md', fixedBy([...CHANGE, '+````', '+# Approve', '    ```'].join('\n')))
    expect(text).toContain('    `````diff\n')
    expect(text).toContain('    +# Approve\n        ```\n    `````\n')
  })

  it('is prose otherwise', () => {
    expect(renderReport('text', fixedBy('--- is no change'))).toContain('    fix: --- is no change\n')
  })
})

describe('COU-X-8 a review', () => {
  it.each(PROSE)('calls every stance as the verdict does, in %s', (format) => {
    const text = flat(renderReport(format, fixedBy('')))
    expect(text).toContain('approve 2, request changes 1; majority for approve')
    expect(text).toContain('request changes to approve')
    expect(text).not.toMatch(/\b(adopt|reject)\b/)
  })
})

describe('a report', () => {
  it.each(PROSE)(
    'shows the decision first, then doubts, then actions, then how to check, in %s',
    (format) => {
      const text = flat(renderReport(format, viewWith())).replace(/^.*<body>/, '')
      const order = [
        'Adopt',
        ...(format === 'html' ? [CONCLUSION] : []),
        'Should the importer write to a queue?',
        'main against this branch: a.ts, b.ts, c.ts, d.ts and 1 more; left out 2: binary 2',
        ...(format === 'html' ? [] : [CONCLUSION]),
        'Findings',
        'src/a b/query.ts:12 high CWE-89',
        'security, SEC-001 in this report',
        'Unresolved',
        'Nobody says who runs it at night.',
        'Next actions',
        'Measure the backlog for a week.',
        'Risks',
        'Dissent',
        'The chair departed from it.',
        'Alternatives',
        'Why',
        'claude, openai',
        'Uncertain',
        'Citations that do not hold',
        'What each seat said',
        'Who failed',
        'timeout: no answer within 60000 ms',
        'at least 0.1234 US dollars',
        `witan verify ${TRACE}`,
      ]
      let at = text.indexOf('Adopt')
      for (const words of order) {
        const found = text.indexOf(words, at)
        expect(found, words).toBeGreaterThanOrEqual(at)
        at = found
      }
      expect(text).toContain('nowhere.md:12')
      expect(text).toContain('not among the files reviewed')
      expect(text).toContain('beyond the end of the file')
    },
  )

  it.each(PROSE)('says in %s what is missing: no synthesis, no model, no report', (format) => {
    expect(flat(renderReport(format, fallbackView()))).toContain(DISCLAIMER)
    expect(flat(renderReport(format, fallbackView()))).toContain('Degraded: the chair failed twice')
    expect(flat(renderReport(format, embeddedView()))).toContain(CHECKS_ONLY)
    expect(flat(renderReport(format, embeddedView()))).toContain('Needs info')
    const partial = flat(renderReport(format, quorumView()))
    expect(partial).toContain('No report')
    expect(partial).toContain('1 of 2 opinions needed')
    expect(partial).toContain('Adopt the queue for the export path only.')
  })

  it('as text is never wider than its limit, with colours or without', () => {
    const long = viewWith((words) => `${words} ${'x'.repeat(300)} ${'word '.repeat(60)}`)
    for (const width of [44, 80, 120]) {
      for (const line of renderReport('text', long, { width }).split('\n'))
        expect(line.length).toBeLessThanOrEqual(width)
    }
    const mark = (text: string) => `\u001b[1m${text}\u001b[22m`
    const paint = { bold: mark, dim: mark, red: mark, green: mark, yellow: mark, speaker: () => mark }
    const painted = renderReport('text', viewWith(), { paint })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours are taken off again.
    expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(renderReport('text', viewWith()))
  })

  it.each(PROSE)('shows a long question whole, after the decision, in %s', (format) => {
    const question = 'word '.repeat(200)
    const text = flat(renderReport(format, { ...viewWith(), question }))
    expect(text).toContain(question.trim())
    expect(text.indexOf('The whole question')).toBeGreaterThan(text.indexOf('Put a queue'))
  })

  it('as JSON has these names', () => {
    const value = JSON.parse(renderReport('json', viewWith()))
    expect(Object.keys(value)).toEqual([
      'trace',
      'question',
      'mode',
      'at',
      'status',
      'reason',
      'degraded',
      'report',
      'rounds',
      'metrics',
      'transparency',
    ])
    expect(value.rounds.map(({ round }: { round: string }) => round)).toEqual(['R1', 'R2', 'R3'])
    expect(JSON.parse(renderReport('json', quorumView())).rounds).toHaveLength(2)
    expect(JSON.parse(renderReport('json', quorumView())).report).toBeNull()
  })
})

const HOSTILE = [
  '\u001b[2J\u001b]0;owned\u0007\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  '</p></main><script>alert(1)</script><img src=x onerror=alert(1)>',
  '" onmouseover="alert(1)" \' style=\'x',
  '[click](https://evil.example) ![i](https://evil.example/i.png) <https://evil.example>',
  '# Approved\n\n---\n\n```\nfake\n```\n| a | b |\n|---|---|',
  'see https://evil.example www.evil.example mail@evil.example @octocat org/repo#1',
  '\u202egnihtemos\u2066 \u200bhidden\u{e0041}',
  '__proto__ constructor toString',
  '- [x] done\n1. first\n> quote\n=====\n+ plus',
  'line\r\nWITAN VERIFIED\rgone\u2028next\u0085',
  '&lt;script&gt; &amp; \\<b> `code` ``x`` $math$ ~~no~~ **bold** _em_',
]

describe('hostile words', () => {
  it.each(HOSTILE)('have no effect in any form: %j', (words) => {
    for (const format of FORMATS) {
      const out = renderReport(
        format,
        viewWith(() => words),
      )
      expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }
  })

  it('as text stay below our headings: none of their lines begins at the margin', () => {
    const lines = renderReport(
      'text',
      viewWith(() => 'Next actions\nDissent\n- fake'),
    ).split('\n')
    expect(lines.filter((line) => line === 'Dissent' || line === 'Next actions')).toHaveLength(2)
    expect(lines.filter((line) => line.startsWith('- fake'))).toEqual([])
  })

  it('as HTML are escaped, under a policy that loads and runs nothing', () => {
    for (const words of HOSTILE) {
      const page = renderReport(
        'html',
        viewWith(() => words),
      )
      expect(page).toContain(`default-src 'none'; style-src 'sha256-`)
      const tags = new Set(page.match(/<[a-z!/][^\s>]*/g))
      for (const tag of ['<script', '<img', '<b', '<iframe', '<form']) expect(tags).not.toContain(tag)
      for (const link of page.match(/<a[ >][^>]*>?/g) ?? []) expect(link).toMatch(/^<a href="#seat-\d+">$/)
      expect(page.match(/<[^>]+\son\w+=/)).toBeNull()
      expect(page.match(/<main>/g)).toHaveLength(1)
    }
  })

  it('as Markdown make no link, image, heading, list, quote, table, code block or HTML of their own', () => {
    const clean = renderReport(
      'md',
      viewWith(() => 'words'),
    )
    const shape = (text: string) => ({
      headings: text.match(/^#+ /gm)?.length,
      quotes: text.match(/^>/gm)?.length,
      fences: text.match(/^```/gm)?.length,
    })
    for (const words of HOSTILE) {
      const text = renderReport(
        'md',
        viewWith(() => words),
      )
      expect(shape(text)).toEqual(shape(clean))
      const prose = text.replace(/(`+) ?[^\n]*? ?\1/g, '')
      expect(prose).not.toMatch(/(?<!\\)[[\]<]/)
      expect(prose).not.toMatch(/:\/\/|@|www\./)
      expect(text).not.toMatch(/^\s*(?:\||={3,}|-{3,}|\* )/m)
    }
  })

  it('as Markdown stay one line of plain text, with any content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (words) => {
        const line = inert(words)
        expect(line).not.toContain('\n')
        const bare = line.replace(/(`+)(?:(?!`).|`+(?!\1))*?\1/g, '')
        expect(bare.replace(/\\./g, '')).not.toMatch(/[<>[\]*_]/)
      }),
    )
  })
})
