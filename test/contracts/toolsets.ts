// What every hand promises, as one suite: a new adapter passes it or is none. It talks to the port alone and knows of
// each hand only which call does what.

import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fromUtf8 } from '../../src/ledger/bytes.ts'
import type { Json } from '../../src/ledger/canonical.ts'
import type { Clean } from '../../src/tools/clean-output.ts'
import { type CallLimits, definitionHash, type ToolOutcome, type Toolset } from '../../src/tools/toolset.ts'

export interface Wanted {
  readonly tool: string
  readonly input: Json
}

export interface OpenedToolset {
  readonly toolset: Toolset
  /** Succeeds, and its content holds these words. */
  readonly good: Wanted & { readonly says: string }
  /** Has an input that its tool does not take; the message names this. */
  readonly bad: Wanted & { readonly names: string }
  /** Its content holds the planted secret. */
  readonly secret: Wanted
  /** Says more than 1,000 bytes. */
  readonly large: Wanted
  /** Does not end by itself; null, with the reason, where no call can last. */
  readonly endless: Wanted | string
  /** What calls have left behind: processes, sockets, files. Waits a moment for them to go. */
  leftovers(): Promise<readonly string[]>
  dispose(): Promise<void>
}

export const PLANTED_SECRET = 'planted-0123456789abcdef'

/** Of the planted secret only. */
export const cleanPlanted: Clean = (text) => {
  const pieces = text.split(PLANTED_SECRET)
  return { text: pieces.join('[secret]'), removed: pieces.length - 1 }
}

export const LIMITS: CallLimits = { timeoutMs: 20_000, maxOutputBytes: 1 << 20, maxProcesses: 32 }

export const textOf = (outcome: ToolOutcome): string =>
  outcome.content.map((part) => fromUtf8(part.bytes) ?? '').join('\n')

/** Calls a tool under the definition it has now. */
export async function callNow(
  toolset: Toolset,
  { tool, input }: Wanted,
  limits: Partial<CallLimits> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolOutcome> {
  const definition = (await toolset.tools(new AbortController().signal)).find((one) => one.name === tool)
  const hash = definition === undefined ? '0'.repeat(64) : definitionHash(definition)
  return toolset.call({ tool, input, definitionHash: hash, signal, limits: { ...LIMITS, ...limits } })
}

export function describeToolsetContract(name: string, open: () => Promise<OpenedToolset>): void {
  describe(`the hand contract: ${name}`, () => {
    let opened: OpenedToolset
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(async () => {
      await opened.toolset.close()
      await opened.dispose()
    })

    it('AGT-TOOL-6 names real tools, each once, under definitions that stay the same', async () => {
      const { signal } = new AbortController()
      const [first, second] = [await opened.toolset.tools(signal), await opened.toolset.tools(signal)]
      expect(first.length).toBeGreaterThan(0)
      expect(new Set(first.map((tool) => tool.name)).size).toBe(first.length)
      for (const tool of first) {
        expect(tool.name).toMatch(/^[a-z]+(?:\.[\w-]+)+$/)
        expect(tool.name.startsWith(`${tool.source}.`)).toBe(true)
        expect(tool.effects.length).toBeGreaterThan(0)
        expect(tool.inputSchema.type).toBe('object')
      }
      expect(second.map(definitionHash)).toEqual(first.map(definitionHash))
    })

    it('AGT-TOOL-6 does what is asked, and leaves nothing behind', async () => {
      const { signal } = new AbortController()
      const outcome = await callNow(opened.toolset, opened.good, {}, signal)
      expect(outcome, outcome.ok ? '' : outcome.message).toMatchObject({ ok: true, secretsRemoved: 0 })
      expect(textOf(outcome)).toContain(opened.good.says)
      expect(outcome.durationMs).toBeGreaterThan(0)
      expect(getEventListeners(signal, 'abort')).toEqual([])
      expect(await opened.leftovers()).toEqual([])
    })

    it('does several at once, each for itself', async () => {
      const outcomes = await Promise.all([1, 2, 3].map(() => callNow(opened.toolset, opened.good)))
      for (const outcome of outcomes) expect(textOf(outcome)).toContain(opened.good.says)
      expect(await opened.leftovers()).toEqual([])
    })

    it('has no tool but its own', async () => {
      const outcome = await callNow(opened.toolset, { tool: 'nobody.knows', input: {} })
      expect(outcome).toMatchObject({ ok: false, type: 'not_found', content: [] })
    })

    it('does not call a tool that is not the one allowed', async () => {
      const { tool, input } = opened.good
      const { signal } = new AbortController()
      const other = { tool, input, definitionHash: 'f'.repeat(64), signal, limits: LIMITS }
      expect(await opened.toolset.call(other)).toMatchObject({
        ok: false,
        type: 'definition_changed',
        content: [],
      })
    })

    it('refuses an input that the tool does not take, and names the fault', async () => {
      const outcome = await callNow(opened.toolset, opened.bad)
      expect(outcome).toMatchObject({ ok: false, type: 'invalid_input' })
      expect(outcome.ok ? '' : outcome.message).toContain(opened.bad.names)
      const notJson = await callNow(opened.toolset, { tool: opened.good.tool, input: { path: Number.NaN } })
      expect(notJson).toMatchObject({ ok: false, type: 'invalid_input' })
    })

    it('does nothing for a caller who has given up before', async () => {
      const outcome = await callNow(opened.toolset, opened.good, {}, AbortSignal.abort())
      expect(outcome).toMatchObject({ ok: false, type: 'aborted', content: [] })
      expect(await opened.leftovers()).toEqual([])
    })

    it('takes secrets out of what it gives back, and counts them', async () => {
      const outcome = await callNow(opened.toolset, opened.secret)
      expect(textOf(outcome)).toContain('[secret]')
      expect(JSON.stringify(outcome)).not.toContain(PLANTED_SECRET)
      expect(textOf(outcome)).not.toContain(PLANTED_SECRET)
      expect(outcome.secretsRemoved).toBeGreaterThan(0)
    })

    it('gives no more than was asked for', async () => {
      const outcome = await callNow(opened.toolset, opened.large, { maxOutputBytes: 1_000 })
      const size = outcome.content.reduce((sum, part) => sum + part.bytes.length, 0)
      expect(size).toBeLessThanOrEqual(1_000)
      if (outcome.ok) expect(outcome.truncated).toBe(true)
      else expect(outcome.type).toBe('output_too_large')
      expect(await opened.leftovers()).toEqual([])
    })

    it('ends with the time it was given', async () => {
      const { endless } = opened
      if (typeof endless === 'string') return expect(endless).toMatch(/\w{3,} \w+/)
      const outcome = await callNow(opened.toolset, endless, { timeoutMs: 1_500 })
      expect(outcome).toMatchObject({ ok: false, type: 'timeout', message: 'no result within 1500 ms' })
      expect(outcome.durationMs).toBeGreaterThanOrEqual(1_495)
      expect(await opened.leftovers()).toEqual([])
    })

    it('ends when the caller gives up', async () => {
      const { endless } = opened
      if (typeof endless === 'string') return expect(endless).toMatch(/\w{3,} \w+/)
      const abort = new AbortController()
      setTimeout(() => abort.abort(), 1_000)
      const outcome = await callNow(opened.toolset, endless, {}, abort.signal)
      expect(outcome).toMatchObject({ ok: false, type: 'aborted' })
      expect(getEventListeners(abort.signal, 'abort')).toEqual([])
      expect(await opened.leftovers()).toEqual([])
    })
  })
}
