// What a command is, as data, and what its code is given and gives back.

import type { HomeLocation } from '../../app/home/home.ts'
import type { Paint } from '../../render/paint.ts'
import type { ExitCode } from './exit-codes.ts'

export interface Option {
  readonly name: string
  readonly short?: string
  /** What the value is called; an option without is a flag. */
  readonly value?: string
  readonly repeated?: true
  readonly required?: true
  /** The values there are, when they are few. */
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
  /** Where the ledger is to be found when a trusted `--config` says so. */
  readonly postgres: string | null
  readonly paint: Paint
  readonly width: number
  /** Says on a terminal what is being done now; nowhere else. */
  progress(text: string): void
  /** Where nobody sits at the keyboard: stops a run, as Ctrl-C would. */
  readonly signal?: AbortSignal
  /** Hears what a run tells, line by line, instead of the terminal. */
  tell?(line: string): void
  /** Hears under which name the run can be asked after, as soon as it has one. */
  begun?(trace: string): void
}

export const locationOf = ({ home, postgres }: Call): HomeLocation => ({ directory: home, postgres })

export interface Outcome {
  /** What `--json` prints. */
  readonly value: object
  /** What a person reads. */
  readonly lines: readonly string[]
  /** What is left of `lines` under `--quiet`; all of them when not given. */
  readonly brief?: readonly string[]
  /** What to do next, told on stderr and not under `--quiet`. */
  readonly hints?: readonly string[]
  readonly exit?: ExitCode
}

export type Verb = (call: Call) => Promise<Outcome>
