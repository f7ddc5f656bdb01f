// Checks that the outcome of an asking says how the reply was read, where the edition requires it, and that it is
// asked again only once.

import type { Occurrence, Refusal } from '../../protocol.ts'
import { isReaderVersion } from '../../reply/read-reply.ts'
import { editionOf } from '../editions.ts'
import { incompleteFor } from '../prompts/completing.ts'
import type { ExchangeState } from '../state.ts'
import { misshapen, order } from './refusals.ts'

/** Editions that read replies record how, and ask for what is missing once. */
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
