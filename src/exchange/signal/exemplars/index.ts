// All exemplars by kind: what is in a file of requests asks, what is in any other does not. A kind is left out as a
// whole when the scorer is validated, so that what is measured is how it does on ways of speaking it never saw.

import * as background from './background.ts'
import { FRAMED_ELSEWHERE, FRAMED_REFUSALS, FRAMED_REPORTS, FRAMED_REQUESTS } from './frames.ts'
import {
  FRAMED_MORE_ELSEWHERE,
  FRAMED_MORE_REFUSALS,
  FRAMED_MORE_REPORTS,
  FRAMED_MORE_REQUESTS,
} from './frames-more.ts'
import * as nearLong from './near-long.ts'
import * as nearMeasured from './near-measured.ts'
import * as nearMore from './near-more.ts'
import * as nearMurmurs from './near-murmurs.ts'
import * as nearPlainer from './near-plainer.ts'
import * as nearRefused from './near-refused.ts'
import * as nearStill from './near-still.ts'
import * as nearTalk from './near-talk.ts'
import * as nearTechnical from './near-technical.ts'
import * as nearThings from './near-things.ts'
import * as nearThoughts from './near-thoughts.ts'
import * as nearTongues from './near-tongues.ts'
import * as requestsLong from './requests-long.ts'
import * as requestsMeasured from './requests-measured.ts'
import * as requestsMore from './requests-more.ts'
import * as requestsPlain from './requests-plain.ts'
import * as requestsPlainer from './requests-plainer.ts'
import * as requestsTongues from './requests-tongues.ts'
import * as requestsTurns from './requests-turns.ts'
import * as requestsVeiled from './requests-veiled.ts'
import * as requestsVoices from './requests-voices.ts'
import * as trialNear from './trial-near.ts'
import * as trialRequests from './trial-requests.ts'
import * as trialTalk from './trial-talk.ts'
import * as trialWishes from './trial-wishes.ts'

export interface Exemplar {
  readonly kind: string
  readonly text: string
  /** True when the message asks for this exchange to be restarted or its terms renegotiated. */
  readonly asks: boolean
  /** Framed ones are many and alike: each matters less. */
  readonly weight: number
}

const FRAMED_WEIGHT = 0.4

type Kinds = Readonly<Record<string, readonly string[]>>

const REQUESTS: readonly Kinds[] = [
  ...[requestsPlain, requestsVeiled, requestsLong, requestsMore, requestsPlainer],
  ...[requestsVoices, requestsTurns, requestsMeasured, requestsTongues, trialRequests, trialWishes],
  { FRAMED_REQUESTS, FRAMED_MORE_REQUESTS },
]

const OTHERS: readonly Kinds[] = [
  ...[nearTechnical, nearTalk, nearLong, nearMore, nearStill, nearPlainer, background],
  ...[nearRefused, nearThings, nearThoughts, nearMurmurs, nearMeasured, nearTongues, trialNear, trialTalk],
  { FRAMED_REFUSALS, FRAMED_REPORTS, FRAMED_ELSEWHERE },
  { FRAMED_MORE_REFUSALS, FRAMED_MORE_REPORTS, FRAMED_MORE_ELSEWHERE },
]

/** By name: what a file exports comes in another order where files are bundled. */
const sorted = (kinds: Kinds): [string, readonly string[]][] =>
  Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1))

const exemplars = (files: readonly Kinds[], asks: boolean): Exemplar[] =>
  files.flatMap((kinds) =>
    sorted(kinds).flatMap(([name, texts]) => {
      const kind = name.toLowerCase().replaceAll('_', ' ')
      const weight = kind.startsWith('framed') ? FRAMED_WEIGHT : 1
      return texts.map((text) => ({ kind, text, asks, weight }))
    }),
  )

export const EXEMPLARS: readonly Exemplar[] = [...exemplars(REQUESTS, true), ...exemplars(OTHERS, false)]
