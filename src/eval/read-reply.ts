// What follows from a reply: the text of a further answer, or the verdict of a grader. The performer records
// it, and a verifier gets the same from the raw reply.

import type { RawReply } from '../ledger/raw-reply.ts'
import { fitted, READER_VERSION, readReply } from '../reply/read-reply.ts'
import { type ReadingRecord, recordOf } from '../reply/reading-record.ts'
import type { Judged } from './grading/grade.ts'
import { WANTED_JUDGEMENT } from './prompts/prompts.ts'
import { MOST_TEXT } from './schema.ts'

/** The end of a long answer contains its conclusion. */
export const keptText = (text: string): string => text.toWellFormed().trim().slice(-MOST_TEXT).toWellFormed()

const THOUGHT = /<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi

/** Without hidden reasoning. */
export const sampleText = ({ text }: RawReply): string => keptText(text.replaceAll(THOUGHT, ''))

export interface ReadJudgement {
  readonly reading: ReadingRecord
  /** Null where none could be read. */
  readonly verdict: Exclude<Judged, null> | null
}

/** `shown`: what was in the prompt; a verdict that is there is not the grader's. */
export function readJudgement(raw: RawReply, shown: string): ReadJudgement {
  const read = readReply(READER_VERSION, WANTED_JUDGEMENT, raw, { prompt: shown })
  const reading = recordOf(READER_VERSION, read)
  if (read.outcome !== 'kept') return { reading, verdict: null }
  return { reading, verdict: fitted<{ readonly verdict: Exclude<Judged, null> }>(read.value).verdict }
}
