// Which critics judge what. The policy comes first and always judges. Which others judge follows from its
// decision, never from what the executor says about its own intent. All required critics must approve, one
// after the other; later ones are not asked about what is already blocked.

import { editionOf } from './editions.ts'
import type { Payloads } from './events.ts'
import { type Intent, type Opinion, opinionKey, type SessionState } from './state.ts'
import { type CriticSeat, isOver, type Plan, type Risk, type Task } from './task.ts'

/** Replaces the person that a policy requires, where the task names no person. */
const ANYONE: CriticSeat = { seat: 'human', kind: 'human', agent: null, key: null }

export const policySeat = (task: Task): CriticSeat =>
  task.roles.critics.find(({ kind }) => kind === 'policy') ?? { ...ANYONE, seat: 'policy', kind: 'policy' }

export const seatNamed = (task: Task, name: string): CriticSeat | undefined =>
  task.roles.critics.find(({ seat }) => seat === name) ?? (name === ANYONE.seat ? ANYONE : undefined)

const without = (task: Task, ...kinds: readonly CriticSeat['kind'][]): readonly CriticSeat[] =>
  task.roles.critics.filter(({ kind }) => !kinds.includes(kind))

/** Whether a plan may come to acts of the risk from which on a council is asked. */
function needsCouncil({ tools, policy }: Task, { required_tools, steps = [] }: Plan): boolean {
  const offered = tools.filter(({ name }) => required_tools.includes(name)).map(({ risk }) => risk)
  const stepRisks = steps.flatMap(({ risk }): readonly Risk[] => (risk === undefined ? [] : [risk]))
  return [...offered, ...stepRisks].some((risk) => !isOver(policy.council_from, risk))
}

/** Of a proposal. In the first edition a council reviews single acts only. */
export function reviewersOf(task: Task, plan: Plan): readonly CriticSeat[] {
  const isHeard = editionOf(task).critics === 2 && needsCouncil(task, plan)
  return isHeard ? task.roles.critics : without(task, 'council')
}

/** Of a claim. In the first edition a person may challenge a claim, and the session does not wait for it. */
export const claimJudges = (task: Task): readonly CriticSeat[] =>
  editionOf(task).critics === 2 ? without(task, 'council') : without(task, 'council', 'human')

type Assessment = Payloads['intent_assessed']

/** Of an intent. What the policy refers to the critics needs a critic other than the policy. */
export function judgesOf(task: Task, { decision, needs, risk }: Assessment): readonly CriticSeat[] {
  const policy = policySeat(task)
  if (decision === 'deny' || needs === 'none') return [policy]
  const isAsked = ({ kind }: CriticSeat): boolean =>
    kind !== 'policy' && (kind !== 'council' || !isOver(task.policy.council_from, risk))
  const others = task.roles.critics.filter(isAsked)
  const hasHuman = others.some(({ kind }) => kind === 'human')
  const wantsHuman = needs === 'human' || others.length === 0
  return [policy, ...others, ...(wantsHuman && !hasHuman ? [ANYONE] : [])]
}

/** Only a chair's adoption without open severe points approves; everything else blocks. */
export const councilApproves = (councilHeard: Payloads['council_heard']): boolean =>
  councilHeard.decision === 'adopt' && councilHeard.unresolved_high === 0 && !councilHeard.degraded

export const councilReasons = ({ reasons, decision }: Payloads['council_heard']): readonly string[] =>
  reasons.length > 0 ? reasons : [`the council decided: ${decision ?? 'nothing'}`]

export const opinionOf = (
  state: SessionState,
  subject: string,
  seat: string,
  round: number,
): Opinion | undefined => state.opinions.get(opinionKey(subject, seat, round))

/** The critic whose verdict on this intent is due next; null when all have approved, or none is due. */
export function nextJudge(task: Task, intent: Intent): CriticSeat | null {
  if (!intent.assessment || intent.status !== 'signed') return null
  const approved = intent.approvals.map(({ seat }) => seat)
  return judgesOf(task, intent.assessment).find(({ seat }) => !approved.includes(seat)) ?? null
}

export const isApproved = (task: Task, intent: Intent): boolean =>
  intent.assessment !== null && intent.status === 'signed' && nextJudge(task, intent) === null

const VERDICTS = { approve: 'approved', conditional: 'conditional', reject: 'rejected' } as const

/** A model's verdict on a proposal, from its opinion of it; a model that failed rejects. */
export function reviewBy(opinion: Opinion): Pick<Payloads['proposal_reviewed'], 'verdict' | 'conditions'> {
  if (opinion === 'failed') return { verdict: 'rejected', conditions: {} }
  const { verdict, conditions = {} } = opinion
  return { verdict: VERDICTS[verdict], conditions: verdict === 'conditional' ? conditions : {} }
}

export const reasonsOf = (opinion: Opinion): readonly string[] =>
  opinion === 'failed' ? ['the critic did not answer'] : opinion.reasons
