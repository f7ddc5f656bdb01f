// All grades of one item in one repetition, as a function of the item and the record: of every arm, and of
// the stages on the way to the council's answer.

import type { Sha256 } from '../ledger/bytes.ts'
import { AGAIN, MAIN, SHORT } from './arms.ts'
import type { Grade, Held } from './events.ts'
import { countHits, foundAll, type Place, votedPlaces } from './grading/findings.ts'
import { gradeJudged, gradeText } from './grading/grade.ts'
import { answerKey } from './grading/read-final-answer.ts'
import { pluralityKey } from './grading/vote.ts'
import { gradingSeat, type Item } from './sets/item.ts'
import { armsOf, type Opened, samplesBought, type Unit } from './state.ts'

/** An answer before it is graded. */
interface UngradedAnswer {
  readonly text: string | null
  readonly findings: readonly Place[]
}

const NOTHING: UngradedAnswer = { text: null, findings: [] }

const reportOf = (council: Held | null | undefined): UngradedAnswer => council?.report ?? NOTHING

/** Every answer to this item, by the name of its author. */
export function answersOf(opened: Opened['opened'], unit: Unit): ReadonlyMap<string, UngradedAnswer> {
  const main = unit.held.get(MAIN)
  const answers = new Map<string, UngradedAnswer>()
  for (const { seat, roles } of opened.seats) {
    if (!roles.includes('participant')) continue
    answers.set(`single:${seat}`, main?.opinions.find((one) => one.seat === seat) ?? NOTHING)
    const review = main?.reviews.find((one) => one.seat === seat)
    if (review) answers.set(`after:${seat}`, { text: review.text, findings: [] })
  }
  answers.set('council', reportOf(main))
  for (const [name, arm] of armsOf(opened)) {
    if (arm.kind !== 'council' || arm.variant === MAIN) continue
    // Where nothing would have been skipped, the short council is the council.
    const heldCouncil = unit.held.get(arm.variant)
    answers.set(name, reportOf(arm.variant === SHORT && heldCouncil === undefined ? main : heldCouncil))
  }
  if (unit.held.has(AGAIN)) answers.set('council-again', reportOf(unit.held.get(AGAIN)))
  for (const [seat, samples] of unit.samples)
    for (const [n, { text }] of samples) answers.set(`sample:${seat}:${n}`, { text, findings: [] })
  return answers
}

/** The texts that a model has to grade, each once: the grader cannot know the arm. */
export function distinctTexts(answers: ReadonlyMap<string, UngradedAnswer>): readonly string[] {
  const texts = [...answers.values()].flatMap(({ text }) =>
    text === null || text.trim() === '' ? [] : [text],
  )
  return [...new Set(texts)].sort()
}

interface Marked {
  readonly grade: boolean | null
  readonly key: string | null
  readonly hits: Grade['hits']
}

function markOf(item: Item, unit: Unit, texts: readonly string[], answer: UngradedAnswer): Marked {
  if (item.grader === 'findings') {
    const hits = countHits(item.target, answer.findings)
    return { grade: foundAll(hits), key: null, hits }
  }
  const key = answer.text === null ? null : answerKey(item, answer.text)
  if (gradingSeat(item.grader) === null) return { grade: gradeText(item, answer.text), key, hits: null }
  if (answer.text === null || answer.text.trim() === '') return { grade: false, key: null, hits: null }
  const judged = unit.judged.get(texts.indexOf(answer.text))
  return { grade: gradeJudged(judged?.first ?? null, judged?.second ?? null), key, hits: null }
}

/** `seed`: breaks ties. */
export function gradeUnit(
  sha256: Sha256,
  { opened }: Pick<Opened, 'opened'>,
  unit: Unit,
  item: Item,
  place: { readonly item: number; readonly rep: number },
): readonly Grade[] {
  const answers = answersOf(opened, unit)
  const texts = gradingSeat(item.grader) === null ? [] : distinctTexts(answers)
  const marks = new Map([...answers].map(([voice, answer]) => [voice, markOf(item, unit, texts, answer)]))
  const seed = `${opened.seed} ${place.item} ${place.rep}`

  /** The grade of the answer that most of these give. */
  function voted(voices: readonly string[], purpose: string): Marked {
    if (item.grader === 'findings') {
      const places = votedPlaces(voices.map((voice) => answers.get(voice)?.findings ?? []))
      const hits = countHits(item.target, places)
      return { grade: foundAll(hits), key: null, hits }
    }
    const keys = voices.map((voice) => marks.get(voice)?.key ?? null)
    const key = pluralityKey(sha256, `${seed} ${purpose}`, keys)
    const winner = voices.map((voice) => marks.get(voice)).find((mark) => mark?.key === key && key !== null)
    return winner ?? { grade: false, key: null, hits: null }
  }

  const singles = [...answers.keys()].filter((voice) => voice.startsWith('single:'))
  const after = [...answers.keys()].filter((voice) => voice.startsWith('after:'))
  const grades: Grade[] = [...marks]
    .filter(([voice]) => !voice.startsWith('sample:'))
    .map(([voice, mark]) => ({ voice, ...mark }))
  grades.push({ voice: 'vote', ...voted(singles, 'vote') })
  if (after.length > 0 && item.grader !== 'findings')
    grades.push({ voice: 'after-vote', ...voted(after, 'after') })
  for (const [name, arm] of armsOf(opened)) {
    if (arm.kind !== 'samples') continue
    const main = unit.held.get(MAIN)
    const first = unit.samples.get(arm.seat)?.get(1)
    const n = arm.n ?? (main && first ? samplesBought(main, first).n : 1)
    const voices = Array.from({ length: n }, (_, i) => `sample:${arm.seat}:${i + 1}`)
    grades.push({ voice: name, ...voted(voices, name) })
  }
  return grades
}
