// `witan agents pending`: what waits for a person, in one session or in all of them, and how to answer it.

import { AGENTS_PROTOCOL } from '../../../agents/agents.ts'
import { PROOF_WORDS } from '../../../agents/proof.ts'
import type { Proof } from '../../../agents/task.ts'
import type { Json } from '../../../ledger/canonical.ts'
import { isWitanError } from '../../../ledger/errors.ts'
import { commandsFor, type Deciders, decidersOf } from '../../agents/commands-for.ts'
import { bookOf, type Pending, pendingIn } from '../../agents/decision.ts'
import { pendingLines } from '../../agents/pending-lines.ts'
import { type Home, withHome } from '../../home.ts'
import type { Call, Verb } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { plain } from '../plain.ts'
import { findTrace } from '../trace-name.ts'

interface Waiting extends Pending {
  readonly trace: string
  /** What is asked about, in words. */
  readonly about: readonly string[]
  /** The same for a terminal, with everything it entails. */
  readonly shown: readonly string[]
  /** What shows that a person decides it; null where no person's key is asked for. */
  readonly proof: Proof | null
}

async function tracesOf(home: Home, name: string | undefined): Promise<readonly string[]> {
  if (name !== undefined) return [await findTrace(home.vault, name)]
  const traces = await home.vault.traces()
  return traces.filter(({ protocol }) => protocol === AGENTS_PROTOCOL).map(({ trace }) => trace)
}

async function waitingIn(home: Home, trace: string, call: Call): Promise<readonly Waiting[]> {
  const book = await bookOf(home.office, trace)
  const { intents, proposals, task } = book.state.inner
  return pendingIn(book).map((pending) => {
    const intent = intents.get(pending.subject)
    const proposal = proposals.get(pending.subject)
    const words = (input: Json | null): string => (input === null ? 'erased' : JSON.stringify(input))
    const about = intent
      ? [
          `${intent.tool} ${words(intent.input)}`,
          `risk ${intent.assessment?.risk ?? intent.risk}: ${intent.justification}`,
        ]
      : [proposal?.plan.objective ?? task?.objective ?? '']
    const proof = pending.kind === 'propose' ? null : (task?.policy.approval_proof ?? 'terminal')
    return { ...pending, trace, about, shown: pendingLines(pending, book, call), proof }
  })
}

function linesOf(
  { shown, proof, ...waiting }: Waiting,
  deciders: Deciders,
  { paint }: Call,
): readonly string[] {
  const { trace, action } = waiting
  return [
    ...shown,
    `${paint.dim(trace)} waits for ${plain(action.waitsFor ?? 'someone')}`,
    ...(proof ? [`  counts by: ${PROOF_WORDS[proof]}`] : []),
    ...commandsFor(waiting, deciders).map((command) => paint.dim(`  ${command}`)),
  ]
}

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const waiting: Waiting[] = []
    const unread: string[] = []
    const [name] = call.args
    const deciders = await decidersOf(home, await home.registrar())
    for (const trace of await tracesOf(home, name)) {
      try {
        waiting.push(...(await waitingIn(home, trace, call)))
      } catch (error) {
        // A session of a newer release does not keep the others from being shown.
        if (name !== undefined || !isWitanError(error, 'EDITION_UNKNOWN')) throw error
        unread.push(error.message)
      }
    }
    const value = waiting.map((one) => ({
      trace: one.trace,
      action: one.action.id,
      subject: one.subject,
      waits_for: one.action.waitsFor ?? null,
      about: one.about,
      commands: commandsFor(one, deciders),
    }))
    return {
      value: { pending: value },
      lines: [
        ...(waiting.length === 0
          ? ['Nothing waits for anybody.']
          : waiting.flatMap((one) => linesOf(one, deciders, call))),
        ...unread,
      ],
      brief: waiting.map(({ trace, subject }) => `${trace} ${plain(subject)}`),
      exit: EXIT.done,
    }
  })
