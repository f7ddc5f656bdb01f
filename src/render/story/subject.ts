// What a trace is about, in one line, from what its first event says.

import type { CouncilOpened } from '../../council/events.ts'
import type { EvalOpened, OutcomeRecorded } from '../../eval/events.ts'
import type { Payload } from '../../ledger/event.ts'
import { forkPointOf } from '../../ledger/fork.ts'
import { basisOf } from '../report/document.ts'
import { ifReadable, inOneLine } from './story-line.ts'

const SUBJECTS: Readonly<Record<string, (payload: never) => string>> = {
  council_opened: ({ mode, question, context }: CouncilOpened) =>
    mode === 'review' && context.kind !== 'none' ? `review of ${basisOf(context)}` : question,
  session_initialized: ({ objective }: { readonly objective: string }) => objective,
  eval_opened: ({ set, primary }: EvalOpened) => `${primary.arm} against ${primary.against} on ${set.name}`,
  outcome_recorded: ({ council, outcome, note }: OutcomeRecorded) =>
    `${council.trace} turned out ${outcome ?? 'as noted'}${note === '' ? '' : `: ${note}`}`,
  exchange_opened: ({ terms }: { readonly terms: { readonly pool: { readonly prompt: string } } }) =>
    terms.pool.prompt,
  registry_opened: () => 'keys and checkpoints',
}

/** Null where it says nothing that could be shown so. */
export function subjectOf(type: string, payload: Payload): string | null {
  const parent = forkPointOf(payload)
  if (parent) return `goes on from event ${parent.seq} of ${parent.trace}`
  const subject = Object.hasOwn(SUBJECTS, type) ? SUBJECTS[type] : undefined
  return subject ? ifReadable(() => inOneLine(subject(payload as never))) : null
}
