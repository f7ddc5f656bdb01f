// The claim of an attached session, made only of folded state: how many calls the host made and how they
// ended. Its evidence is the input of each call. It does not claim that nothing else happened: a host can act
// without calling its hooks.

import type { Intent, SessionState } from '../state.ts'
import type { Task } from '../task.ts'
import { hostOf } from './attached.ts'

/** At most this many inputs are quoted, beginning with the first. */
const MOST = 500

const counted = (number: number, one: string, many: string): readonly string[] =>
  number === 0 ? [] : [number === 1 ? `1 ${one}` : `${number} ${many}`]

interface QuotedInput {
  readonly artifacts: readonly string[]
  readonly quote: string
}

function quotedInputs(intents: readonly Intent[]): readonly QuotedInput[] {
  const inputs = new Map<string, QuotedInput>()
  for (const { inputHash, quote } of intents) {
    if (inputs.size >= MOST) break
    if (quote !== null && !inputs.has(inputHash)) inputs.set(inputHash, { artifacts: [inputHash], quote })
  }
  return [...inputs.values()]
}

export function attachedClaim(
  state: SessionState,
  task: Task,
): { readonly text: string; readonly evidence: readonly QuotedInput[] } {
  const intents = [...state.intents.values()]
  const among = (...statuses: readonly string[]): number =>
    intents.filter(({ status }) => statuses.includes(status)).length
  const parts = [
    ...counted(among('completed'), 'completed', 'completed'),
    ...counted(among('failed'), 'failed', 'failed'),
    ...counted(among('blocked'), 'was blocked', 'were blocked'),
    ...counted(among('void', 'signed'), 'was never started', 'were never started'),
    ...counted(
      among('indeterminate', 'lost', 'started'),
      'has an unknown outcome',
      'have an unknown outcome',
    ),
  ]
  const [calls = 'no tool call'] = counted(intents.length, 'tool call', 'tool calls')
  const gaps = counted(state.gaps.length, 'gap is recorded', 'gaps are recorded').map((words) => ` ${words}.`)
  const gated = task.policy.observe ? ' Nothing was gated.' : ''
  const made = `${hostOf(task)}, as it says, announced ${calls}`
  return { text: `${made}: ${parts.join(', ')}.${gaps.join('')}${gated}`, evidence: quotedInputs(intents) }
}
