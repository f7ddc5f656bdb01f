// The result of an evaluation, as blocks: the verdict in a sentence, a loss before all else, then each arm,
// every comparison, and the items. A number names the items that it counts, and an item the event that graded
// it.

import { type ComparisonReport, type EvalReport, type ItemReport, reportOf } from '../../eval/report.ts'
import type { Opened } from '../../eval/state.ts'
import { costOf, lossesFirst, percent, points, pText } from '../eval/numbers.ts'
import { type Block, type Item, type Note, section } from '../report/document.ts'

const TONES = { worse: 'bad', better: 'good', 'no difference found': 'open' } as const

/** `trace/seq` of the event that graded an item in a repetition. */
export type GradedAt = (item: number, rep: number) => string | undefined

const nameOf = ({ id, rep }: ItemReport): string => (rep > 1 ? `${id}#${rep}` : id)
const anchorOf = ({ unit }: ItemReport): string => `item-${unit}`
const gradeIn = ({ grades }: ItemReport, arm: string): boolean | null =>
  grades.find((one) => one.arm === arm)?.grade ?? null

const namesNotes = (name: string, items: readonly ItemReport[]): readonly Note[] =>
  items.length === 0
    ? []
    : [
        {
          name,
          text: items.map(nameOf).join(', '),
          sources: items.map((item) => ({ label: nameOf(item), id: anchorOf(item) })),
        },
      ]

const armItems = ({ arms, items }: EvalReport): readonly Item[] =>
  arms.map((arm) => ({
    lead: `${arm.arm}: ${percent(arm.share)}`,
    text: `${arm.right} of ${arm.n} right (95 %: ${percent(arm.low)} to ${percent(arm.high)}), ${costOf(arm)} and ${arm.seconds.toFixed(1)} s an item`,
    notes: [
      ...namesNotes(
        'wrong',
        items.filter((item) => gradeIn(item, arm.arm) === false),
      ),
      ...namesNotes(
        'ungraded',
        items.filter((item) => gradeIn(item, arm.arm) === null),
      ),
    ],
  }))

const comparisonItem = ({ items }: EvalReport, comparison: ComparisonReport): Item => {
  const only = (right: string, wrong: string): readonly ItemReport[] =>
    items.filter((item) => gradeIn(item, right) === true && gradeIn(item, wrong) === false)
  return {
    lead: `against ${comparison.against}: ${points(comparison.difference)} points`,
    tone: TONES[comparison.verdict],
    text: `95 %: ${points(comparison.low)} to ${points(comparison.high)}, ${pText(comparison.p_adjusted)} after Holm: ${comparison.verdict}`,
    notes: [
      ...namesNotes(`only ${comparison.arm} right`, only(comparison.arm, comparison.against)),
      ...namesNotes(`only ${comparison.against} right`, only(comparison.against, comparison.arm)),
    ],
  }
}

const WORDS = new Map([
  [true, 'right'],
  [false, 'wrong'],
  [null, 'ungraded'],
])

const itemItem = (item: ItemReport, event: string | undefined): Item => ({
  id: anchorOf(item),
  ...(event !== undefined && { event }),
  lead: nameOf(item),
  text: item.grades.map(({ arm, grade }) => `${arm} ${WORDS.get(grade)}`).join(', '),
  notes: item.councils.map(({ variant, trace }) => ({
    name: variant === 'main' ? 'council' : `council, ${variant}`,
    text: trace,
  })),
})

export function evaluationBlocks(state: Opened, gradedAt: GradedAt = () => undefined): readonly Block[] {
  const report = reportOf(state)
  const { primary, others, graded, units, set, items } = report
  const losses = others.filter(({ verdict }) => verdict === 'worse')
  return [
    {
      kind: 'verdict',
      tone: TONES[primary.verdict],
      label: primary.words,
      detail: `${pText(primary.p)}; ${graded} of ${units} graded`,
      about: set.name,
      basis: '',
    },
    ...losses.map(({ words }): Block => ({ kind: 'notice', text: words })),
    ...section('Arms', armItems(report)),
    ...section(
      `${primary.arm} against the others`,
      lossesFirst(others).map((one) => comparisonItem(report, one)),
    ),
    ...foldedBlock(
      'Items',
      items.map((item) => itemItem(item, gradedAt(item.item, item.rep))),
    ),
  ]
}

/** Only the name of each item until it is opened. */
const foldedBlock = (title: string, items: readonly Item[]): readonly Block[] =>
  section(title, items).map((block) => (block.kind === 'list' ? { ...block, folded: true } : block))
