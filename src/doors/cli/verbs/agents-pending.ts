// `witan agents pending`: what waits for a person, in one session or in all of them, and how to answer it.

import { AGENTS_PROTOCOL } from '../../../agents/agents.ts'
import { PROOF_WORDS } from '../../../agents/approval-proof.ts'
import type { Proof } from '../../../agents/task.ts'
import { logOf, type Pending, pendingIn } from '../../../app/agents/decide.ts'
import { commandsFor, type Deciders, decidersOf } from '../../../app/agents/next-commands.ts'
import { type Home, withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import type { Json } from '../../../ledger/canonical.ts'
import { isWitanError } from '../../../ledger/errors.ts'
import { pendingLines } from '../../../render/pending.ts'
import { plain } from '../../../render/plain.ts'
import type { Call, Verb } from '../command.ts'
import { EXIT } from '../exit-codes.ts'

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
  if (name !== undefined) return [await findTrace(home.store, name)]
  const traces = await home.store.traces()
  return traces.filter(({ protocol }) => protocol === AGENTS_PROTOCOL).map(({ trace }) => trace)
}

async function waitingIn(home: Home, trace: string, call: Call): Promise<readonly Waiting[]> {
  const log = await logOf(home.ports, trace)
  const { intents, proposals, task } = log.state.inner
  return pendingIn(log).map((pending) => {
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
    return { ...pending, trace, about, shown: pendingLines(pending, log, call), proof }
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
