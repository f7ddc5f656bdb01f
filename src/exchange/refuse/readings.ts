// That an outcome of an asking says how the reply was read, where the edition has it so, and asks again only once.

import type { Occurrence, Refusal } from '../../protocol.ts'
import { isReaderVersion } from '../../reply/read-reply.ts'
import { editionOf } from '../editions.ts'
import { incompleteFor } from '../prompts/completing.ts'
import type { ExchangeState } from '../state.ts'
import { misshapen, order } from './refusals.ts'

/** How a reply was read is said in the editions that read it, and what it lacked is asked for once. */
export function readingRefusal(state: ExchangeState, { type, payload }: Occurrence): Refusal | null {
  if (!/^(?:mind|audit|judge|restart)_(?:wrote|written|judged|failed|incomplete)$/.test(type)) return null
  const isRead = editionOf(state).replies === 2
  if (isRead !== Object.hasOwn(payload ?? {}, 'reading'))
    return misshapen(`${type} has not the members that it has in this edition`)
  const reading = payload?.reading as { readonly reader?: unknown } | null | undefined
  if (reading && !isReaderVersion(reading.reader)) return misshapen('there is no such reader here')
  if (!type.endsWith('_incomplete')) return null
  const open = type === 'judge_incomplete' ? state.judging : state.round
  const isAgain = incompleteFor(open, String(payload?.mind), String(payload?.action)) !== null
  return isAgain ? order('what the answer lacked was asked for already') : null
}
