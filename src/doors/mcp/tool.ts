// A tool of Witan inside an MCP host, as data: what it takes and what it does. What a host's model gives is data too:
// it is checked against the shape before anything is done, never used as a path, and never counts as a person.

import type { InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { HomeLocation } from '../../app/home/home.ts'
import { traceNamed } from '../../app/traces/trace-name.ts'
import { type Layout, NO_PAINT } from '../../render/plain.ts'
import type { Answer } from './answer.ts'
import type { HeldCouncils } from './council/held-council.ts'
import type { People } from './person-at-host.ts'
import type { Runs } from './runs.ts'

export type { Answer } from './answer.ts'

export interface Kit {
  readonly home: string
  readonly postgres: string | null
  /** The `witan.yaml` that counts; null for the nearest. */
  readonly config: string | null
  /** The councils held here, shared by all connections. */
  readonly sittings: HeldCouncils
  /** The sessions and exchanges carried on here, also. */
  readonly runs: Runs
  /** How the person before the host is asked. */
  readonly people: People
}

/** One call: what the host may be told and asked while it runs. */
export interface Session {
  readonly kit: Kit
  readonly signal: AbortSignal
  /** Tells the host how far it is, where it asked to be told. */
  progress(words: string): void
  /** Whether the host says that it can be asked this way. */
  declares(capability: 'sampling' | 'elicitation'): boolean
  readonly context: ServerContext
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** Reads only, and may be called as often as one likes. */
  readonly readOnly: boolean
  /** Instead of an answer, what the person before the host is to be asked first; then it is run again. */
  run(input: z.infer<Input>, session: Session): Promise<Answer | InputRequiredResult>
}

export const locationOf = ({ home, postgres }: Kit): HomeLocation => ({ directory: home, postgres })

/** The id of a trace of this home: a host names a trace, never a file. */
export const traceOf = (kit: Kit, name: string): Promise<string> => traceNamed(locationOf(kit), name)

/** What answers are laid out for. */
export const PAGE: Layout = { paint: NO_PAINT, width: 100 }

/** Keeps the type of the input from its schema to its use. */
export const tool = <Input extends z.ZodObject>(made: Tool<Input>): Tool => made as unknown as Tool
