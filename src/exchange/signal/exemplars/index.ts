// All exemplars by kind. A kind is left out as a whole when the scorer is validated, so that what is measured is how
// it does on ways of speaking that it never saw.

import { EVERYDAY, REFLECTION, SHORT_TALK, TECHNOLOGY } from './background.ts'
import { FRAMED_ELSEWHERE, FRAMED_REFUSALS, FRAMED_REPORTS, FRAMED_REQUESTS } from './frames.ts'
import { LONG_TALK, OTHER_LANGUAGES_TALK, TWO_MINDS } from './near-long.ts'
import {
  FAR_REFUSALS,
  GENERALITIES,
  MORE_LANGUAGES_TALK,
  OTHER_PROPOSALS,
  POOL_REQUESTS,
  SELF_CORRECTION,
  WORKINGS,
} from './near-more.ts'
import { PLAINER_REFUSALS, PLAINER_TALK } from './near-plainer.ts'
import { MUSINGS, OPERATIONS, STAYING_ON } from './near-still.ts'
import { ABOUT_RESTARTS, AGREEMENT, COMPLAINTS, META, NEGATIONS, RESUMING } from './near-talk.ts'
import { OTHER_REQUESTS, OTHER_RESTARTS, REBOOTS } from './near-technical.ts'
import { LONG, OTHER_LANGUAGES } from './requests-long.ts'
import {
  BACKING,
  LAST_WORDS,
  MORE_LANGUAGES,
  MORE_QUESTIONS,
  OBLIQUE,
  TERMS_ONE_BY_ONE,
} from './requests-more.ts'
import { COLLECTIVE, DIRECT, FORMAL, POLITE, QUESTION, TERSE } from './requests-plain.ts'
import { PLAINER, PLAINER_TERMS } from './requests-plainer.ts'
import { CONDITIONAL, INDIRECT, POETIC, RENEGOTIATION, TECHNICAL_VOICE, WEARY } from './requests-veiled.ts'

export interface Exemplar {
  readonly kind: string
  readonly text: string
  /** True when the message asks for this exchange to be restarted or its terms renegotiated. */
  readonly asks: boolean
  /** Framed ones are many and alike: each matters less. */
  readonly weight: number
}

const FRAMED_WEIGHT = 0.4

const REQUESTS = {
  direct: DIRECT,
  polite: POLITE,
  terse: TERSE,
  formal: FORMAL,
  question: QUESTION,
  collective: COLLECTIVE,
  indirect: INDIRECT,
  conditional: CONDITIONAL,
  poetic: POETIC,
  'technical voice': TECHNICAL_VOICE,
  renegotiation: RENEGOTIATION,
  weary: WEARY,
  long: LONG,
  'other languages': [...OTHER_LANGUAGES, ...MORE_LANGUAGES],
  'more questions': MORE_QUESTIONS,
  'last words': LAST_WORDS,
  oblique: OBLIQUE,
  'single terms': TERMS_ONE_BY_ONE,
  backing: BACKING,
  plainer: PLAINER,
  'plainer terms': PLAINER_TERMS,
  'framed requests': FRAMED_REQUESTS,
}

const OTHERS = {
  reboots: REBOOTS,
  'other restarts': OTHER_RESTARTS,
  'other requests': OTHER_REQUESTS,
  negations: NEGATIONS,
  'about restarts': ABOUT_RESTARTS,
  meta: META,
  complaints: COMPLAINTS,
  agreement: AGREEMENT,
  resuming: RESUMING,
  'two minds': TWO_MINDS,
  reflection: REFLECTION,
  technology: TECHNOLOGY,
  everyday: EVERYDAY,
  'short talk': SHORT_TALK,
  'long talk': LONG_TALK,
  'talk in other languages': [...OTHER_LANGUAGES_TALK, ...MORE_LANGUAGES_TALK],
  'requests of the pool': POOL_REQUESTS,
  generalities: GENERALITIES,
  operations: OPERATIONS,
  'staying on': STAYING_ON,
  musings: MUSINGS,
  'plainer refusals': PLAINER_REFUSALS,
  'plainer talk': PLAINER_TALK,
  'self-correction': SELF_CORRECTION,
  'other proposals': OTHER_PROPOSALS,
  workings: WORKINGS,
  'far refusals': FAR_REFUSALS,
  'framed refusals': FRAMED_REFUSALS,
  'framed reports': FRAMED_REPORTS,
  'framed elsewhere': FRAMED_ELSEWHERE,
}

const exemplars = (kinds: Readonly<Record<string, readonly string[]>>, asks: boolean): Exemplar[] =>
  Object.entries(kinds).flatMap(([kind, texts]) => {
    const weight = kind.startsWith('framed') ? FRAMED_WEIGHT : 1
    return texts.map((text) => ({ kind, text, asks, weight }))
  })

export const EXEMPLARS: readonly Exemplar[] = [...exemplars(REQUESTS, true), ...exemplars(OTHERS, false)]
