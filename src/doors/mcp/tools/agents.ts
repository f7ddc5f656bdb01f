// Sessions of agents inside a host. The host has tasks run and sees what waits; it never decides: a word of approval
// is a person's, asked for through the host where the home allows that, else typed at a terminal.

import { z } from 'zod'
import {
  decideAs,
  logOf,
  type Pending,
  pendingNamed,
  personOf,
  type SessionLog,
} from '../../../app/agents/decide.ts'
import { commandsFor } from '../../../app/agents/next-commands.ts'
import { agentsRunning, runTask } from '../../../app/agents/running.ts'
import { readTask } from '../../../app/agents/task-file.ts'
import { withHome } from '../../../app/home/home.ts'
import { openOrFound, personName } from '../../../app/home/signers.ts'
import { run as runPending } from '../../cli/verbs/agents-pending.ts'
import { CONVENED_BY } from '../council/convene.ts'
import { fileInside } from '../inside.ts'
import { isQuestion, typed } from '../people.ts'
import { leftToItself, type Reins } from '../runs.ts'
import { type Answer, type Session, tool } from '../tool.ts'
import { answerOf, callFor, runVerb, traceOf } from '../verb.ts'

const trace = z.string().min(1).max(64)
const wait = z.boolean().optional().describe('false: return the trace id at once')
const APPROVED_FOR_MINUTES = 15

/** The task of a file, or the session of that name, carried on under the host's reins. */
function work({ desk }: Session, file: string | null, id: string) {
  return async ({ signal, tell, begun }: Reins): Promise<Answer> => {
    const call = callFor({ desk, progress: tell, signal, begun }, [], { quiet: true })
    const home = await openOrFound({ directory: desk.home, postgres: desk.postgres })
    try {
      if (file !== null) {
        return answerOf(await runTask(home, await readTask(file, desk.home), call, CONVENED_BY))
      }
      begun(id)
      return answerOf(await agentsRunning.resume({ home, trace: id, call }))
    } finally {
      await home.close()
    }
  }
}

const agentsRun = tool({
  name: 'agents_run',
  title: 'Run a task',
  description:
    'Run a task file of the working folder from plan to audit, or go on with a session that had to wait.',
  input: z.object({
    task: z.string().min(1).max(500).optional().describe('file in the working folder'),
    trace: trace.optional().describe('instead: a session to go on with, or to look in on'),
    wait,
  }),
  readOnly: false,
  async run({ task, trace: name, wait: waits = true }, session) {
    const { desk } = session
    const id = name === undefined ? null : await traceOf(desk, name)
    const file = id === null ? await fileInside(process.cwd(), task ?? '') : null
    const held = id === null ? null : desk.runs.get(id)
    const run = held ?? desk.runs.begin(work(session, file, id ?? ''))
    if (waits) return run.attend(session)
    const known = await run.trace
    return leftToItself(known, `Look in with agents_run ${known}, agents_pending or trace_show.`)
  },
})

const agentsPending = tool({
  name: 'agents_pending',
  title: 'What waits for a person',
  description: 'What waits for a person in one session or in all, and what they would type.',
  input: z.object({ trace: trace.optional() }),
  readOnly: true,
  run: async ({ trace: name }, session) =>
    runVerb(runPending, session, name === undefined ? [] : [await traceOf(session.desk, name)]),
})

/** What the person is shown: exactly what an approval would be bound to. */
function shownOf(log: SessionLog, { kind, subject }: Pending): readonly string[] {
  const { intents, proposals, task } = log.state.inner
  const intent = intents.get(subject)
  const proposal = proposals.get(subject)
  return [
    `Session ${log.trace}: ${task?.objective ?? ''}`,
    ...(intent
      ? [
          `Allow ${subject}: ${intent.tool} ${JSON.stringify(intent.input)}`,
          `Risk ${intent.assessment?.risk ?? intent.risk}; it says: ${intent.justification}`,
        ]
      : [`Allow the ${kind} of ${subject}: ${JSON.stringify(proposal?.plan ?? null)}`]),
  ]
}

const agentsApprove = tool({
  name: 'agents_approve',
  title: 'Ask a person to approve',
  description:
    'Have the person before you asked to approve one thing that waits. Your own word never counts.',
  input: z.object({ trace, subject: z.string().min(1).max(100).describe('from agents_pending') }),
  readOnly: false,
  async run({ trace: name, subject }, session) {
    const { home: directory, postgres, people } = session.desk
    const id = await traceOf(session.desk, name)
    return withHome({ directory, postgres, mode: 'write' }, async (home) => {
      const log = await logOf(home.ports, id)
      const pending = pendingNamed(log, subject)
      const commands = commandsFor({ ...pending, trace: id })
      if (pending.kind !== 'judge' && pending.kind !== 'review') {
        return typed(id, 'This cannot be approved', commands)
      }
      if (!log.state.inner.task?.policy.via_host) {
        return typed(id, 'The policy takes no approval through a host', commands)
      }
      const word = await people.ask(session, shownOf(log, pending))
      if (isQuestion(word)) return word
      if (word.is === 'unasked') return typed(id, 'This host cannot ask a person', commands)
      if (word.is === 'silent') return typed(id, 'The person gave no answer', commands)
      const registrar = await home.registrar()
      const person = await personOf(home, registrar, {
        name: personName(),
        keyFile: null,
        means: async () => 'host',
      })
      const reason = word.reason || (word.is === 'yes' ? 'approved' : 'not allowed')
      const verdict =
        word.is === 'yes'
          ? ({ as: 'approve', minutes: APPROVED_FOR_MINUTES, reason } as const)
          : ({ as: 'block', reason } as const)
      const { event } = await decideAs(person, id, subject, verdict)
      const by = person.actor.agent
      return {
        value: { trace: id, subject, event, by, via: 'host' },
        text: `${by} ${word.is === 'yes' ? 'approved' : 'blocked'} ${subject}, via host. Go on with agents_run ${id}.`,
      }
    })
  },
})

export const AGENTS_TOOLS = [agentsRun, agentsPending, agentsApprove]
