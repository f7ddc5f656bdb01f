// A tool of Witan inside an MCP host, as data: its input and its function. Input from a host's model is data
// too: it is checked against the shape before anything is done, never used as a path, and never counts as a
// person.

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
  /** The `witan.yaml` to use; null for the nearest. */
  readonly config: string | null
  /** The councils that run here, shared by all connections. */
  readonly sittings: HeldCouncils
  /** The sessions and exchanges that run here, also shared. */
  readonly runs: Runs
  /** How the person at the host is asked. */
  readonly people: People
}

/** One call: what the host may be told and asked while it runs. */
export interface Session {
  readonly kit: Kit
  readonly signal: AbortSignal
  /** Reports progress to the host, if it asked for that. */
  progress(words: string): void
  /** Whether the host states that it can be asked this way. */
  declares(capability: 'sampling' | 'elicitation'): boolean
  readonly context: ServerContext
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** Reads only, and may be called any number of times. */
  readonly readOnly: boolean
  /** Instead of an answer, a question to the person at the host; then the tool is run again. */
  run(input: z.infer<Input>, session: Session): Promise<Answer | InputRequiredResult>
}

export const locationOf = ({ home, postgres }: Kit): HomeLocation => ({ directory: home, postgres })

/** The id of a trace of this home: a host names a trace, never a file. */
export const findTrace = (kit: Kit, name: string): Promise<string> => traceNamed(locationOf(kit), name)

/** The line width of answers. */
export const PAGE: Layout = { paint: NO_PAINT, width: 100 }

/** Keeps the type of the input from its schema to its use. */
export const tool = <Input extends z.ZodObject>(made: Tool<Input>): Tool => made as unknown as Tool
