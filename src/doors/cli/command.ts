// A command as data, and the input and output of its code.

import type { Home, HomeLocation } from '../../app/home/home.ts'
import type { Elsewhere } from '../../app/run.ts'
import { durationIn } from '../../ledger/clock.ts'
import { type ErrorCode, WitanError } from '../../ledger/errors.ts'
import { NO_PAINT, type Paint } from '../../render/plain.ts'

// The meaning of a command's exit code, as documented and pinned: scripts branch on these. Every error code
// of the union has exactly one; a new code does not compile until someone decides which.

export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  verificationFailed: 3,
  quorumNotMet: 4,
  refused: 5,
  aborted: 6,
  notFound: 7,
  waiting: 8,
  gateClosed: 9,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const { internal, usage: badUsage, quorumNotMet, refused, aborted, notFound, interrupted } = EXIT

/** `notFound` also means something that exists but cannot be read or reached. */
export const EXIT_OF: Readonly<Record<ErrorCode, ExitCode>> = {
  CANONICAL_INVALID: internal,
  HEADER_INVALID: internal,
  NOTE_INVALID: notFound,
  HEAD_MOVED: internal,
  EVENT_REFUSED: refused,
  TRACE_NOT_FOUND: notFound,
  TRACE_AMBIGUOUS: badUsage,
  TRACE_FINISHED: refused,
  EVENT_NOT_FOUND: notFound,
  ARTIFACT_NOT_FOUND: notFound,
  ARTIFACT_CORRUPT: notFound,
  ARTIFACT_UNREACHABLE: notFound,
  ALREADY_REDACTED: refused,
  APPROVAL_UNPROVEN: badUsage,
  NOT_REDACTABLE: refused,
  HOME_MISSING: notFound,
  HOME_EXISTS: badUsage,
  HOME_READONLY: notFound,
  VAULT_FOREIGN: notFound,
  VAULT_CORRUPT: notFound,
  VAULT_BUSY: notFound,
  VAULT_UNREACHABLE: notFound,
  VAULT_REFUSED: refused,
  DISK_FULL: notFound,
  FILE_NOT_FOUND: notFound,
  FILE_UNREADABLE: notFound,
  FILE_UNWRITABLE: notFound,
  FILE_EXISTS: badUsage,
  BUNDLE_FOREIGN: notFound,
  BUNDLE_TOO_LARGE: notFound,
  BUNDLE_TRUNCATED: notFound,
  BUNDLE_INVALID: notFound,
  KEY_FILE_INVALID: notFound,
  KEY_FILE_EXPOSED: badUsage,
  KEY_LOCKED: badUsage,
  KEY_NOT_FOUND: notFound,
  KEY_EXISTS: badUsage,
  KEY_RETIRED: refused,
  CONFIG_INVALID: badUsage,
  FILE_UNTRUSTED: badUsage,
  PROTOCOL_UNKNOWN: notFound,
  EDITION_UNKNOWN: notFound,
  ENCODER_MISMATCH: refused,
  SENSE_FAILED: notFound,
  HAND_UNAVAILABLE: notFound,
  GIT_MISSING: notFound,
  NOT_A_REPOSITORY: badUsage,
  RANGE_INVALID: badUsage,
  NOTHING_TO_REVIEW: badUsage,
  QUORUM_NOT_MET: quorumNotMet,
  USAGE: badUsage,
  TRACE_GIVEN_UP: aborted,
  INTERRUPTED: interrupted,
}

export const exitOf = (code: ErrorCode | 'INTERNAL'): ExitCode =>
  code === 'INTERNAL' ? internal : EXIT_OF[code]

// While a trace runs, Ctrl-C belongs to the run: it stops cleanly, or offers to close. Nothing else handles
// it then, and once the run has stopped, the command ends like any other.

type Answer = () => void

let answering: Answer | null = null

/** Until the returned function is called, every Ctrl-C goes to `answer`. */
export function answerInterrupts(answer: Answer): () => void {
  answering = answer
  return () => {
    if (answering === answer) answering = null
  }
}

/** False when nothing handles it. */
export function answered(): boolean {
  if (answering === null) return false
  answering()
  return true
}

// The version of this package, as its own file says it.

export function packageVersion(): string {
  const file = new URL('../../../package.json', import.meta.url)
  // Help starts without it: importing it makes Node load its streams.
  const { readFileSync } = process.getBuiltinModule('node:fs')
  return String((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version)
}

export interface Option {
  readonly name: string
  readonly short?: string
  /** The name of the value; an option without one is a flag. */
  readonly value?: string
  readonly repeated?: true
  readonly required?: true
  /** The allowed values, when they are few. */
  readonly choices?: readonly string[]
  readonly about: string
}

export interface Argument {
  readonly name: string
  readonly optional?: true
  /** The last one may be given several times. */
  readonly repeated?: true
  readonly choices?: readonly string[]
}

export interface Command {
  /** One word, or two: `keys add`. */
  readonly name: string
  readonly about: string
  readonly args: readonly Argument[]
  readonly options: readonly Option[]
  readonly notes?: string
  /** What follows `witan`, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[]
}

/** The command line as it was given, checked against the command. */
export interface Call {
  readonly args: readonly string[]
  flag(name: string): boolean
  text(name: string): string | null
  texts(name: string): readonly string[]
  /** A non-negative whole number. */
  count(name: string): number | null
  readonly home: string
  /** The location of the ledger when a trusted `--config` states one. */
  readonly postgres: string | null
  readonly paint: Paint
  readonly width: number
  /** Shows on a terminal what is being done now; nowhere else. */
  progress(text: string): void
}

export const locationOf = ({ home, postgres }: Call): HomeLocation => ({ directory: home, postgres })

export interface Outcome {
  /** What `--json` prints. */
  readonly value: object
  /** What a person reads. */
  readonly lines: readonly string[]
  /** What is left of `lines` under `--quiet`; all of them when not given. */
  readonly brief?: readonly string[]
  /** What to do next, printed on stderr and not under `--quiet`. */
  readonly hints?: readonly string[]
  readonly exit?: ExitCode
  /** Everything was printed during the run. */
  readonly isSilent?: true
}

export type Verb = (call: Call) => Promise<Outcome>

/** A trace of a home that someone wants to continue. */
export interface Place {
  readonly home: Home
  readonly trace: string
  readonly call: Call
}

/** Whether a person confirmed it at a terminal. */
export type Narration = 'terminal' | 'none'

/** What can be done with a trace of one protocol. */
export interface Running {
  /** `narration`: the record of a person's order for what is carried out now. */
  resume(place: Place, narration: Narration): Promise<Outcome>
  /** Shows a trace that is driven elsewhere. */
  follow(home: Home, trace: string, call: Call, elsewhere: Elsewhere): Promise<Outcome>
  /** Absent when the protocol has no forks. `--after` is for the protocol to read. */
  fork?(place: Place): Promise<Outcome>
  /** Absent when the protocol cannot ask failed seats again. */
  retry?(place: Place): Promise<Outcome>
  /** Absent when the protocol cannot end a trace early. */
  abort?(place: Place, narration: Narration): Promise<Outcome>
}

export const usage = (message: string, next: string): WitanError => new WitanError('USAGE', message, next)

export function parseCount(text: string, what: string): number {
  if (/^(0|[1-9][0-9]{0,14})$/.test(text)) return Number(text)
  throw usage(`${what} is a whole number from 0 on, not '${text}'`, 'Give it in decimal digits.')
}

const MOST_MS = 86_400_000

/** In milliseconds. A bare number is refused: it could be seconds or milliseconds. */
export function readTimeout(text: string | null): number | null {
  if (text === null) return null
  const ms = durationIn(text)
  if (ms !== null && ms >= 1 && ms <= MOST_MS) return ms
  throw usage(`--timeout is a duration up to a day, not '${text}'`, 'Give it like 90s, 2m or 1h.')
}

// Colour is for a person at a terminal who did not decline it; everywhere else paint changes nothing.

export const wantsColour = (stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'

/** Of the 256 colours: each has a contrast of at least 4 : 1 to white and to black. None is the red of what went wrong. */
export const SPEAKERS: readonly number[] = [31, 130, 163, 28, 63, 131, 30, 98]

const speaker = (number: number) => {
  const colour = SPEAKERS[number % SPEAKERS.length]
  return (text: string): string => `\u001b[38;5;${colour}m${text}\u001b[39m`
}

interface Stream {
  readonly isTTY?: boolean
  getColorDepth?(): number
}

export async function paintFor(stream: Stream): Promise<Paint> {
  if (!wantsColour(stream, process.env)) return NO_PAINT
  const { default: colours } = await import('picocolors')
  const paint = colours.createColors(true)
  return { ...paint, speaker: (stream.getColorDepth?.() ?? 8) >= 8 ? speaker : () => paint.bold }
}
