// What is at stake, according to the seats that answered. A topic is of low risk only if every opinion says
// so and none says otherwise in its own confidence or risks: a model that is unsure, or sees harm, has not
// said that little can happen. Words of the question can raise the class and never lower it.

import type { Criteria } from '../events.ts'
import { isSevere } from '../replies/finding.ts'
import { type CouncilOpinion, UNSTATED } from '../replies/opinion.ts'
import { voicesOf } from '../seat-ids.ts'
import type { OpenedCouncil } from '../state.ts'
import { riskInSixLanguages } from './risk.ts'

const seesHarm = ({ risks, findings }: CouncilOpinion): boolean =>
  [...risks, ...findings].some(({ severity }) => isSevere(severity))

const doubtsIn = (opinion: CouncilOpinion): readonly string[] => [
  ...(opinion.stakes === 'low' ? [] : [`${opinion.id}: stakes ${opinion.stakes ?? UNSTATED}`]),
  ...(opinion.confidence === 'low' ? [`${opinion.id}: low confidence`] : []),
  ...(seesHarm(opinion) ? [`${opinion.id}: a severe risk`] : []),
]

/** Not where much is at stake, where an opinion does not say, or where one is unsure: agreement proves nothing there. */
export const maySkipReview = (state: OpenedCouncil, risk: Criteria['risk']): boolean =>
  risk.class !== 'high' &&
  voicesOf(state).every(({ stakes = UNSTATED, confidence }) => stakes !== UNSTATED && confidence !== 'low')

export function riskByStakes(state: OpenedCouncil): Criteria['risk'] {
  const voices = voicesOf(state)
  const { class: byWords, words } = riskInSixLanguages(state)
  const doubts = voices.flatMap(doubtsIn)
  const isHigh = byWords === 'high' || voices.some((each) => each.stakes === 'high' || seesHarm(each))
  const isLow = byWords === 'low' && voices.length > 0 && doubts.length === 0
  return { class: isHigh ? 'high' : isLow ? 'low' : 'medium', words, doubts }
}
