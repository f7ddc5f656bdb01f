// The risk class of a topic, by words. It errs upward: a word too many costs a review, a word too few costs what the
// review would have found. Reviews of code and decisions of architecture are never low.

import type { Criteria } from '../events.ts'
import type { Convened } from '../state.ts'
import { CHINESE, WORDS_OF_RISK } from './risk-words.ts'

const HIGH =
  'secur\\w* auth oauth authenticat\\w* authori[sz]\\w* password\\w* credential\\w* secret\\w* encrypt\\w* crypto\\w* vulnerab\\w* exploit\\w* ' +
  'inject\\w* privacy gdpr hipaa pii personal legal law lawsuit complian\\w* medical health patient\\w* safety ' +
  'money payment\\w* billing invoice\\w* salar\\w* financ\\w* invest\\w* price pricing ' +
  'delet\\w* drop truncate wipe erase\\w* loss irrevers\\w* permanent\\w* backup\\w* restore ' +
  'production prod outage downtime incident rollback migrat\\w* deadline layoff\\w*'

const MEDIUM =
  'database\\w* schema\\w* api apis breaking depend\\w* upgrad\\w* deploy\\w* releas\\w* architect\\w* ' +
  'performance latency scal\\w* concurren\\w* licen[cs]e\\w* customer\\w* user users contract\\w* vendor\\w* ' +
  'network\\w* server\\w* cluster\\w* queue\\w* cache\\w* protocol\\w* test\\w* refactor\\w*'

const pattern = (words: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.split(' ').join('|')})(?![\\p{L}\\p{N}])`, 'giu')

const [highWords, mediumWords] = [pattern(HIGH), pattern(MEDIUM)]

const found = (text: string, words: RegExp): readonly string[] =>
  [...new Set((text.match(words) ?? []).map((word) => word.toLowerCase()))].sort()

/** More words than these explain nothing. */
const MOST_WORDS = 8

const isSetApart = pattern(WORDS_OF_RISK.replaceAll('*', '\\p{L}*'))
const isWithin = new RegExp(CHINESE.split(' ').join('|'), 'gu')

/** What holds for edition 1, whose words are English alone. */
export const riskByWords = (state: Convened): Criteria['risk'] => riskBy(state, [highWords])

/** It is asked for by each who decides and each who refuses, and depends on the opening alone. */
const known = new WeakMap<object, Criteria['risk']>()

/** Since edition 2. */
export function riskInSixLanguages(state: Convened): Criteria['risk'] {
  const before = known.get(state.opened)
  if (before) return before
  const risk = riskBy(state, [highWords, isSetApart, isWithin])
  known.set(state.opened, risk)
  return risk
}

function riskBy({ opened }: Convened, highest: readonly RegExp[]): Criteria['risk'] {
  const text = [opened.question, ...opened.constraints, ...opened.focus].join('\n')
  const high = [...new Set(highest.flatMap((words) => found(text, words)))].sort()
  if (high.length > 0) return { class: 'high', words: high.slice(0, MOST_WORDS) }
  const medium = found(text, mediumWords)
  if (medium.length > 0 || opened.mode !== 'ask')
    return { class: 'medium', words: medium.slice(0, MOST_WORDS) }
  return { class: 'low', words: [] }
}
