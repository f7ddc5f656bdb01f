// The host's own transcript of its session, read for the calls in it and how they ended. It is the host's word and no more:
// what stands there is recorded as read from there. Lines that cannot be read are passed over.

import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Json } from '../../ledger/canonical.ts'
import type { HostName } from './attachments.ts'

export interface TranscriptCall {
  readonly call: string
  readonly tool: string
  readonly input: Json
  /** Null where the transcript tells of no end. */
  readonly result: { readonly ok: boolean; readonly output: Json } | null
  /** The host itself would not make it, and so told no hook of it. */
  readonly refused?: boolean
}

type Fields = { readonly [name: string]: Json }
type Found = Map<string, TranscriptCall>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function recordResult(
  calls: Found,
  call: string,
  result: NonNullable<TranscriptCall['result']>,
  refused = false,
): void {
  const known = calls.get(call)
  if (known) calls.set(call, { ...known, result, refused: refused && !result.ok })
}

/** So Claude marks what it says of a call itself; a server of the protocol could say so, too. */
function isRefusedByClaude(content: Json | undefined, tool: string): boolean {
  const text = typeof content === 'string' ? content : textOf(listOf(content)[0]?.text)
  return text.startsWith('<tool_use_error>') && !tool.startsWith('mcp__')
}

function claudeLine({ message }: Fields, calls: Found): void {
  for (const block of listOf(fieldsOf(message).content)) {
    if (block.type === 'tool_use') {
      const call = textOf(block.id)
      calls.set(call, { call, tool: textOf(block.name), input: block.input ?? {}, result: null })
    }
    if (block.type === 'tool_result') {
      const [call, output] = [textOf(block.tool_use_id), block.content ?? null]
      const refused = isRefusedByClaude(output, calls.get(call)?.tool ?? '')
      recordResult(calls, call, { ok: block.is_error !== true, output }, refused)
    }
  }
}

function jsonIn(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Codex says in words how a call ended. */
const FAILED = /(?:Process exited with code|Exit code:) [1-9]\d*|^apply_patch verification failed/

/** What it says where it does not even try. */
const UNTRIED = /^(?:unsupported call|failed to parse function arguments)/

/** Of what the model asked for. */
function codexLine({ type, payload }: Fields, calls: Found): void {
  const item = fieldsOf(payload)
  if (type !== 'response_item') return
  const call = textOf(item.call_id)
  if (item.type === 'function_call' || item.type === 'custom_tool_call') {
    const input = jsonIn(textOf(item.arguments ?? item.input))
    calls.set(call, { call, tool: textOf(item.name), input, result: null })
  }
  if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') return
  const [text, output] = [textOf(item.output), item.output ?? null]
  const refused = UNTRIED.test(text)
  recordResult(calls, call, { ok: !refused && !FAILED.test(text), output }, refused)
}

function geminiLine(line: Fields, calls: Found): void {
  for (const { id, name, args, status, result, resultDisplay } of listOf(line.toolCalls)) {
    const output = fieldsOf(fieldsOf(listOf(result)[0]).functionResponse).response ?? null
    const isOver = status === 'success' || status === 'error' || status === 'cancelled'
    calls.set(textOf(id), {
      call: textOf(id),
      tool: textOf(name),
      input: args ?? {},
      result: isOver ? { ok: status === 'success', output } : null,
      // What a tool says of its failure is shown in other words than the model is told.
      refused: status === 'error' && textOf(resultDisplay) !== '' && resultDisplay === fieldsOf(output).error,
    })
  }
}

const LINES: Readonly<Record<HostName, (line: Fields, calls: Found) => void>> = {
  claude: claudeLine,
  codex: codexLine,
  gemini: geminiLine,
}

/** What stands beyond this is not read. */
const MOST_TRANSCRIPT = 512 * 1024 * 1024

async function requireRegularFile(file: string): Promise<{ readonly size: number }> {
  const stats = await stat(file)
  if (!stats.isFile()) throw new Error(`${file} is no regular file`)
  return stats
}

/** Codex tells its version at the head of its transcript, and nowhere else. */
export async function versionInTranscript(host: HostName, file: string | null): Promise<string | null> {
  if (host !== 'codex' || file === null) return null
  try {
    await requireRegularFile(file)
    const handle = await open(file, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(2_048), 0, 2_048, 0)
      return /"cli_version":"([\w.-]{1,40})"/.exec(buffer.toString('latin1', 0, bytesRead))?.[1] ?? null
    } finally {
      await handle.close()
    }
  } catch {
    // Not written yet, or not at all.
    return null
  }
}

/** In the order in which they stand. Null where there is no transcript to be read. */
export async function callsInTranscript(
  host: HostName,
  file: string | null,
  most = MOST_TRANSCRIPT,
): Promise<readonly TranscriptCall[] | null> {
  if (file === null) return null
  const calls: Found = new Map()
  try {
    // The host names it: a pipe or a device would never end.
    const { size } = await requireRegularFile(file)
    if (size === 0) return []
    const { createInterface } = await import('node:readline')
    const lines = createInterface({
      input: createReadStream(file, { encoding: 'utf8', end: Math.min(size, most) - 1 }),
      crlfDelay: Number.POSITIVE_INFINITY,
    })
    for await (const line of lines) {
      const read = jsonIn(line)
      LINES[host](fieldsOf(read), calls)
    }
  } catch {
    // Gone, or never written: the host keeps none.
    return null
  }
  return [...calls.values()].filter(({ call }) => call !== '')
}
