// A session at work: opened or gone on with, told as it happens, and ended with what was proven. Where it waits for a
// person and one sits at the terminal, that person is asked; else the reader learns whom it waits for and what to type.

import { agentsProtocol } from '../../agents/agents.ts'
import type { RunEnd } from '../../clerk/clerk.ts'
import { forkTrace } from '../../clerk/fork.ts'
import { agentsPerformer } from '../../clerk/performers/agents/performer.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import type { AskableSeat } from '../../clerk/seat.ts'
import { personAsker } from '../../doors/cli/agents/ask-person.ts'
import type { Call, Outcome } from '../../doors/cli/command.ts'
import { EXIT, type ExitCode } from '../../doors/cli/exit-codes.ts'
import { parseCount, usage } from '../../doors/cli/parse.ts'
import { saveCheckpoint, untilInterrupted, waitingOutcome } from '../../doors/cli/run-trace.ts'
import type { WitanError } from '../../ledger/errors.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Occurrence } from '../../protocol.ts'
import { pendingLines } from '../../render/pending.ts'
import { plain } from '../../render/plain.ts'
import { tell } from '../../render/story/agents.ts'
import { wrap } from '../../render/wrap.ts'
import { loadSettings, type Settings } from '../config/config.ts'
import type { CouncilTable } from '../council/council-table.ts'
import type { Home } from '../home/home.ts'
import { employ, personName } from '../home/signers.ts'
import type { Place, Running, Said } from '../place.ts'
import { driveTrace, SHORT_GRACE_MS } from '../run.ts'
import { heard } from '../typed-words.ts'
import { logOf, pendingIn, type SessionLog } from './decide.ts'
import { commandsFor, decidersOf } from './next-commands.ts'
import { castOf, mindsOf, openSession, signersOf } from './open-session.ts'
import { mindsFor, openWorkbench, type Workbench } from './session-equipment.ts'
import { sessionValue } from './session-result.ts'
import type { TaskFile } from './task-file.ts'
import { keepTask, taskOf } from './task-location.ts'
import { askToShow, hearersOf } from './tool-consent.ts'

export { sessionValue } from './session-result.ts'

const END: Readonly<Record<string, ExitCode>> = {
  completed: EXIT.done,
  failed: EXIT.verificationFailed,
  aborted: EXIT.aborted,
}

/** Each event as a line on stderr, unless a machine reads or nobody wants to. */
function teller(call: Call, isQuiet: boolean): ((event: Occurrence) => void) | undefined {
  const { paint, width } = call
  if (isQuiet && !call.tell) return undefined
  const say = call.tell ?? ((text) => process.stderr.write(`${text}\n`))
  const tones = { plain: (text: string) => text, good: paint.green, bad: paint.red, quiet: paint.dim }
  return (event) => {
    const line = tell(event)
    if (!line) return
    const lines = wrap(plain(line.text), 2, width).split('\n')
    say(lines.map(tones[line.tone]).join('\n'))
  }
}

/** A trace whose signatures or chain do not hold is failed for every reader, wherever it stood. */
function unsound({ trace }: SessionLog, { message }: WitanError, { paint }: Call): Outcome {
  return {
    value: { trace, status: 'failed', reason: message },
    lines: [`${paint.red(paint.bold('failed'))}  ${plain(message)}`, `trace ${trace}`],
    brief: [trace],
    hints: [`What does not hold: witan verify ${trace}`],
    exit: EXIT.verificationFailed,
  }
}

function ended(log: SessionLog, call: Call): Outcome {
  if (log.flaw) return unsound(log, log.flaw, call)
  const state = log.state.inner
  const value = sessionValue(log.trace, state)
  const { paint, width } = call
  const fitted = (text: string, indent: number): string => wrap(plain(text), indent, width)
  const isInVain =
    state.phase === 'completed' && value.proposals.every(({ outcome }) => outcome !== 'succeeded')
  const mark = state.phase === 'completed' && !isInVain ? paint.green : paint.red
  return {
    value,
    lines: [
      `${mark(paint.bold(state.phase))}  ${fitted(state.task?.objective ?? '', state.phase.length + 2)}`,
      ...(isInVain ? [mark('  The audit passed, but no proposal succeeded:')] : []),
      ...(isInVain
        ? value.proposals.map(
            ({ id, reason }) => `  ${id}  ${fitted(reason ?? 'never closed', id.length + 4)}`,
          )
        : []),
      ...value.proven.flatMap(({ text, confidence, evidence }) => [
        `  ${paint.green('proven')}    ${fitted(`${text} (${confidence})`, 12)}`,
        ...evidence.map(({ quote }) => paint.dim(`            “${plain(quote)}”`)),
      ]),
      ...value.unproven.map(
        ({ text, reason }) => `  ${paint.red('unproven')}  ${fitted(`${text}: ${reason}`, 12)}`,
      ),
      `trace ${log.trace}`,
    ],
    brief: [log.trace],
    hints: [
      `The whole story: witan show ${log.trace}`,
      `Anyone can check it: witan export ${log.trace} -o session.witan`,
    ],
    exit: isInVain ? EXIT.refused : (END[state.phase] ?? EXIT.internal),
  }
}

interface Waiting {
  readonly home: Home
  readonly registrar: Registrar
  readonly log: SessionLog
  readonly call: Call
}

async function waiting({ home, registrar, log, call }: Waiting, end: RunEnd): Promise<Outcome> {
  const deciders = await decidersOf(home, registrar)
  const pending = pendingIn(log)
  const all = pending.flatMap((one) => commandsFor({ ...one, trace: log.trace }, deciders))
  const commands = [...new Set(all)]
  const shown = pending.flatMap((one) => pendingLines(one, log, call))
  const bare = waitingOutcome(log.trace, end, commands)
  const outcome = { ...bare, lines: [...shown, ...bare.lines] }
  const { phase, proposals } = log.state.inner
  const rejected =
    phase === 'reviewing' && [...proposals.values()].every(({ status }) => status === 'rejected')
  return rejected ? { ...outcome, exit: EXIT.refused } : outcome
}

interface Thinkers {
  readonly settings: Settings
  readonly minds: ReadonlyMap<string, AskableSeat>
  /** Who would sit in a council, where the task has one among its critics. */
  readonly table: CouncilTable | null
}

/** Known before anything is opened: a session that nobody could think for is none. */
async function thinkersFor(home: Home, task: TaskFile, file: string | null): Promise<Thinkers> {
  const settings = await loadSettings({ home: home.directory, from: process.cwd(), file })
  const minds = await mindsFor(mindsOf(task), settings, AbortSignal.timeout(30_000))
  if (!castOf(task).critics.includes('council')) return { settings, minds, table: null }
  const { criticTable } = await import('./council-critic.ts')
  return { settings, minds, table: await criticTable(settings, AbortSignal.timeout(30_000)) }
}

async function councilFor(home: Home, log: SessionLog, { settings, table }: Thinkers) {
  if (table === null) return {}
  const { councilCritic } = await import('./council-critic.ts')
  return { council: councilCritic(home, log, settings, table) }
}

/** Of what was recorded before this run the story is not told again. */
const isNew = (log: SessionLog): boolean => log.size === 1

interface Session {
  readonly home: Home
  readonly registrar: Registrar
  readonly log: SessionLog
  readonly thinkers: Thinkers
  readonly bench: Workbench
  readonly call: Call
}

async function work({ home, registrar, log, thinkers, bench, call }: Session): Promise<Outcome> {
  const { minds } = thinkers
  const { ports } = home
  const council = await councilFor(home, log, thinkers)
  const perform = agentsPerformer({ ports, registrar, log, minds, ...council, ...bench })
  const story = teller(call, call.flag('quiet') || call.flag('json'))
  const from = isNew(log) ? 0 : log.size
  const { signal } = call
  // Whoever is stopped by a signal sits at no keyboard of ours.
  const ask = signal ? null : personAsker(home, registrar, call)
  const run = (since: number) =>
    untilInterrupted({ trace: log.trace, signal }, (stop) =>
      driveTrace({
        ports,
        registrar,
        log,
        perform,
        signal: stop,
        grace: SHORT_GRACE_MS,
        from: since,
        hear: story,
      }),
    )
  let end = await run(from)
  while (end.status !== 'finished' && (await ask?.(log))) {
    await log.refresh()
    end = await run(log.size)
  }
  await saveCheckpoint(call, end.checkpoint)
  return end.status === 'finished' ? ended(log, call) : waiting({ home, registrar, log, call }, end)
}

const showing = (task: TaskFile, { minds, table }: Thinkers, bench: Workbench) => ({
  task,
  bench,
  providers: hearersOf(minds.values(), table),
})

const runWith = ({ file }: TaskFile): string => `witan agents run ${file} --yes`

/** `operator` opens the session: the person at the keyboard, or whoever stands for nobody. */
export async function runTask(
  home: Home,
  task: TaskFile,
  call: Call,
  operator = personName(),
): Promise<Outcome> {
  const thinkers = await thinkersFor(home, task, call.text('config'))
  const bench = await openWorkbench(home, task, thinkers.settings)
  try {
    await askToShow(home, call, { ...showing(task, thinkers, bench), command: runWith(task) })
    const registrar = await employ(home, signersOf(operator, task))
    const { operator: granted, offered, policy, policyText: text } = bench
    const { viaHost, fallback, proof, unproven } = granted
    const inForce = { hash: policy.hash, text, viaHost, fallback, proof, unproven }
    const { objective, constraints = [] } = task
    const spoken = { ...task, ...(await heard({ objective, constraints }, call)) }
    const log = await openSession(home, registrar, { task: spoken, operator, offered, policy: inForce })
    await keepTask(home.directory, log.trace, task)
    call.begun?.(log.trace)
    return await work({ home, registrar, log, thinkers, bench, call })
  } finally {
    await bench.close()
  }
}

async function resume({ home, trace, call }: Place): Promise<Outcome> {
  const log = await logOf(home.ports, trace)
  if (log.flaw || log.protocol.finished(log.state)) return ended(log, call)
  const task = await taskOf(home.directory, trace, call.text('task'))
  return atWork({ home, trace, call }, task, `witan resume ${trace} --yes`, (registrar, thinkers, bench) =>
    work({ home, registrar, log, thinkers, bench, call }),
  )
}

/** Options of `witan fork` that mean something in a council alone. */
const OF_COUNCILS = ['chair', 'seats', 'short-circuit', 'max-cost', 'fail-on', 'format']

/** Upon an event of another session: what that had intended and not yet started is void, what it had started waits. */
async function fork({ home, trace, call }: Place): Promise<Outcome> {
  const strange = OF_COUNCILS.find((name) => call.flag(name) || call.texts(name).length > 0)
  if (strange) throw usage(`--${strange} is for councils`, `${trace} is a session of agents.`)
  const seq = parseCount(call.text('after') ?? '', '--after')
  const task = await taskOf(home.directory, trace, call.text('task'))
  const command = `witan fork ${trace} --after ${seq} --yes`
  return atWork({ home, trace, call }, task, command, async (registrar, thinkers, bench) => {
    const protocol = agentsProtocol(home.ports.sha256)
    const actor = registrar.actor(personName(), 'operator')
    const log = await forkTrace(home.ports, protocol, { parent: trace, seq }, actor)
    await keepTask(home.directory, log.trace, task)
    call.begun?.(log.trace)
    return work({ home, registrar, log, thinkers, bench, call })
  })
}

/** With everybody who signs in a session of this task, and with its tools, which are put away afterwards. */
async function atWork(
  { home, call }: Place,
  task: TaskFile,
  command: string,
  perform: (registrar: Registrar, thinkers: Thinkers, bench: Workbench) => Promise<Outcome>,
): Promise<Outcome> {
  const thinkers = await thinkersFor(home, task, call.text('config'))
  const bench = await openWorkbench(home, task, thinkers.settings)
  try {
    await askToShow(home, call, { ...showing(task, thinkers, bench), command })
    return await perform(await employ(home, signersOf(personName(), task)), thinkers, bench)
  } finally {
    await bench.close()
  }
}

async function abort({ home, trace, call }: Place, via: Said): Promise<Outcome> {
  const registrar = await employ(home, [{ agent: personName(), roles: ['operator'] }])
  const log = await logOf(home.ports, trace)
  const payload = { reason: call.text('reason') ?? 'aborted by the operator', via } as Payload
  await log.append([{ type: 'session_aborted', actor: registrar.actor(personName(), 'operator'), payload }])
  return ended(log, call)
}

export const agentsRunning: Running = { resume, fork, abort }
