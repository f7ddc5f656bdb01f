// Runs a task file in a home from plan to audit, like `witan agents run`, for programs: the grants of file,
// settings and policy apply, and a program answers what a terminal would ask.

import { askTrust } from '../config/config.ts'
import { type SettingsGiven, settingsGiven } from '../council/program-council.ts'
import { personName } from '../home/signers.ts'
import { NO_PERSON, type Person } from '../person.ts'
import { runOf } from '../run.ts'
import type { HomeStorage } from '../storage.ts'
import { decide, type Verdict } from './decide.ts'
import { shownFrom } from './pending.ts'
import { type PendingShown, showPending } from './pending-shown.ts'
import { type SessionRun, workOn } from './program-session.ts'
import {
  beginSession,
  forkSession,
  type Manner,
  type ResumeOptions,
  resumeSession,
  type Session,
} from './session.ts'
import { readTask } from './task-file.ts'

/** Options for running the task of a file. */
export interface TaskOptions {
  /** The home that keeps traces and keys. The caller closes it. */
  readonly storage: HomeStorage
  /** The settings that apply; by default those of the home. */
  readonly settings?: SettingsGiven
  /** True: output of tools may be shown to the providers of the models. Otherwise `person` is asked. */
  readonly consent?: true
  /**
   * Decides whether a file may run programs here and what may be sent to which provider; without it no person can be asked.
   */
  readonly person?: Person
  /**
   * A person's decision on a pending item; null leaves it pending. Signed with the key of `by`, and recorded as
   * given through a host, which counts where the policy accepts such approvals.
   */
  readonly decide?: (pending: PendingShown) => Promise<Verdict | null>
  /** Whose decision `decide` returns; by default the user of this machine. */
  readonly by?: string
  /** Stops the session; it can be resumed. */
  readonly signal?: AbortSignal
}

const mannerOf = ({ storage, settings, person = NO_PERSON, consent }: TaskOptions): Manner => ({
  settings: () => settingsGiven({ home: storage.home.directory, ...settings }),
  person,
  consented: consent === true,
})

async function decided({ storage, decide: ask, by }: TaskOptions, session: Session): Promise<boolean> {
  const from = ask ? await shownFrom(storage.home, session.trace) : null
  for (const pending of ask ? session.pending() : []) {
    const verdict = from && (await ask?.(await showPending(pending, session.state, from)))
    if (!verdict) continue
    await decide(storage.home, session.trace, {
      subject: pending.subject,
      verdict,
      name: by ?? personName(),
      keyFile: null,
      means: async () => 'host',
    })
    return true
  }
  return false
}

const running = (options: TaskOptions, opening: Promise<Session>): SessionRun =>
  runOf(
    opening.then((session) => ({
      ports: options.storage.ports,
      trace: session.trace,
      work: () => workOn(session, options.signal, () => decided(options, session)),
    })),
  )

async function begin(file: string, options: TaskOptions): Promise<Session> {
  const { home } = options.storage
  const manner = mannerOf(options)
  return beginSession(
    home,
    await readTask(file, home.directory, askTrust(home.directory, manner.person)),
    manner,
  )
}

/** Runs the task of this file in a new session. */
export const runTask = (file: string, options: TaskOptions): SessionRun =>
  running(options, begin(file, options))

/** The location of the session's task file, if the home does not know it. */
export interface TaskContinuation extends TaskOptions {
  readonly task?: string
}

const goingOn = (options: TaskContinuation): ResumeOptions => ({
  ...mannerOf(options),
  task: options.task ?? null,
})

export const resumeTask = (trace: string, options: TaskContinuation): SessionRun =>
  running(options, resumeSession(options.storage.home, trace, goingOn(options)))

export const forkTask = (
  trace: string,
  { after, ...options }: TaskContinuation & { readonly after: number },
): SessionRun => running(options, forkSession(options.storage.home, trace, { ...goingOn(options), after }))
