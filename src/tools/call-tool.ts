// Every call of every tool goes through here: the tool is the one that was allowed, the input fits it, one
// clock and the caller's signal end it, its output is limited and without secrets. A tool only does its work
// and throws a Fault.

import type { Json } from '../ledger/canonical.ts'
import { isWitanError } from '../ledger/errors.ts'
import { misfit } from '../ledger/schema-fault.ts'
import { type Clean, cleanParts } from './clean-output.ts'
import {
  type CallLimits,
  type ContentPart,
  definitionHash,
  normalisedInput,
  type ToolCall,
  type ToolDefinition,
  type ToolFailure,
  type ToolFailureType,
  type ToolOutcome,
  type Toolset,
} from './toolset.ts'

export class Fault extends Error {
  override readonly name = 'Fault'
  readonly type: ToolFailureType
  /** The output so far. */
  readonly content: readonly ContentPart[]

  constructor(type: ToolFailureType, message: string, content: readonly ContentPart[] = []) {
    super(message)
    this.type = type
    this.content = content
  }
}

/** An input that fits its tool's schema; every member is checked by then. */
export type Input = { readonly [name: string]: Json }

export interface Context {
  readonly signal: AbortSignal
  readonly limits: CallLimits
  readonly clean: Clean
}

export interface ToolOutput {
  readonly content: readonly ContentPart[]
  readonly truncated?: boolean
  /** Secrets that the tool itself has removed already. */
  readonly removed?: number
}

export interface Tool {
  readonly definition: ToolDefinition
  /** What is wrong with an input, where the schema is not of our small kind. */
  readonly misfit?: (input: Json) => string | null
  /** Throws a Fault for an input that reaches for what was not granted; runs and changes nothing. */
  reach?(input: Input): unknown
  run(input: Input, context: Context): Promise<ToolOutput>
}

export type Find = (name: string, signal: AbortSignal) => Promise<Tool | null>

const LONGEST = 2 ** 31 - 1
const MOST_WORDS = 4_000

interface Clock {
  readonly signal: AbortSignal
  readonly ended: 'timeout' | 'aborted' | null
  stop(): void
}

function startClock(ms: number, caller: AbortSignal): Clock {
  const controller = new AbortController()
  let ended: Clock['ended'] = null
  const end = (why: 'timeout' | 'aborted') => {
    ended ??= why
    controller.abort()
  }
  const abort = () => end('aborted')
  const timer = setTimeout(() => end('timeout'), Math.min(Math.max(1, ms), LONGEST))
  if (caller.aborted) abort()
  else caller.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    get ended() {
      return ended
    },
    stop() {
      clearTimeout(timer)
      caller.removeEventListener('abort', abort)
    },
  }
}

async function perform(call: ToolCall, find: Find, context: Context): Promise<ToolOutput> {
  const tool = await find(call.tool, context.signal)
  if (tool === null) throw new Fault('not_found', `there is no tool ${call.tool}`)
  if (definitionHash(tool.definition) !== call.definitionHash) {
    throw new Fault('definition_changed', `the tool ${call.tool} is no longer the one that was allowed`)
  }
  const fault = (tool.misfit ?? ((input) => misfit(tool.definition.inputSchema, input)))(call.input)
  if (fault !== null) throw new Fault('invalid_input', fault)
  context.signal.throwIfAborted()
  // Parsed again from its one text: what runs is what was hashed.
  const done = await tool.run(JSON.parse(normalisedInput(call.input)), context)
  const size = done.content.reduce((sum, part) => sum + part.bytes.length, 0)
  const { maxOutputBytes } = context.limits
  if (size <= maxOutputBytes) return done
  throw new Fault('output_too_large', `the output has ${size} bytes, over ${maxOutputBytes}`)
}

function faultOf(error: unknown, clock: Clock, ms: number): Fault {
  const content = error instanceof Fault ? error.content : []
  if (clock.ended === 'timeout') return new Fault('timeout', `no result within ${ms} ms`, content)
  if (clock.ended === 'aborted') return new Fault('aborted', 'the call was given up', content)
  if (error instanceof Fault) return error
  if (isWitanError(error, 'CANONICAL_INVALID')) return new Fault('invalid_input', error.message)
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return new Fault('error', `${String(error.syscall)}: ${String(error.code)}`)
  }
  throw error
}

export async function callTool(call: ToolCall, find: Find, clean: Clean): Promise<ToolOutcome> {
  const start = performance.now()
  const clock = startClock(call.limits.timeoutMs, call.signal)
  const took = () => performance.now() - start
  try {
    const {
      content,
      truncated = false,
      removed = 0,
    } = await perform(call, find, {
      signal: clock.signal,
      limits: call.limits,
      clean,
    })
    const cleaned = await cleanParts(content, clean)
    const secretsRemoved = removed + cleaned.removed
    return { ok: true, content: cleaned.parts, truncated, durationMs: took(), secretsRemoved }
  } catch (error) {
    return await failure(faultOf(error, clock, call.limits.timeoutMs), clean, took)
  } finally {
    clock.stop()
  }
}

async function failure(fault: Fault, clean: Clean, took: () => number): Promise<ToolFailure> {
  const cleaned = await cleanParts(fault.content, clean)
  const words = await clean(fault.message)
  const { text } = words
  const message = text.length <= MOST_WORDS ? text : `${text.slice(0, MOST_WORDS)}…`
  const secretsRemoved = cleaned.removed + words.removed
  const { type } = fault
  return { ok: false, type, message, content: cleaned.parts, durationMs: took(), secretsRemoved }
}

/** That it is not granted, or that the tool does not take this input: what else is wrong is told when it is made. */
async function findRefusal(tool: Tool | undefined, input: Json): Promise<string | null> {
  if (!tool) return null
  const fault = misfit(tool.definition.inputSchema, input)
  if (fault !== null) return `${tool.definition.name} does not take this input: ${fault}`
  if (!tool.reach) return null
  try {
    await tool.reach(JSON.parse(normalisedInput(input)))
    return null
  } catch (error) {
    return error instanceof Fault && error.type === 'denied' ? error.message : null
  }
}

/** A toolset whose tools never change and hold nothing open. */
export function fixedToolset(tools: readonly Tool[], clean: Clean): Toolset {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  return {
    tools: async () => tools.map((tool) => tool.definition),
    refusal: (tool, input) => findRefusal(byName.get(tool), input),
    call: (call) => callTool(call, async (name) => byName.get(name) ?? null, clean),
    close: async () => {},
  }
}
