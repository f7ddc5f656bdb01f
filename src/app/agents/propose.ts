// A proposal by hand, where no one else would continue: read from a file in the form of a task, and signed by
// the planner's seat like a written plan. The record says that a person made it, so that it is not mistaken
// for a model's.

import { isAttached } from '../../agents/attached/attached.ts'
import { planFault } from '../../agents/proposal-progress.ts'
import type { Plan, PolicyInForce } from '../../agents/task.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import { readDocument } from '../config/read.ts'
import { readSmallFile } from '../home/files.ts'
import type { Typed } from '../person.ts'
import type { Storage } from '../storage.ts'
import { openLog, type Pending, pendingIn, type SessionLog } from './decide.ts'
import { planOf } from './open-session.ts'
import { proposalShape, type WrittenProposal } from './task-schema.ts'
import { withoutSecretsInProposal } from './task-words.ts'

const isToolInput = (key: string): boolean => /^steps\[\d+\]\.input$/.test(key)

async function planIn(file: string): Promise<WrittenProposal> {
  const { value } = await readDocument(file, await readSmallFile(file), proposalShape, {
    isFree: isToolInput,
  })
  return value
}

async function cleaned(written: WrittenProposal): Promise<Typed<Plan>> {
  const { value, removed } = await withoutSecretsInProposal(written)
  return { value: planOf(value), removed }
}

/** The last rejected proposal that has no replacement yet. */
function lastRejected({ state }: SessionLog): string | null {
  const proposals = [...state.inner.proposals.values()]
  const open = proposals.filter(
    ({ id, status }) => status === 'rejected' && !proposals.some(({ revises }) => revises === id),
  )
  return open.at(-1)?.id ?? null
}

/** The proposal with a blocked step. */
function revisedBy({ action }: Pending): string | null {
  const { revises } = action.input
  return typeof revises === 'string' ? revises : null
}

/** Whether a person confirmed it at a terminal, or through a host. */
type Said = 'terminal' | 'none' | 'host'

export interface ByHand {
  /** A file that holds it, or the proposal itself. */
  readonly file: string | WrittenProposal
  /** Which proposal it replaces; by default the last rejected one. */
  readonly revises: string | null
  /** How this plan is attributed. */
  readonly means: (plan: Plan, policy: PolicyInForce) => Promise<Said>
}

/** The id of the new proposal, how it is attributed, and how many secrets were removed from it. */
export async function proposeByHand(
  { ports, registerSigners }: Pick<Storage, 'ports' | 'registerSigners'>,
  trace: string,
  { file, revises, means }: ByHand,
): Promise<{ readonly proposal: string; readonly via: Said; readonly removed: number }> {
  const log = await openLog(ports, trace)
  if (log.state.inner.task && isAttached(log.state.inner.task)) {
    const next =
      'Attach the host again with --order for the sessions to come, or close this one: witan agents close'
    throw new WitanError(
      'USAGE',
      `${log.trace} is of an attached host: its standing order is its only proposal`,
      next,
    )
  }
  const registrar = await registerSigners([{ agent: 'planner', roles: ['planner'] }])
  const { value: plan, removed } = await cleaned(typeof file === 'string' ? await planIn(file) : file)
  const { task } = log.state.inner
  const waiting = pendingIn(log).find(({ kind, action }) => kind === 'propose' && action.input.by_hand)
  if (!task || !waiting) {
    const next = 'See `witan agents pending`. A new task is run with `witan agents run`.'
    throw new WitanError('USAGE', `${log.trace} does not wait for a proposal`, next)
  }
  const fault = planFault(task, plan)
  if (fault !== null) {
    const tools = task.tools.map(({ name }) => name).join(', ')
    throw new WitanError(
      'CONFIG_INVALID',
      `${typeof file === 'string' ? `${file}: ` : ''}${fault}`,
      `This session has: ${tools || 'no tools'}.`,
    )
  }
  const via = await means(plan, task.policy)
  const payload = asJsonObject({
    action: waiting.action.id,
    proposal: waiting.subject,
    revises: revises ?? revisedBy(waiting) ?? lastRejected(log),
    ...plan,
    via,
  })
  const actor = registrar.actor(task.roles.planner.agent, 'planner')
  await log.append([{ type: 'proposal_created', actor, payload }])
  return { proposal: waiting.subject, via, removed }
}
