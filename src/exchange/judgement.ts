// Compares a judge's answer about which messages ask for a restart or other terms with what it was shown. An
// id counts if it was shown and the quote is in that message, word for word; everything else is struck but
// recorded.

import type { Json } from '../ledger/canonical.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import { fitted } from '../reply/read-reply.ts'
import type { Cited, RestartJudged } from './events.ts'

export const JUDGEMENT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    asks: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'The id of a message that asks.' },
          quote: {
            type: 'string',
            description: 'The words of that message that ask, exactly as they stand.',
          },
        },
        required: ['id', 'quote'],
        additionalProperties: false,
      },
    },
  },
  required: ['asks'],
  additionalProperties: false,
}

const MOST = 500
const MOST_CHARS = 1_000
/** A shorter quote proves nothing, unless it is the whole message. */
const LEAST_CHARS = 12

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function isQuoteIn(quote: string, text: string): boolean {
  const [part, whole] = [inOneLine(quote), inOneLine(text)]
  if (part === '') return false
  return part.length >= LEAST_CHARS ? whole.includes(part) : part === whole
}

export type ReadJudgement = Pick<RestartJudged, 'asks' | 'struck'>

/** `texts`: the words of each message that was shown, by id. */
export function judgementIn(value: Json, texts: ReadonlyMap<string, string>): ReadJudgement {
  const citations = fitted<{ readonly asks: readonly Cited[] }>(value)
    .asks.slice(0, MOST)
    .map(
      ({ id, quote }): Cited => ({
        id: id.toWellFormed().trim().slice(0, 64),
        quote: quote.toWellFormed().trim().slice(0, MOST_CHARS).toWellFormed(),
      }),
    )
  const sound = ({ id, quote }: Cited): boolean => isQuoteIn(quote, texts.get(id) ?? '')
  const first = new Map<string, Cited>()
  for (const cited of citations) if (sound(cited) && !first.has(cited.id)) first.set(cited.id, cited)
  return { asks: [...first.values()], struck: citations.filter((cited) => !sound(cited)) }
}
