// What the rest of Witan sees of accountable sessions.

export * from './agents.ts'
export { findQuote, type Quote, standingClaims, weighQuotes } from './claiming.ts'
export { isApproved, nextJudge, seatNamed } from './critics.ts'
export { statementOf } from './decide.ts'
export { bindingOf } from './decide-acts.ts'
export * from './events.ts'
export { minutesBetween, momentMs } from './moment.ts'
export { type AskedRole, askedFrom, askedPrompt } from './prompts/asked.ts'
export { type Material, type Prompt, SHOWN_BYTES } from './prompts/material.ts'
export {
  artifactsShown,
  councilParts,
  criticPrompt,
  executorPrompt,
  plannerPrompt,
} from './prompts/prompts.ts'
export * from './replies.ts'
export type { Saying } from './said.ts'
export * from './session.ts'
export * from './table.ts'
export * from './task.ts'
