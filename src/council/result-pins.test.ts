// What is computed of a council of edition 2 stays, at every step of it: its result, what its seats were asked and answered, and
// how a pack is cut into parts. Reports and parts are computed again by verifiers, and programs read results.
import { describe, expect, it } from 'vitest'
import { COUNCILS } from '../../test/support/council-scenarios.ts'
import type { Sitting } from '../../test/support/council-sitting.ts'
import { toHex, utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { sha256 } from '../stores/digest.ts'
import type { PackPart } from './context.ts'
import { councilResult } from './council-result.ts'
import { type PanelReading, panelOpinion } from './replies/panel-opinion.ts'
import { transparencyOf } from './report/transparency.ts'
import { notShown } from './size/notices.ts'
import { inPortions } from './size/portions.ts'
import { isR1Complete } from './stage.ts'
import { isOpenedCouncil } from './state.ts'

const digest = (value: unknown): string => toHex(sha256(utf8(canonicalize(value as never)))).slice(0, 10)

/** After every event: what programs are given, in short too, and what the command asks of a council that runs. */
const results = ({ steps, state: last }: Sitting): readonly unknown[] =>
  [...steps.map(({ state }) => state), last].flatMap(({ inner }) =>
    isOpenedCouncil(inner)
      ? [
          councilResult(sha256, inner),
          transparencyOf(sha256, inner, 'minimal'),
          transparencyOf(sha256, inner, 'standard'),
          notShown(inner),
          isR1Complete(inner),
        ]
      : [],
  )

const RESULTS: Readonly<Record<string, string>> = {
  plain: '90 0d12f44c12',
  architecture: '90 d6e4956d42',
  labelled: '90 0d12f44c12',
  'told to take a part': '90 4f14a14a59',
  'skipped rounds': '60 44b0482120',
  'an opinion that lacks something': '100 659ee49936',
  'an opinion in prose': '100 aff378efb0',
  'prose that stands': '100 ef7858cfc4',
  'a review that lacks something': '100 96a77937cf',
  'a report that lacks something': '100 ea8f2c2713',
  'a mended report': '100 0f24d9ac0c',
  'no chair': '95 d0efd12fe7',
  'a review of code': '90 11decfc021',
  'small windows': '90 2f559c55b2',
  'smaller windows': '90 b39a82d09c',
  'no chair over code': '95 3030aeba41',
  'a refused length': '100 24abda40d1',
  'a chair that refused a length': '100 a62a75b21b',
  'in parts': '165 6a8981cb71',
  'in parts, one of which fails': '165 4c68d49198',
  'in parts, one of which lacks something': '175 0b3790a297',
  'who failed asked again': '55 dbd03da1fc',
  'another table after a fork': '55 4e34786390',
}

describe('a council of edition 2', () => {
  it.each(Object.entries(COUNCILS))('APP-9 has the same results after every event: %s', (name, held) => {
    const all = results(held())
    expect(`${all.length} ${digest(all)}`).toBe(RESULTS[name])
  })
})

const lines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `${name} line ${i + 1}`).join('\n')
const PACK: readonly PackPart[] = [
  { name: 'context', text: lines('account', 40) },
  {
    name: 'diff',
    text: ['src/a.ts', 'test/a.test.ts', 'b.md']
      .map(
        (path, i) =>
          `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n+${'x'.repeat(300 * i)}\n`,
      )
      .join(''),
  },
  ...['src/a.ts', 'test/a.test.ts', 'b.md', 'src/long.ts'].map((path, i) => ({
    name: `context:${path}`,
    text: lines(path, 20 + 60 * i),
  })),
]
const cost = ({ name, text }: PackPart): number => name.length + text.length + 20

describe('a pack in parts', () => {
  it('COU-P-4 is cut the same for every room, number of parts and number of bytes', () => {
    const cuts = [900, 1_500, 2_300, 4_100, 9_000, 40_000].flatMap((room) =>
      [1, 2, 5, 40].flatMap((most) =>
        [undefined, 3_000, 9_000].map((bytes) =>
          inPortions(PACK, { room, most, cost, ...(bytes !== undefined && { bytes }) }),
        ),
      ),
    )
    expect(`${cuts.length} ${digest(cuts)}`).toBe('72 cc897e3ce5')
    expect(new Set(cuts.map(({ portions }) => portions)).size).toBeGreaterThan(3)
  })
})

describe('the opinion of the embedded checks', () => {
  const found = { path: 'a.ts', rule: 'r', category: 'bug', description: 'd', rationale: 'w', fix: 'f' }
  const bare: PanelReading = {
    ...{
      mode: 'review',
      summary: 's',
      findings: [],
      dismissed: [],
      gaps: [],
      passages: [],
      unseen: [],
      rules: [],
    },
  }
  const full = {
    ...bare,
    findings: (['critical', 'high', 'medium', 'low'] as const).map((severity, i) => ({
      ...found,
      severity,
      line: i === 0 ? null : i,
      quote: i === 1 ? null : 'q',
    })),
    dismissed: [{ path: 'b.ts', line: 2, rule: 'r', reason: 'a test' }],
    gaps: [{ lacks: 'a measure', ask: 'How fast?' }],
    passages: [{ path: 'c.md', line: 3, terms: ['cache', 'reader'], quote: 'the cache' }],
    unseen: ['d.bin'],
    rules: ['r', 's'],
  } as unknown as PanelReading

  it.each<[string, PanelReading, string]>([
    ['a review that found nothing', bare, '9c73c646b2'],
    ['a review', full, '93a53e5698'],
    ['a question', { ...full, mode: 'ask' }, '8232892cb6'],
    ['a question without gaps', { ...full, mode: 'ask', gaps: [] }, '97ba1f771e'],
    ['an architecture', { ...full, mode: 'architecture', findings: [] }, '4ea4a6da12'],
  ])('COU-X-6 is the same for %s', (_, reading, pinned) => {
    const opinion = panelOpinion(reading) as { readonly stance: string; readonly confidence: string }
    expect(opinion).toMatchObject({ stance: 'need-info', confidence: 'low' })
    expect(digest(opinion)).toBe(pinned)
  })
})
