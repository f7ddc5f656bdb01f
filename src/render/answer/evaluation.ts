// What an evaluation found, as blocks: the verdict in a sentence, a loss before all else, then each arm.

import { reportOf } from '../../eval/report.ts'
import type { Opened } from '../../eval/state.ts'
import { percent, pText } from '../eval/numbers.ts'
import { type Block, type Item, section } from '../report/document.ts'

const TONES = { worse: 'bad', better: 'good', 'no difference found': 'open' } as const

export function evaluationBlocks(state: Opened): readonly Block[] {
  const { primary, others, arms, graded, units, set } = reportOf(state)
  const losses = others.filter(({ verdict }) => verdict === 'worse')
  const share = arms.map(
    ({ arm, right, n, share: part }): Item => ({
      lead: `${arm}: ${percent(part)}`,
      text: `${right} of ${n} right`,
    }),
  )
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
    ...section('Arms', share),
  ]
}
