// A session at the command line: its events are printed as they happen, the person at the terminal is asked
// where it waits for one, and its end is the result of the command. `resume`, `fork` and `abort` for
// sessions.

import { endedWithoutSuccess, type SessionOutcome } from '../../../agents/result.ts'
import { abortSession, forkSession, resumeSession, type Session } from '../../../app/agents/session.ts'
import type { Home } from '../../../app/home/home.ts'
import { SHORT_GRACE_MS } from '../../../app/run.ts'
import { plain, wrap } from '../../../render/plain.ts'
import { sessionHints, sessionJson, sessionLines } from '../../../render/session.ts'
import {
  type Call,
  EXIT,
  type ExitCode,
  type Narration,
  type Outcome,
  type Place,
  parseCount,
  usage,
} from '../command.ts'
import { type Follow, saveCheckpoint, untilInterrupted } from '../run-trace.ts'
import { personAt, readSettings, tellRemoved } from '../terminal.ts'
import { personAsker } from './ask-person.ts'
import { SessionTelling } from './session-telling.ts'

const ENDS: Readonly<Record<string, ExitCode>> = {
  completed: EXIT.done,
  failed: EXIT.verificationFailed,
  aborted: EXIT.aborted,
}

function exitOf(outcome: SessionOutcome): ExitCode {
  if (outcome.kind === 'unsound') return EXIT.verificationFailed
  if (outcome.kind === 'waiting') return outcome.rejected ? EXIT.refused : EXIT.waiting
  return endedWithoutSuccess(outcome.result) ? EXIT.refused : (ENDS[outcome.state.phase] ?? EXIT.internal)
}

const present = (outcome: SessionOutcome, call: Call): Outcome => ({
  value: sessionJson(outcome),
  lines: sessionLines(outcome, call),
  brief: [outcome.trace],
  hints: sessionHints(outcome),
  exit: exitOf(outcome),
})

/** Once, also where a program reads the output. */
function tellSummary(words: string | null, call: Call): void {
  if (words === null || call.flag('quiet')) return
  process.stderr.write(`${wrap(plain(words), 0, call.width)}\n`)
}

/** The model that acts does not judge, where others are ready; otherwise a warning says so. */
function judgedByActors({ state }: Session): string | null {
  const acting = state.task?.acting_judges ?? []
  return acting.length === 0
    ? null
    : `Who acts also judges here: ${acting.join(', ')}. Set up other models to have them judge instead.`
}

/** Runs a session to its end or until it waits for someone else, and closes it. */
export async function driveAndPresent(
  home: Home,
  session: Session,
  call: Call,
  isFollowed = false,
): Promise<Outcome> {
  const { trace } = session
  const ask = personAsker(home, call)
  const drive = async () => {
    const live = call.flag('quiet') || call.flag('json') ? null : new SessionTelling(session, call)
    try {
      return await untilInterrupted({ trace, followed: isFollowed }, (signal) =>
        session.drive({ signal, grace: SHORT_GRACE_MS, hear: live?.tell, speaks: live?.speaks }),
      )
    } finally {
      live?.close()
    }
  }
  try {
    tellRemoved(session.removed, call)
    tellSummary(session.unheld, call)
    tellSummary(judgedByActors(session), call)
    let end = await drive()
    while (end.status !== 'finished' && (await ask?.(session))) end = await drive()
    await saveCheckpoint(call, end.checkpoint)
    return present(await session.outcome(end), call)
  } finally {
    await session.close()
  }
}

export const runOptions = (call: Call) => ({
  settings: () => readSettings(call),
  person: personAt(call),
  consented: call.flag('yes'),
})

/** A session that a worker drives, shown as it runs; a person at the terminal may answer pending decisions. */
export const follow: Follow = async (home, trace, call, elsewhere) => {
  const { followSession } = await import('../../../app/queue/follow-session.ts')
  return driveAndPresent(home, await followSession(home, trace, elsewhere), call, true)
}

const resumeOptions = (call: Call) => ({ ...runOptions(call), task: call.text('task') })

/** A session of an attached host is not resumed here: it is closed, as the host left it. */
export const resume = async ({ home, trace, call }: Place): Promise<Outcome> => {
  const { closeAttached, isOfHost } = await import('../../../app/attach/close-session.ts')
  if (await isOfHost(home, trace)) await closeAttached(home, trace)
  return driveAndPresent(home, await resumeSession(home, trace, resumeOptions(call)), call)
}

/** Options of `witan fork` that mean something in a council alone. */
const COUNCIL_OPTIONS = ['chair', 'seats', 'short-circuit', 'max-cost', 'fail-on', 'format']

export async function fork({ home, trace, call }: Place): Promise<Outcome> {
  const misplaced = COUNCIL_OPTIONS.find((name) => call.flag(name) || call.texts(name).length > 0)
  if (misplaced) throw usage(`--${misplaced} is for councils`, `${trace} is a session of agents.`)
  const after = parseCount(call.text('after') ?? '', '--after')
  return driveAndPresent(home, await forkSession(home, trace, { ...resumeOptions(call), after }), call)
}

export async function abort({ home, trace, call }: Place, via: Narration): Promise<Outcome> {
  const reason = call.text('reason') ?? 'aborted by the operator'
  return present(await abortSession(home, trace, { reason, via }), call)
}
