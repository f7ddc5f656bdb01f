// The model of an MCP host in a seat, over a real client and a real server of the SDK.
import { describe, expect, it } from 'vitest'
import { describeModelContract } from '../../test/contracts/models.ts'
import { type FakeHost, fakeHost } from '../../test/fakes/mcp/host.ts'
import type { Request } from './model.ts'
import { samplingModel } from './sampling.ts'

const ANSWER = { act: 'answer', text: 'Adopt it.', usage: null } as const
const USAGE = { inputTokens: 'meta.usage.input_tokens', outputTokens: 'meta.usage.output_tokens' }

const over = ({ connection }: FakeHost, model: string | null = null) =>
  samplingModel({ provider: 'host', model, ...connection, usage: USAGE })

const request = (rest: Partial<Request> = {}): Request => ({
  system: 'Be brief.',
  parts: [{ name: 'question', text: 'Shall we?', quotes: null, template: null }],
  schema: null,
  limits: { timeoutMs: 5_000, maxOutputTokens: null, maxReplyBytes: 100_000 },
  signal: new AbortController().signal,
  ...rest,
})

const NO_WIRE = 'the bytes of the connection are read by the server, not by the mind'

describeModelContract(
  'MCP sampling',
  async ({ script }) => {
    const [first] = script
    const host = await fakeHost(script, { declares: first?.act !== 'absent' })
    if (first?.act === 'unreachable') await host.dispose()
    return {
      mind: over(host),
      seen: () =>
        host.asked.map(({ systemPrompt, messages }) => {
          const [message] = messages as { content: { text: string } }[]
          return `${systemPrompt}\n${message?.content.text}`
        }),
      leftovers: async () => [],
      dispose: host.dispose,
    }
  },
  {
    'broken connection': NO_WIRE,
    garbage: NO_WIRE,
    'truncated reply': NO_WIRE,
    'endless reply': NO_WIRE,
  },
  0.2,
)

describe('the model of a host', () => {
  it('VOX-8 answers without a key, and the model is named as the host names it', async () => {
    const host = await fakeHost([ANSWER])
    const outcome = await over(host, 'claude').ask(request())
    expect(outcome).toMatchObject({ ok: true, text: 'Adopt it.', model: 'host-model-3', cost: null })
    expect(host.asked).toEqual([
      {
        systemPrompt: 'Be brief.',
        messages: [{ role: 'user', content: { type: 'text', text: 'Shall we?' } }],
        maxTokens: 8_192,
        modelPreferences: { hints: [{ name: 'claude' }] },
        // Hosts that report progress are not silent.
        _meta: { progressToken: expect.anything() },
      },
    ])
    await host.dispose()
  })

  it('VOX-8 is not asked when the host does not declare sampling', async () => {
    const host = await fakeHost([ANSWER], { declares: false })
    const mind = over(host)
    expect(await mind.ask(request())).toMatchObject({ ok: false, type: 'network', cause: 'unavailable' })
    expect(await mind.available(new AbortController().signal)).toMatchObject({
      ready: false,
      detail: 'the host does not declare sampling',
    })
    await host.dispose()
  })

  it('is not asked again when the user of the host says no', async () => {
    const host = await fakeHost([ANSWER], { rejects: true })
    expect(await over(host).ask(request())).toMatchObject({
      ok: false,
      type: 'auth',
      cause: 'unavailable',
      message: 'the host refused: User rejected sampling request',
    })
    await host.dispose()
  })

  it('is told when the caller gives up, and when the time is over', async () => {
    const host = await fakeHost([{ act: 'silence' }])
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 100)
    expect(await over(host).ask(request({ signal: abort.signal }))).toMatchObject({ cause: 'aborted' })
    await expect.poll(() => host.cancelled).toBe(1)
    const limits = { timeoutMs: 100, maxOutputTokens: 64, maxReplyBytes: 100 }
    expect(await over(host).ask(request({ limits }))).toMatchObject({ type: 'timeout' })
    await expect.poll(() => host.cancelled).toBe(2)
    expect(host.asked.at(-1)).toMatchObject({ maxTokens: 64 })
    await host.dispose()
  })

  it('may not answer at greater length than asked for', async () => {
    const host = await fakeHost([{ act: 'answer', text: 'long '.repeat(100), usage: null }])
    const limits = { timeoutMs: 5_000, maxOutputTokens: null, maxReplyBytes: 100 }
    expect(await over(host).ask(request({ limits }))).toMatchObject({ cause: 'reply_too_large' })
    await host.dispose()
  })
})
