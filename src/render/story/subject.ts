// The subject of a trace, in one line, from its first event.

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

/** Null where it contains nothing that could be shown. */
export function subjectOf(type: string, payload: Payload): string | null {
  const parent = forkPointOf(payload)
  if (parent) return `continues from event ${parent.seq} of ${parent.trace}`
  const subject = Object.hasOwn(SUBJECTS, type) ? SUBJECTS[type] : undefined
  return subject ? ifReadable(() => inOneLine(subject(payload as never))) : null
}

interface Opened {
  readonly trace: string
  readonly opening: { readonly type: string; readonly payload: Payload } | null
}

/** Longer chains of forks are not followed for a title. */
const DEEPEST = 64

/** A fork has the subject of its oldest ancestor among these traces. */
export function rootSubjectOf({ trace, opening }: Opened, all: ReadonlyMap<string, Opened>): string | null {
  let at = opening
  for (let depth = 0; depth < DEEPEST; depth++) {
    const parent = at && forkPointOf(at.payload)
    const next = parent && parent.trace !== trace ? all.get(parent.trace)?.opening : null
    if (!next) break
    at = next
  }
  return at && subjectOf(at.type, at.payload)
}
