// What every mind promises, as one suite: a new adapter passes it or is none. The scenarios are data; the adapter's
// test plays them on its own wire and says what reached the other side and what was left behind there.

import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Failure, Model, Outcome, Reply, Request } from '../../src/models/model.ts'
import { type Expected, PLANTED_SECRET, type Scenario, scenarios } from './scenarios.ts'

export interface OpenedModel {
  readonly mind: Model
  /** What reached the other side, request by request: all words of it, system and prompt, unescaped. */
  seen(): readonly string[]
  /** What the mind has not given back: open sockets, living processes, files. Waits a moment for them to go. */
  leftovers(): Promise<readonly string[]>
  dispose(): Promise<void>
}

const SYSTEM = 'You sit on a council. Be brief.'
const QUESTION = 'Shall we adopt the proposal? Ünïcödé 議'

function requestFor(scenario: Scenario, signal: AbortSignal): Request {
  const part = (name: string, text: string) => ({ name, text, quotes: null, template: null })
  return {
    system: SYSTEM,
    parts: [part('preamble', 'Consider what follows.'), part('question', QUESTION)],
    schema: scenario.schema,
    limits: { timeoutMs: scenario.timeoutMs, maxOutputTokens: 1_000, maxReplyBytes: scenario.maxReplyBytes },
    signal,
  }
}

function expectReply(reply: Reply, expected: Expected & { ok: true }): void {
  if (expected.text !== undefined) expect(reply.text).toBe(expected.text)
  if (expected.ended !== undefined) expect([reply.finish_reason, reply.cut]).toContain(expected.ended)
  // What was used before a reply was cut off, some wires say.
  if (expected.ended === undefined) expect(reply.usage).toEqual(expected.usage)
  // What was not counted cannot be priced.
  if (reply.usage.inputTokens === null && reply.cost !== null) expect(reply.cost.from).toBe('vendor')
}

function expectFailure(failure: Failure, expected: Expected & { ok: false }): void {
  expect(expected.types, failure.message).toContain(failure.type)
  expect(expected.causes, failure.message).toContain(failure.cause)
  expect(failure.message).toContain(expected.says ?? '')
  expect(failure.message).not.toMatch(/^\s*$|\[object Object\]|undefined/)
  if (expected.retryAfterMs === undefined) expect(failure.retryAfterMs).toBeNull()
  else {
    // An HTTP date has no fractions of a second, and time passes.
    expect(failure.retryAfterMs).toBeLessThanOrEqual(expected.retryAfterMs)
    expect(failure.retryAfterMs).toBeGreaterThan(expected.retryAfterMs - 4_000)
  }
}

function expectTimes(outcome: Outcome, scenario: Scenario, took: number): void {
  expect(outcome.latencyMs).toBeGreaterThanOrEqual(0)
  expect(outcome.latencyMs).toBeLessThanOrEqual(took + 5)
  if (!outcome.ok && outcome.type === 'timeout') expect(took).toBeGreaterThanOrEqual(scenario.timeoutMs - 5)
}

const atPace = (scenario: Scenario, pace: number): Scenario => ({
  ...scenario,
  timeoutMs: scenario.timeoutMs * pace,
  abortAfterMs: scenario.abortAfterMs === null ? null : scenario.abortAfterMs * pace,
})

export function describeModelContract(
  name: string,
  open: (scenario: Scenario) => Promise<OpenedModel>,
  /** Scenarios that the transport cannot express, by name, with the reason. */
  notApplicable: Readonly<Record<string, string>> = {},
  /** A transport that starts no process needs only a part of the time. */
  pace = 1,
): void {
  describe(`the mind contract: ${name}`, () => {
    it('leaves out only scenarios that exist, and says why', () => {
      const known = scenarios.map((scenario) => scenario.name)
      expect(known).toEqual(expect.arrayContaining(Object.keys(notApplicable)))
      for (const reason of Object.values(notApplicable)) expect(reason).toMatch(/\w{3,} \w+/)
    })

    for (const given of scenarios.filter((one) => !(one.name in notApplicable))) {
      const scenario = given.expected.ok ? given : atPace(given, pace)
      describe(scenario.name, () => {
        let opened: OpenedModel
        beforeEach(async () => {
          opened = await open(scenario)
        })
        afterEach(() => opened.dispose())

        it('VOX-3 VOX-5 VOX-6 ends as it truly went, and leaves nothing behind', async () => {
          const { mind } = opened
          const abort = new AbortController()
          if (scenario.abortAfterMs === 0) abort.abort()
          // A slow machine may need longer than that to ask at all.
          const whenAsked = () => {
            if (opened.seen().length >= (scenario.requests ?? 0)) abort.abort()
            else setTimeout(whenAsked, 20).unref()
          }
          if (scenario.abortAfterMs) setTimeout(whenAsked, scenario.abortAfterMs).unref()
          const start = performance.now()
          const outcome = await mind.ask(requestFor(scenario, abort.signal))
          const took = performance.now() - start
          expect(await opened.leftovers()).toEqual([])
          expect(getEventListeners(abort.signal, 'abort')).toEqual([])
          expect(outcome.transport).toBe(mind.transport)
          expectTimes(outcome, scenario, took)
          expect(JSON.stringify(outcome)).not.toContain(PLANTED_SECRET)
          const { expected } = scenario
          if (!outcome.ok && expected.ok && expected.orFails?.includes(outcome.type)) return
          expect(outcome.ok, outcome.ok ? outcome.text.slice(0, 200) : outcome.message).toBe(expected.ok)
          if (outcome.ok && expected.ok) expectReply(outcome, expected)
          if (!outcome.ok && !expected.ok) expectFailure(outcome, expected)
          if (scenario.requests !== null) expect(opened.seen()).toHaveLength(scenario.requests)
          for (const said of opened.seen()) {
            for (const words of [SYSTEM, 'Consider what follows.', QUESTION]) expect(said).toContain(words)
          }
        })

        if (scenario.name === 'text') describeReady(() => opened, scenario)
        if (scenario.name === 'not there at all') describeAbsent(() => opened)
      })
    }
  })
}

function describeReady(opened: () => OpenedModel, scenario: Scenario): void {
  it('is ready, and says what it found', async () => {
    const found = await opened().mind.available(AbortSignal.timeout(20_000))
    expect(found).toMatchObject({ ready: true, next: null })
    expect(found.detail).toMatch(/\w/)
    expect(JSON.stringify(found)).not.toContain(PLANTED_SECRET)
  })

  it('answers several at once, each for itself', async () => {
    const { signal } = new AbortController()
    const asked = await Promise.all([1, 2, 3].map(() => opened().mind.ask(requestFor(scenario, signal))))
    expect(asked.map((outcome) => outcome.ok)).toEqual([true, true, true])
    expect(await opened().leftovers()).toEqual([])
  })
}

function describeAbsent(opened: () => OpenedModel): void {
  it('is not ready, and says why and what to do', async () => {
    const found = await opened().mind.available(AbortSignal.timeout(20_000))
    expect(found.ready).toBe(false)
    expect(found.detail).toMatch(/\w{3,} \w+/)
    expect(found.next).toMatch(/\w{3,} \w+/)
    expect(found.detail).not.toContain(found.next)
  })
}
