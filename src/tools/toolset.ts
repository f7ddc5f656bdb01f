// The port to what an executor may access. A toolset offers tools under definitions that are hashed: a call
// names the hash it was allowed under, and a tool that has changed since is not called. It makes one attempt,
// never throws for outside errors, and answers with content or with a typed failure in the original words.
// Output of a tool is data, and its secrets are removed before anyone sees it.

import { createHash } from 'node:crypto'
import { canonicalize, type Json } from '../ledger/canonical.ts'
import type { JsonSchema } from '../ledger/schema.ts'

export const EFFECTS = ['read', 'write', 'destroy', 'network', 'execute', 'unknown'] as const
/** The effects of a call, as far as is known; `unknown` means any. */
export type Effect = (typeof EFFECTS)[number]

/** The definition of a tool; a call is allowed under its hash. */
export interface ToolDefinition {
  /** `files.read`, `shell.run`, `http.get`, `mcp.<server>.<tool>`. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly effects: readonly Effect[]
  /** Who carries it out: `files`, `shell`, `http`, or `mcp.<server>`. */
  readonly source: string
}

/** The limits of a call: time and output. */
export interface CallLimits {
  readonly timeoutMs: number
  /** Of all content together; a longer output is stopped. */
  readonly maxOutputBytes: number
  /** Of programs that the call starts, including all their children. */
  readonly maxProcesses: number
}

/** One attempt to use a tool. */
export interface ToolCall {
  readonly tool: string
  readonly input: Json
  /** Of the definition under which the call was allowed. */
  readonly definitionHash: string
  readonly signal: AbortSignal
  readonly limits: CallLimits
}

/** A piece of a tool's output. */
export interface ContentPart {
  /** Its name for a reader: `stdout`, `body`, `file`; no path and no identity. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

interface Ended {
  readonly content: readonly ContentPart[]
  readonly durationMs: number
  /** How many secrets were removed from the content and the message. */
  readonly secretsRemoved: number
}

/** The output of a tool. */
export interface ToolResult extends Ended {
  readonly ok: true
  /** There is more than was requested or than fits; the content says how to get it. */
  readonly truncated: boolean
}

/** The kinds of failure of a tool. */
export type ToolFailureType =
  | 'denied' // confinement: the call reaches for what the toolset may not access
  | 'not_found' // no such tool, file or program
  | 'timeout'
  | 'output_too_large'
  | 'crashed' // the tool or its server ended in the middle
  | 'invalid_input'
  | 'definition_changed' // the tool is not the one that was allowed
  | 'unavailable' // the toolset itself is unavailable: no sandbox, no server
  | 'aborted'
  | 'error' // the tool ran and reported a failure

/** Why a tool gave no output. */
export interface ToolFailure extends Ended {
  readonly ok: false
  readonly type: ToolFailureType
  /** The real words of what failed, with secrets removed. */
  readonly message: string
}

/** The outcome of a call: content, or a typed failure. */
export type ToolOutcome = ToolResult | ToolFailure

/** A set of tools: bring one to let an executor access something new. */
export interface Toolset {
  /** What can be called now. Throws a WitanError when that is unknown. */
  tools(signal: AbortSignal): Promise<readonly ToolDefinition[]>
  /**
   * Why this call would fail although everyone approved it: it reaches for what was not granted, or the tool does not
   * take its input. Null where it might run. Nothing is run or reached by asking; a toolset without it says nothing beforehand.
   */
  refusal?(tool: string, input: Json): Promise<string | null>
  /** Never throws for outside errors; no process, socket or file of the call is left when it resolves. */
  call(call: ToolCall): Promise<ToolOutcome>
  /** Ends what stays open between calls. */
  close(): Promise<void>
}

/** One input has one text: what is hashed into an intent and what the tool gets are the same. */
export const normalisedInput = (input: Json): string => canonicalize(input)

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** The hash by which an approval is bound to exact arguments. */
export const inputHash = (input: Json): string => sha256(normalisedInput(input))

/** Everything that defines the tool. */
export function definitionText({ name, description, inputSchema, effects, source }: ToolDefinition): string {
  return canonicalize({ name, description, inputSchema, effects, source })
}

/** The hash by which an approval is bound to a tool as it was described. */
export const definitionHash = (definition: ToolDefinition): string => sha256(definitionText(definition))

/** The tools without a server, whether they are granted or not. */
export const BUILT_IN_TOOLS: readonly string[] = [
  ...['files.read', 'files.list', 'files.write', 'files.patch', 'shell.run', 'shell.script'],
  ...['http.get', 'http.head', 'http.post', 'http.put', 'http.patch', 'http.delete'],
]
