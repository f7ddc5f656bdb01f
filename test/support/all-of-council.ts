// The room of councils under one name, for tests that walk through all of it. The rooms of Witan themselves import
// each file by its own name.

export { assembledNow, closingNow } from '../../src/council/closing.ts'
export { NO_PACK, type PackText } from '../../src/council/context.ts'
export { councilProtocol } from '../../src/council/council.ts'
export { editionOf, NEWEST } from '../../src/council/editions.ts'
export * from '../../src/council/events.ts'
export { endOfRound, followOf } from '../../src/council/follow-up.ts'
export * from '../../src/council/policy.ts'
export { type Completes, shownBefore } from '../../src/council/prompts/completing.ts'
export { type Asking, type CouncilPrompt, promptFor } from '../../src/council/prompts/prompt.ts'
export { labelsFor } from '../../src/council/prompts/shown-opinions.ts'
export { concludeReply, missingIn } from '../../src/council/replies/conclude.ts'
export * from '../../src/council/replies/finding.ts'
export { readOpinion, readReport, readReview } from '../../src/council/replies/normalise.ts'
export * from '../../src/council/replies/opinion.ts'
export { panelOpinion } from '../../src/council/replies/panel-opinion.ts'
export * from '../../src/council/replies/review.ts'
export { ASKED_OPINION } from '../../src/council/replies/schemas.ts'
export { reportOf } from '../../src/council/report/final-report.ts'
export * from '../../src/council/report/report.ts'
export { transparencyOf } from '../../src/council/report/transparency.ts'
export { r1Result, r2Result, r3Result } from '../../src/council/result.ts'
export { opinionsOf, seatOf } from '../../src/council/seat-ids.ts'
export { decisionAfter } from '../../src/council/short-circuit/short-circuit.ts'
export { joinedNow } from '../../src/council/size/join.ts'
export {
  type CouncilState,
  isOpenedCouncil,
  type OpenedCouncil,
  pendingOf,
} from '../../src/council/state.ts'
