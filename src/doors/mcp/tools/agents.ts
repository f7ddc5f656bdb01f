// Sessions of agents inside a host. The host runs tasks and sees what is pending; it never decides: an
// approval is a person's, requested through the host where the home allows that, otherwise typed at a
// terminal.

import type { InputRequiredResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Conditions, RISKS } from '../../../agents/task.ts'
import {
  APPROVAL_MINUTES,
  decide,
  openLog,
  pendingNamed,
  type SessionLog,
} from '../../../app/agents/decide.ts'
import { commandsFor, pendingDecisions, shownFrom } from '../../../app/agents/pending.ts'
import { type PendingShown, showPending } from '../../../app/agents/pending-shown.ts'
import { proposeByHand } from '../../../app/agents/propose.ts'
import {
  beginSession,
  forkSession,
  resumeSession,
  type Session as Sitting,
} from '../../../app/agents/session.ts'
import { readTask } from '../../../app/agents/task-file.ts'
import { type Home, withHome } from '../../../app/home/home.ts'
import { openOrCreateHome, personName, runKitOf } from '../../../app/home/signers.ts'
import { NO_PERSON } from '../../../app/person.ts'
import { SHORT_GRACE_MS, stoppedBy } from '../../../app/run.ts'
import { MEANS_WORDS } from '../../../ledger/means.ts'
import { decisionsJson, decisionsLines, planLines } from '../../../render/pending.ts'
import { removedLine } from '../../../render/preview.ts'
import { eventLine, followActs, sessionHints, sessionJson, sessionLines } from '../../../render/session.ts'
import { CONVENED_BY, readSettings } from '../council/convene.ts'
import { fileInside } from '../inside-folder.ts'
import { personMustType } from '../left-to-person.ts'
import { isQuestion } from '../person-at-host.ts'
import { type RunHandle, underWayAnswer } from '../runs.ts'
import { type Answer, findTrace, type Kit, locationOf, PAGE, type Session, tool } from '../tool.ts'

const trace = z.string().min(1).max(64)
const wait = z.boolean().optional().describe('false: return the trace id at once')
const NOT_YET = new Error('no person has answered yet')

/** What is run: the task of a file, a recorded session, or a session from one of its events. */
interface Work {
  readonly file: string | null
  readonly id: string | null
  readonly after: number | null
}

/** There is no person here. */
async function open(home: Home, kit: Kit, { file, id, after }: Work) {
  const manner = { settings: () => readSettings(kit), person: NO_PERSON, consented: false, task: file }
  if (id !== null && after !== null) return forkSession(home, id, { ...manner, after })
  if (id !== null) return resumeSession(home, id, manner)
  return beginSession(home, await readTask(file ?? '', kit.home), { ...manner, operator: CONVENED_BY })
}

async function carryOn(session: Sitting, { signal, tell }: RunHandle): Promise<Answer> {
  const { trace, removed } = session
  if (removed > 0) tell(removedLine(removed))
  const acts = followActs()
  const end = await session.drive({
    signal,
    grace: SHORT_GRACE_MS,
    hear: (event) => {
      const line = eventLine(event, PAGE, acts)
      if (line !== null) tell(line)
    },
  })
  if (end.status === 'interrupted') throw stoppedBy('the host', trace)
  const outcome = await session.outcome(end)
  const text = [...sessionLines(outcome, PAGE), ...sessionHints(outcome)].join('\n')
  return { value: sessionJson(outcome), text }
}

/** Runs under the host's control. */
const work =
  ({ kit }: Session, wanted: Work) =>
  async (reins: RunHandle): Promise<Answer> => {
    const home = await openOrCreateHome(locationOf(kit))
    try {
      if (wanted.id !== null && wanted.after === null) reins.begun(wanted.id)
      const session = await open(home, kit, wanted)
      try {
        reins.begun(session.trace)
        return await carryOn(session, reins)
      } finally {
        await session.close()
      }
    } finally {
      await home.close()
    }
  }

const agentsRun = tool({
  name: 'agents_run',
  title: 'Run a task',
  description:
    'Run a task file of the working folder from plan to audit, continue a session that had to wait, or fork one.',
  input: z.object({
    task: z.string().min(1).max(500).optional().describe('file in the working folder'),
    trace: trace.optional().describe('a session to continue, or to follow'),
    after: z.int().min(0).optional().describe('begin a new one as that stood after this event'),
    wait,
  }),
  readOnly: false,
  async run({ task, trace: name, after = null, wait: waits = true }, session) {
    const { kit } = session
    const id = name === undefined ? null : await findTrace(kit, name)
    const file = id === null || task !== undefined ? await fileInside(process.cwd(), task ?? '') : null
    const ongoing = id === null || after !== null ? null : kit.runs.get(id)
    const run = ongoing ?? kit.runs.begin(work(session, { file, id, after }))
    if (waits) return run.attend(session)
    const known = await run.trace
    return underWayAnswer(known, `Look in with agents_run ${known}, agents_pending or trace_show.`)
  },
})

const agentsPending = tool({
  name: 'agents_pending',
  title: 'What waits for a person',
  description: 'What waits for a person in one session or in all, and what they would type.',
  input: z.object({ trace: trace.optional() }),
  readOnly: true,
  async run({ trace: name }, { kit }) {
    const id = name === undefined ? null : await findTrace(kit, name)
    const decisions = await pendingDecisions(locationOf(kit), id)
    return { value: decisionsJson(decisions), text: decisionsLines(decisions, PAGE).join('\n') }
  },
})

/** What the person is shown: exactly what an approval would be bound to. */
function linesOf(
  log: SessionLog,
  { kind, subject, tool: name, input, diff, reason, policy, plan, claim }: PendingShown,
  conditions: Conditions | null,
): readonly string[] {
  const { task } = log.state.inner
  const session = `Session ${log.trace}: ${task?.objective ?? ''}`
  if (name !== null)
    return [
      session,
      `Allow ${subject}: ${name} ${JSON.stringify(input)}`,
      ...(diff ?? []),
      `Risk ${policy?.risk ?? 'unknown'}; it says: ${reason}`,
    ]
  if (claim)
    return [
      session,
      `Let ${subject} stand: ${claim.text}`,
      ...claim.evidence.map(({ quote }) => `“${quote}”`),
    ]
  return [
    session,
    `Allow the ${kind} of ${subject}: ${JSON.stringify(plan)}`,
    ...(conditions ? [`Only on these conditions: ${JSON.stringify(conditions)}`] : []),
  ]
}

const APPROVABLE: readonly string[] = ['judge', 'review', 'weigh']
const SAID: Readonly<Record<string, string>> = {
  intent_approved: 'approved',
  intent_blocked: 'blocked',
  claim_accepted: 'accepted',
  claim_challenged: 'challenged',
}

const saidOf = (event: string, word: 'yes' | 'no'): string =>
  SAID[event] ?? (word === 'yes' ? 'approved' : 'rejected')

type Asked = { readonly [Name in keyof Conditions]?: Conditions[Name] | undefined }

/** Null where nothing is requested. */
function conditionsOf({ tools, steps, max_risk }: Asked): Conditions | null {
  const named = { ...(tools && { tools }), ...(steps && { steps }), ...(max_risk && { max_risk }) }
  return Object.keys(named).length > 0 ? named : null
}

const agentsApprove = tool({
  name: 'agents_approve',
  title: 'Ask a person to approve',
  description:
    'Have the person before you asked to approve one thing that waits. Your own word never counts.',
  input: z.object({
    trace,
    subject: z.string().min(1).max(100).describe('from agents_pending'),
    conditions: z
      .strictObject({
        tools: z.array(z.string()).optional(),
        steps: z.array(z.string()).optional(),
        max_risk: z.enum(RISKS).optional(),
      })
      .optional()
      .describe('of a proposal: ask for no more than this'),
  }),
  readOnly: false,
  async run({ trace: name, subject, conditions: asked = {} }, session) {
    const { kit } = session
    const id = await findTrace(kit, name)
    return withHome({ ...locationOf(kit), mode: 'write' }, async (home) => {
      const log = await openLog(home.ports, id)
      const pending = pendingNamed(log, subject)
      const commands = commandsFor({ ...pending, trace: id })
      const conditions = conditionsOf(asked)
      if (!APPROVABLE.includes(pending.kind) || (conditions && pending.kind !== 'review')) {
        return personMustType(id, 'This cannot be approved', commands)
      }
      if (!log.state.inner.task?.policy.via_host) {
        return personMustType(id, 'The policy takes no approval through a host', commands)
      }
      const word = await kit.people.ask(
        session,
        linesOf(log, await showPending(pending, log.state.inner, await shownFrom(home, id)), conditions),
      )
      if (isQuestion(word)) return word
      if (word.is === 'unasked') return personMustType(id, 'This host cannot ask a person', commands)
      if (word.is === 'silent') return personMustType(id, 'The person gave no answer', commands)
      const reason = word.reason || (word.is === 'yes' ? 'approved' : 'not allowed')
      const verdict =
        word.is === 'yes'
          ? ({
              as: 'approve',
              minutes: APPROVAL_MINUTES,
              reason,
              ...(conditions && { conditions }),
            } as const)
          : ({ as: 'block', reason } as const)
      const { event, by } = await decide(home, id, {
        subject,
        verdict,
        name: personName(),
        keyFile: null,
        means: async () => 'host',
      })
      return {
        value: { trace: id, subject, event, by, via: 'host' },
        text: `${by} ${saidOf(event, word.is)} ${subject} ${MEANS_WORDS.host}. Go on with agents_run ${id}.`,
      }
    })
  },
})

const agentsPropose = tool({
  name: 'agents_propose',
  title: 'Propose by hand',
  description:
    'Where a session waits for a proposal (all were rejected, or a step was blocked): have the person before you asked whether the one in this file is theirs.',
  input: z.object({ trace, file: z.string().min(1).max(500).describe('file in the working folder') }),
  readOnly: false,
  async run({ trace: name, file }, session) {
    const { kit } = session
    const id = await findTrace(kit, name)
    const path = await fileInside(process.cwd(), file)
    const commands = [`witan agents propose ${id} ${file}`]
    return withHome({ ...locationOf(kit), mode: 'write' }, async (home) => {
      let open: Answer | InputRequiredResult | null = null
      try {
        const made = await proposeByHand(runKitOf(home), id, {
          file: path,
          revises: null,
          means: async (plan, policy) => {
            if (!policy.via_host)
              open = personMustType(id, 'The policy takes no proposal through a host', commands)
            else {
              const word = await kit.people.ask(session, planLines(plan, PAGE))
              if (isQuestion(word)) open = word
              else if (word.is !== 'yes') open = personMustType(id, 'No person confirmed it', commands)
            }
            if (open) throw NOT_YET
            return 'host'
          },
        })
        const { proposal, removed } = made
        return {
          value: { trace: id, proposal, event: 'proposal_created', via: 'host', removed },
          text: `${proposal} is proposed ${MEANS_WORDS.host}, and goes before its critics. Go on with agents_run ${id}.`,
        }
      } catch (error) {
        if (error === NOT_YET && open) return open
        throw error
      }
    })
  },
})

export const AGENTS_TOOLS = [agentsRun, agentsPending, agentsApprove, agentsPropose]
