// The room of accountable sessions under one name, for tests that walk through all of it.

export * from '../../src/agents/agents.ts'
export { checkQuotes, findQuote } from '../../src/agents/claiming.ts'
export { NEWEST } from '../../src/agents/editions.ts'
export * from '../../src/agents/events.ts'
export * from '../../src/agents/lifecycle.ts'
export { askedPrompt } from '../../src/agents/prompts/choose-prompt.ts'
export type { Asked, Prompt } from '../../src/agents/prompts/material.ts'
export { criticPrompt, executorPrompt, plannerPrompt } from '../../src/agents/prompts/prompts.ts'
export * from '../../src/agents/replies.ts'
export type { RecordInput } from '../../src/agents/signable-actions.ts'
export * from '../../src/agents/state.ts'
export * from '../../src/agents/task.ts'
