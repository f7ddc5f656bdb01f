// Rounds of deliberation: independent opinions, cross review, and a chair's synthesis, as a protocol over signed
// events. Pure: the clerk performs what is decided here.

export { ASKED_OPINION, ASKED_REPORT, ASKED_REVIEW } from './asked.ts'
export { assembledNow, closingNow, statusOf } from './closing.ts'
export { NO_PACK, PACK, type PackPart, type PackText, REPLY, REQUEST } from './context.ts'
export { ANSWERS, councilProtocol } from './council.ts'
export * from './events.ts'
export { reportOf } from './final-report.ts'
export * from './finding.ts'
export { roundMetrics, sessionMetrics } from './metrics.ts'
export { type Read, readOpinion, readReport, readReview } from './normalise.ts'
export * from './opinion.ts'
export { type PanelReading, panelOpinion } from './panel.ts'
export * from './policy.ts'
export { type Asking, type CouncilPrompt, promptFor } from './prompts/prompt.ts'
export { labelsFor, shownTo, shownToChair } from './prompts/view.ts'
export * from './report.ts'
export {
  type R1Result,
  type R2Result,
  type R3Result,
  r1Result,
  r2Result,
  r3Failures,
  r3Result,
} from './results.ts'
export * from './review.ts'
export { MAX_QUESTION, MAX_SEATS, PAYLOADS } from './schema.ts'
export { endOfRound, followOf } from './sequel.ts'
export { decisionAfter } from './short-circuit.ts'
export { type Stage, stageOf } from './stage.ts'
export { type Convened, type CouncilState, isConvened } from './state.ts'
export { opinionsOf, participants, reviewers, reviewsOf, seatOf } from './table.ts'
export { LEVELS, type Level, type TransparencyRecord, transparencyOf } from './transparency.ts'
