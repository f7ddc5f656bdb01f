// The panel behind the port of models: parts by name, no tokens, no money, no model, and it stops when told.

import { describe, expect, it } from 'vitest'
import type { Request } from '../model.ts'
import { embeddedModel, subjectOf } from './embedded-model.ts'
import { BANNER } from './report.ts'

const part = (name: string, text: string) => ({ name, text, quotes: null, template: null })
const DIFF = '--- a/src/a.js\n+++ b/src/a.js\n@@ -1 +1,2 @@\n x\n+eval(y)\n'

const request = (parts: Request['parts'], more: Partial<Request> = {}): Request => ({
  system: 'Answer.',
  parts,
  schema: { type: 'object' },
  limits: { timeoutMs: 10_000, maxOutputTokens: null, maxReplyBytes: 1 << 20 },
  signal: new AbortController().signal,
  ...more,
})

describe('the embedded model', () => {
  it('is always ready, and says what it is', async () => {
    const mind = embeddedModel()
    expect(mind).toMatchObject({ provider: 'embedded', model: null, transport: 'embedded' })
    expect(await mind.available(AbortSignal.abort())).toEqual({
      ready: true,
      detail: 'deterministic checks, no language model',
      next: null,
    })
  })

  it('answers a review with findings, without tokens, cost or model', async () => {
    const outcome = await embeddedModel().ask(request([part('question', 'Is it safe?'), part('diff', DIFF)]))
    expect(outcome).toMatchObject({
      ok: true,
      usage: { inputTokens: 0, outputTokens: 0 },
      cost: { usd: 0, from: 'free' },
      transport: 'embedded',
      model: null,
      text: expect.stringContaining('"rule":"WITAN-RISK-001"'),
    })
    expect(outcome.ok && JSON.parse(outcome.text)).toMatchObject({
      ...{ banner: BANNER, mode: 'review', decision: 'need-info', confidence: 'low' },
    })
  })

  it('answers in text if no object is wanted, and by the given schema otherwise', async () => {
    const parts = [part('question', 'Postgres?'), part('context:db.md', 'The store is Postgres.')]
    const text = await embeddedModel().ask(request(parts, { schema: null }))
    expect(text).toMatchObject({
      ok: true,
      text: expect.stringContaining('> The store is Postgres.'),
    })
    const shaped = embeddedModel({ answer: ({ passages }) => ({ n: passages.length }) })
    expect(await shaped.ask(request(parts))).toMatchObject({ text: '{"n":1}' })
  })

  it('reads parts by name and nothing from the others', () => {
    const parts = [
      part('preamble', 'mode: review'),
      part('question', 'Why?'),
      part('context', 'unnamed'),
      part('context:src/a.ts', 'named'),
      part('opinions', 'eval(x)'),
    ]
    expect(subjectOf(parts)).toEqual({
      question: 'Why?',
      mode: 'ask',
      files: [
        { path: 'context', text: 'unnamed' },
        { path: 'src/a.ts', text: 'named' },
      ],
    })
    expect(subjectOf([part('diff', DIFF)])).toMatchObject({ mode: 'review', diff: DIFF })
    expect(subjectOf([part('diff', DIFF)], { mode: 'architecture' }).mode).toBe('architecture')
    expect(subjectOf([part('mode', ' architecture\n')], { mode: 'review' }).mode).toBe('architecture')
    expect(subjectOf([part('mode', 'anything')], { mode: 'review' }).mode).toBe('review')
  })

  it('stops when told to, before and during its work', async () => {
    const stopped = { ok: false, type: 'network', cause: 'aborted', transport: 'embedded' }
    expect(
      await embeddedModel().ask(request([part('diff', DIFF)], { signal: AbortSignal.abort() })),
    ).toMatchObject(stopped)
    const many = Array.from({ length: 60 }, (_, i) =>
      part(`context:src/${i}.js`, 'const a = eval(x) + "y" // z\n'.repeat(2_000)),
    )
    const abort = new AbortController()
    const asked = embeddedModel({ mode: 'review' }).ask(request(many, { signal: abort.signal }))
    setImmediate(() => abort.abort())
    expect(await asked).toMatchObject(stopped)
  })

  it('keeps to the limits of time and size', async () => {
    const limits = (timeoutMs: number, maxReplyBytes: number) => ({
      limits: { timeoutMs, maxOutputTokens: null, maxReplyBytes },
    })
    const ask = (more: Partial<Request>) => embeddedModel().ask(request([part('diff', DIFF)], more))
    expect(await ask(limits(-1, 1 << 20))).toMatchObject({ ok: false, type: 'timeout', cause: null })
    expect(await ask(limits(10_000, 10))).toMatchObject({
      ok: false,
      type: 'parse_error',
      cause: 'reply_too_large',
    })
  })
})
