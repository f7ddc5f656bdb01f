// A trace of a home that someone wants to go on with, and what its protocol's door can do there.

import type { Call, Outcome } from '../doors/cli/command.ts'
import type { Home } from './home/home.ts'

export interface Place {
  readonly home: Home
  readonly trace: string
  readonly call: Call
}

/** Whether a person answered for it at a terminal. */
export type Said = 'terminal' | 'none'

export interface Running {
  resume(place: Place): Promise<Outcome>
  /** Absent when the protocol has no forks. `--after` is for the protocol to read. */
  fork?(place: Place): Promise<Outcome>
  /** Absent when nothing in the protocol can end a trace before its time. */
  abort?(place: Place, said: Said): Promise<Outcome>
}
