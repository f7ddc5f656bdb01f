// What follows from a reply, by rule: an answer, an incomplete answer whose missing part is asked for once
// more, or none. The performer records it and a verifier gets the same from the raw reply. Only opinions may
// be prose.

import type { RawReply } from '../../ledger/raw-reply.ts'
import { lackingWords, READER_VERSION, readReply } from '../../reply/read-reply.ts'
import type { Reading } from '../../reply/reading.ts'
import { type ReadingRecord, recordOf } from '../../reply/reading-record.ts'
import type { WantedValue } from '../../reply/wanted.ts'
import type { Round } from '../events.ts'
import type { ReportAnswer } from '../report/report.ts'
import { type Read, readOpinion, readReport, readReview } from './normalise.ts'
import { type Mode, type OpinionAnswer, type Stance, UNSTATED } from './opinion.ts'
import type { ReviewAnswer } from './review.ts'
import { wantedOpinion, wantedReport, wantedReview } from './wanted.ts'

type RoundAnswer = OpinionAnswer | ReviewAnswer | ReportAnswer

export type Conclusion = { readonly reading: ReadingRecord } & (
  | { readonly is: 'given'; readonly answer: RoundAnswer }
  | { readonly is: 'incomplete'; readonly prose: OpinionAnswer | null }
  | { readonly is: 'failed'; readonly cause: 'refused' | null; readonly message: string }
)

export interface ReplyToRead {
  readonly round: Round
  readonly mode: Mode
  readonly raw: RawReply
  /** What others showed to the model: its own first answer is not part of it. */
  readonly prompt: string
  /** What a reviewer was shown, label → id of the opinion. */
  readonly labels: ReadonlyMap<string, string>
  /** For a reply that completes an earlier one: the opinion in prose that counts otherwise. */
  readonly completes: { readonly prose: OpinionAnswer | null } | null
}

const SUMMARY_CHARS = 400
const MESSAGE_CHARS = 300

const clipped = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`

/** The whole text is the recommendation; nothing is added to it. */
export function proseOpinion(text: string, stance: Stance): OpinionAnswer {
  const [first = ''] = text.split(/\n\s*\n/)
  return {
    stance,
    summary: clipped(first.trim(), SUMMARY_CHARS),
    details: { understanding: '', key_considerations: [], recommendation: text, rationale: '' },
    risks: [],
    assumptions: [],
    questions: [],
    stakes: UNSTATED,
    confidence: 'low',
    alternatives: [],
    verification_plan: [],
    in_scope: [],
    out_of_scope: [],
    information_needed: [],
    findings: [],
  }
}

const WANTED: Readonly<Record<Round, (mode: Mode) => WantedValue>> = {
  R1: (mode) => wantedOpinion(mode, 2),
  R2: wantedReview,
  R3: wantedReport,
}

function normalised(
  { round, mode, labels }: ReplyToRead,
  value: Extract<Reading, { outcome: 'kept' }>['value'],
) {
  if (round === 'R1') return readOpinion(mode, value, 2)
  return round === 'R2' ? readReview(mode, value, labels) : readReport(mode, value)
}

/** Of two answers in prose, the longer is kept, with the stance that the second states. */
function fromProse({ completes }: ReplyToRead, text: string, stance: Stance): OpinionAnswer {
  const first = completes?.prose ?? null
  return first && first.details.recommendation.length > text.length
    ? { ...first, stance }
    : proseOpinion(text, stance)
}

function lacking(
  { completes }: ReplyToRead,
  reading: ReadingRecord,
  prose: OpinionAnswer | null,
): Conclusion {
  if (completes === null) return { is: 'incomplete', prose, reading }
  return { is: 'failed', cause: null, message: lackingWords(reading.missing), reading }
}

export function concludeReply(replied: ReplyToRead): Conclusion {
  const { round, mode, raw, prompt, labels, completes } = replied
  const read = readReply(READER_VERSION, WANTED[round](mode), raw, { prompt, labels: [...labels.keys()] })
  const reading = recordOf(READER_VERSION, read)
  switch (read.outcome) {
    case 'kept': {
      const answered: Read<RoundAnswer> = normalised(replied, read.value)
      if (answered.ok) return { is: 'given', answer: answered.answer, reading }
      return lacking(replied, { ...reading, outcome: 'missing', missing: ['answer'] }, null)
    }
    case 'prose': {
      const answer = fromProse(replied, read.text, read.stance as Stance)
      const isOpen = answer.stance === UNSTATED && completes === null
      return isOpen ? { is: 'incomplete', prose: answer, reading } : { is: 'given', answer, reading }
    }
    case 'missing':
      return lacking(replied, reading, null)
    case 'refused': {
      const words = clipped((raw.refusal || raw.text).trim().toWellFormed(), MESSAGE_CHARS)
      const message = words === '' ? 'declined to answer' : `declined to answer: ${words}`
      return { is: 'failed', cause: 'refused', message, reading }
    }
  }
}

/** What a completing reply is asked for. */
export const missingIn = ({ outcome, missing }: ReadingRecord): readonly string[] =>
  outcome === 'prose' ? ['stance'] : missing
