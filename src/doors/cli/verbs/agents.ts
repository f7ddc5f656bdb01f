// The commands of `witan agents`: a task is run, and a person sees and answers pending decisions.

import { type Conditions, RISKS } from '../../../agents/task.ts'
import { APPROVAL_MINUTES, decide, type Verdict } from '../../../app/agents/decide.ts'
import { shownFrom } from '../../../app/agents/pending.ts'
import { showPending } from '../../../app/agents/pending-shown.ts'
import { withHome } from '../../../app/home/home.ts'
import { openOrCreateHome, personName } from '../../../app/home/signers.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { MEANS_WORDS } from '../../../ledger/means.ts'
import { decisionsJson, decisionsLines, pendingLines, planLines } from '../../../render/pending.ts'
import { plain, wrap } from '../../../render/plain.ts'
import { proofFor, proofMissing } from '../agents/ask-person.ts'
import { type Call, EXIT, locationOf, type Outcome, usage, type Verb } from '../command.ts'
import { checkOutputs, checkQueueing, queueTrace, requireQueue } from '../run-trace.ts'
import { askPassphrase, confirmHere, isAtTerminal, tellRemoved } from '../terminal.ts'

/** A session from its task to its audit. */
export const run: Verb = async (call) => {
  await checkOutputs(call)
  checkQueueing(call)
  await requireQueue(call)
  const [{ beginSession }, { readTask }, { askTrust }, { follow, runOptions, driveAndPresent }] =
    await Promise.all([
      import('../../../app/agents/session.ts'),
      import('../../../app/agents/task-file.ts'),
      import('../../../app/config/config.ts'),
      import('../agents/running.ts'),
    ])
  const home = await openOrCreateHome(locationOf(call))
  try {
    const manner = runOptions(call)
    const task = await readTask(call.args[0] ?? '', call.home, askTrust(call.home, manner.person))
    const session = await beginSession(home, task, manner)
    if (!call.flag('queue')) return await driveAndPresent(home, session, call)
    await session.close()
    return await queueTrace(home, session.trace, call, follow)
  } finally {
    await home.close()
  }
}

/** Pending decisions, in one session or in all of them, and how to answer them. */
export const pending: Verb = async (call) => {
  const { pendingDecisions } = await import('../../../app/agents/pending.ts')
  const decisions = await pendingDecisions(locationOf(call), call.args[0] ?? null)
  return {
    value: decisionsJson(decisions),
    lines: decisionsLines(decisions, call),
    brief: decisions.pending.map(({ trace, subject }) => `${trace} ${plain(subject)}`),
    exit: EXIT.done,
  }
}

async function nextCommand(call: Call, trace: string): Promise<string> {
  const { isInQueue } = await import('../../../app/queue/queue.ts')
  return (await isInQueue(locationOf(call), trace))
    ? `A worker continues it. Follow it with: witan wait ${trace}`
    : `Go on with: witan resume ${trace}`
}

/** A proposal by hand for a session that waits for one. */
export const propose: Verb = (call) =>
  withHome({ ...locationOf(call), mode: 'write' }, async (home) => {
    const [{ proposeByHand }, { runKitOf }] = await Promise.all([
      import('../../../app/agents/propose.ts'),
      import('../../../app/home/signers.ts'),
    ])
    const [name = '', file = ''] = call.args
    const trace = await findTrace(home.store, name)
    const { proposal, via, removed } = await proposeByHand(runKitOf(home), trace, {
      file,
      revises: call.text('revises'),
      means: async (plan, policy) => {
        if (!isAtTerminal() && !policy.unproven)
          throw proofMissing(policy, 'no terminal to ask a person on', personName())
        if (isAtTerminal()) process.stderr.write(`${planLines(plan, call).join('\n')}\n`)
        return confirmHere('Is that your proposal? [y/N] ')
      },
    })
    tellRemoved(removed, call)
    return {
      value: { trace, proposal, event: 'proposal_created', via },
      lines: [`${plain(proposal)} is proposed in ${trace}, and goes before its critics`],
      brief: [plain(proposal)],
      hints: [await nextCommand(call, trace)],
    }
  })

/** How a host's tools appear here. */
const HOST_NEXT: Partial<Record<Verdict['as'], string>> = {
  approve: 'If the host still waits, it continues; otherwise it makes the same call again.',
  block: 'If the host still waits, it is told. The call does not run.',
}

const decideBy = (call: Call, verdict: Verdict, done: string): Promise<Outcome> =>
  withHome({ ...locationOf(call), mode: 'write' }, async (home) => {
    const [name = '', subject = null] = call.args
    const path = call.text('key')
    const trace = await findTrace(home.store, name)
    const decided = await decide(home, trace, {
      subject,
      verdict,
      name: call.text('by') ?? personName(),
      keyFile: path === null ? null : { path, askPassphrase },
      means: async ({ pending: asked, state }, agent, key) => {
        const about = await showPending(asked, state, await shownFrom(home, trace))
        const shown = [
          ...pendingLines(about, state, call),
          `${plain(agent)}: ${done} ${plain(asked.subject)}`,
        ]
        const policy = state.task?.policy
        return policy ? proofFor(policy, key, { name: agent, shown }) : 'none'
      },
    })
    const { removed, ...value } = decided
    tellRemoved(removed, call)
    const { by, via } = value
    const { isOfHost } = await import('../../../app/attach/close-session.ts')
    const next =
      ((await isOfHost(home, trace)) ? HOST_NEXT[verdict.as] : null) ?? (await nextCommand(call, trace))
    return {
      value,
      lines: [
        wrap(`${plain(by)} ${done} ${plain(value.subject)} in ${trace}, ${MEANS_WORDS[via]}`, 2, call.width),
      ],
      brief: [],
      hints: [next],
    }
  })

/** Approves one intent, once and for a limited time; or a proposal. */
export const approve: Verb = async (call) => {
  const minutes = call.count('minutes') ?? APPROVAL_MINUTES
  if (minutes === 0)
    throw usage('an approval for 0 minutes allows nothing', 'Leave --minutes out, or give more.')
  const conditions = conditionsOf(call)
  const done = conditions ? `approved on conditions (${JSON.stringify(conditions)})` : 'approved'
  const reason = call.text('reason') ?? 'approved'
  return decideBy(call, { as: 'approve', minutes, reason, ...(conditions && { conditions }) }, done)
}

/** Null where none are named. */
function conditionsOf(call: Call): Conditions | null {
  const [tools, steps] = [call.texts('tool'), call.texts('step')]
  const risk = RISKS.find((one) => one === call.text('max-risk'))
  if (tools.length === 0 && steps.length === 0 && risk === undefined) return null
  return {
    ...(tools.length > 0 && { tools }),
    ...(steps.length > 0 && { steps }),
    ...(risk && { max_risk: risk }),
  }
}

/** Says that a claim does not hold: it is revised, or withdrawn. */
export const challenge: Verb = (call) => {
  const ground = call.text('ground') === 'contradicted' ? 'contradicted' : 'weak'
  return decideBy(call, { as: 'challenge', ground, reason: call.text('reason') ?? '' }, 'challenged')
}

/** Blocks one intent, or rejects a proposal; the reason goes back for revision. */
export const block: Verb = (call) =>
  decideBy(call, { as: 'block', reason: call.text('reason') ?? '' }, 'blocked')

/**
 * A person states the outcome of an interrupted call: it counts as failed, or the same is to be intended again.
 * Nothing is ever run a second time by itself.
 */
export const resolve: Verb = (call) => {
  const as = call.text('as') === 'again' ? 'again' : 'failed'
  return decideBy(call, { as, reason: call.text('reason') ?? '' }, `resolved (${as})`)
}
