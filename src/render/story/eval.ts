// An evaluation told for people: what was compared, the result of each council, and the verdict.

import type * as is from '../../eval/events.ts'
import type { Occurrence } from '../../protocol.ts'
import { count, inOneLine, line, type StoryLine } from './story-line.ts'

type Teller = (payload: never, by: string) => StoryLine

const mark = (grade: boolean | null): string => (grade === null ? '?' : grade ? 'right' : 'wrong')

const TELLERS: Readonly<Record<string, Teller>> = {
  eval_opened: ({ set, arms, primary, seats }: is.EvalOpened, by) =>
    line('plain', `${by} evaluates ${inOneLine(set.name)}: ${count(set.items, 'item')}`, [
      `arms: ${arms.join(', ')}`,
      `the verdict is about ${primary.arm} against ${primary.against}`,
      `seats: ${seats.map(({ seat, model }) => (model === null ? seat : `${seat} (${model})`)).join(', ')}`,
    ]),
  item_held: ({ item, variant, council, status }: is.Held) =>
    line('quiet', `item ${item + 1}: ${variant} council ${council.trace} ended as ${status}`),
  sample_given: ({ item, seat, n }: is.SampleGiven) =>
    line('quiet', `item ${item + 1}: ${seat} answered alone (${n})`),
  sample_failed: ({ item, seat, message }: is.SampleFailed) =>
    line('bad', `item ${item + 1}: ${seat} gave no answer: ${inOneLine(message)}`),
  judgement_given: ({ item, seat, verdict, order }: is.JudgementGiven) =>
    line('quiet', `item ${item + 1}: ${seat} finds an answer ${verdict} (${order} order)`),
  judgement_failed: ({ item, seat, message }: is.JudgementFailed) =>
    line('bad', `item ${item + 1}: ${seat} gave no verdict: ${inOneLine(message)}`),
  item_graded: ({ id, grades }: is.Graded) =>
    line(
      'plain',
      `${inOneLine(id)}: ${grades
        .filter(({ voice }) => !voice.startsWith('after'))
        .map(({ voice, grade }) => `${voice} ${mark(grade)}`)
        .join(', ')}`,
    ),
  eval_closed: ({ verdict, primary, status }: is.EvalClosed) =>
    line(
      verdict === 'worse' ? 'bad' : verdict === 'better' ? 'good' : 'plain',
      `${verdict}: ${(primary.difference * 100).toFixed(1)} points over ${count(primary.n, 'pair')} (${status})`,
    ),
  outcome_recorded: ({ council, outcome, note }: is.OutcomeRecorded, by) =>
    line(
      'plain',
      `${by}: ${council.trace} turned out ${outcome ?? 'as noted'}`,
      note === '' ? [] : [inOneLine(note)],
    ),
}

export const tell = (event: Occurrence): StoryLine | null =>
  Object.hasOwn(TELLERS, event.type)
    ? (TELLERS[event.type]?.(event.payload as never, event.actor.agent) ?? null)
    : null
