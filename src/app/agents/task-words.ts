// Removes secrets from the text of a task and of plans that people wrote. The input of a step is recorded and
// passed to the tool exactly as written, since the policy judges it exactly and the tool needs it so.

import { type Typed, withoutTypedSecrets } from '../person.ts'
import type { TaskOnRecord, WrittenProposal } from './task-schema.ts'

const wordsOf = ({ steps, ...words }: WrittenProposal): WrittenProposal => ({
  ...words,
  ...(steps && { steps: steps.map(({ input: _, ...step }) => step) }),
})

const withInputs = (
  cleaned: WrittenProposal,
  { steps: givenSteps = [] }: WrittenProposal,
): WrittenProposal => ({
  ...cleaned,
  ...(cleaned.steps && {
    steps: cleaned.steps.map((step, i) => {
      const input = givenSteps[i]?.input
      return input === undefined ? step : { ...step, input }
    }),
  }),
})

export async function withoutSecretsInTask(task: TaskOnRecord): Promise<Typed<TaskOnRecord>> {
  const { objective, constraints = [], proposals } = task
  const words = { objective, constraints, ...(proposals && { proposals: proposals.map(wordsOf) }) }
  const { value, removed } = await withoutTypedSecrets(words)
  if (removed === 0) return { value: task, removed }
  const plans = proposals?.map((proposal, i) => withInputs(value.proposals?.[i] ?? proposal, proposal))
  return { value: { ...task, ...value, ...(plans && { proposals: plans }) }, removed }
}

export async function withoutSecretsInProposal(proposal: WrittenProposal): Promise<Typed<WrittenProposal>> {
  const { value, removed } = await withoutTypedSecrets(wordsOf(proposal))
  return { value: withInputs(value, proposal), removed }
}
