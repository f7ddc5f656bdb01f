// Rounds of deliberation: independent opinions, cross review, and a chair's synthesis, as a protocol over signed
// events. Pure: the clerk performs what is decided here.

export { ASKED_OPINION, ASKED_REPORT, ASKED_REVIEW } from './asked.ts'
export { NO_PACK, PACK, type PackPart, type PackText, REPLY, REQUEST } from './context.ts'
export * from './events.ts'
export * from './finding.ts'
export * from './opinion.ts'
export * from './policy.ts'
export * from './report.ts'
export * from './review.ts'
export { AMENDMENT, MAX_QUESTION, MAX_SEATS, PAYLOADS } from './schema.ts'
