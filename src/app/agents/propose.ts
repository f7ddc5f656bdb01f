// A proposal by hand, where nobody else would go on: read from a file as it would stand in a task, and signed by the
// planner's seat as a written plan is. It says that a person made it, so that nobody takes it for a mind's.

import { planFault } from '../../agents/proposal-progress.ts'
import type { Plan, PolicyInForce } from '../../agents/task.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import { readDocument } from '../config/read.ts'
import { readSmallFile } from '../home/files.ts'
import type { Said } from '../place.ts'
import { pendingIn, type SessionLog } from './decide.ts'
import { planOf } from './open-session.ts'
import { proposalShape } from './task-schema.ts'

const isToolInput = (key: string): boolean => /^steps\[\d+\]\.input$/.test(key)

async function planIn(file: string): Promise<Plan> {
  const { value } = await readDocument(file, await readSmallFile(file), proposalShape, {
    isFree: isToolInput,
  })
  return planOf(value)
}

/** The last that was rejected and that nothing stands in for yet. */
function lastRejected({ state }: SessionLog): string | null {
  const proposals = [...state.inner.proposals.values()]
  const open = proposals.filter(
    ({ id, status }) => status === 'rejected' && !proposals.some(({ revises }) => revises === id),
  )
  return open.at(-1)?.id ?? null
}

export interface ByHand {
  readonly file: string
  /** Which proposal it stands in for; by default the last that was rejected. */
  readonly revises: string | null
  /** How it is said, of this plan. */
  readonly means: (plan: Plan, policy: PolicyInForce) => Promise<Said>
}

/** The id of what was proposed, and how that was said. */
export async function proposeByHand(
  registrar: Registrar,
  log: SessionLog,
  { file, revises, means }: ByHand,
): Promise<{ readonly proposal: string; readonly via: Said }> {
  const plan = await planIn(file)
  const { task } = log.state.inner
  const waiting = pendingIn(log).find(({ kind, action }) => kind === 'propose' && action.input.by_hand)
  if (!task || !waiting) {
    const next = 'See `witan agents pending`. A new task is run with `witan agents run`.'
    throw new WitanError('USAGE', `${log.trace} does not wait for a proposal`, next)
  }
  const fault = planFault(task, plan)
  if (fault !== null) {
    const tools = task.tools.map(({ name }) => name).join(', ')
    throw new WitanError('CONFIG_INVALID', `${file}: ${fault}`, `This session has: ${tools || 'no tools'}.`)
  }
  const via = await means(plan, task.policy)
  const payload = asJsonObject({
    action: waiting.action.id,
    proposal: waiting.subject,
    revises: revises ?? lastRejected(log),
    ...plan,
    via,
  })
  const actor = registrar.actor(task.roles.planner.agent, 'planner')
  await log.append([{ type: 'proposal_created', actor, payload }])
  return { proposal: waiting.subject, via }
}
