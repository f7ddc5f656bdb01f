// The room of councils under one name, for tests that walk through all of it. The rooms of Witan themselves import
// each file by its own name.

export { ASKED_OPINION } from '../../src/council/asked.ts'
export { assembledNow, closingNow } from '../../src/council/closing.ts'
export { NO_PACK, type PackText } from '../../src/council/context.ts'
export { councilProtocol } from '../../src/council/council.ts'
export * from '../../src/council/events.ts'
export { reportOf } from '../../src/council/final-report.ts'
export * from '../../src/council/finding.ts'
export * from '../../src/council/opinion.ts'
export { panelOpinion } from '../../src/council/panel.ts'
export * from '../../src/council/policy.ts'
export { type Asking, type CouncilPrompt, promptFor } from '../../src/council/prompts/prompt.ts'
export { labelsFor } from '../../src/council/prompts/view.ts'
export * from '../../src/council/report.ts'
export { r1Result, r2Result, r3Result } from '../../src/council/results.ts'
export * from '../../src/council/review.ts'
export { endOfRound, followOf } from '../../src/council/sequel.ts'
export { decisionAfter } from '../../src/council/short-circuit.ts'
export { type Convened, type CouncilState, isConvened } from '../../src/council/state.ts'
export { opinionsOf, seatOf } from '../../src/council/table.ts'
export { transparencyOf } from '../../src/council/transparency.ts'

import { editionNumbered, NEWEST } from '../../src/council/editions.ts'
import { READERS } from '../../src/council/normalise.ts'

export { NEWEST } from '../../src/council/editions.ts'

const reader = READERS[editionNumbered(NEWEST).reader]
export const { opinion: readOpinion, report: readReport, review: readReview } = reader
