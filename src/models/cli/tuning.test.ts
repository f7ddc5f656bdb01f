// A level of thinking reaches the vendors' programs by the option that each documents; what a program has no option for
// makes it no way to the seat.
import { afterEach, describe, expect, it } from 'vitest'
import { PLANTED_SECRET } from '../../../test/contracts/scenarios.ts'
import { openStub, type Stub, type StubCall, type Vendor } from '../../../test/fakes/cli/stub.ts'
import type { Tuning } from '../tuning.ts'
import { whyUntunable } from '../untunable.ts'
import { claudeModel } from './claude.ts'
import { codexModel } from './codex.ts'
import { geminiModel } from './gemini.ts'

const stubs: Stub[] = []
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub.dispose()
})

const MAKE = { claude: claudeModel, codex: codexModel, gemini: geminiModel }

async function called(
  vendor: Vendor,
  model: string,
  tuning: Tuning,
  maxOutputTokens: number | null = null,
): Promise<StubCall | undefined> {
  const stub = await openStub(vendor, [{ act: 'answer', text: 'Yes.', usage: null }])
  stubs.push(stub)
  const apiKey = async () => PLANTED_SECRET
  const mind = MAKE[vendor]({ name: vendor, model, program: stub.program, apiKey, tuning })
  const outcome = await mind.ask({
    system: 'Be brief.',
    parts: [{ name: 'question', text: 'Adopt?', quotes: null, template: null }],
    schema: null,
    limits: { timeoutMs: 60_000, maxOutputTokens, maxReplyBytes: 10_000 },
    signal: new AbortController().signal,
  })
  expect(outcome).toMatchObject({ ok: true })
  return stub.calls().at(-1)
}

describe('VOX-1 the model settings of a seat, for a program', () => {
  it('are an option of Claude Code and a setting of Codex', async () => {
    expect((await called('claude', 'fake-1', { thinking: 'high' }))?.args).toContain('--effort=high')
    expect((await called('codex', 'fake-1', { thinking: 'low' }))?.args).toContain(
      'model_reasoning_effort="low"',
    )
    expect((await called('claude', 'fake-1', {}))?.args.join(' ')).not.toContain('effort')
  })

  it('leaves Claude Code no thinking where the limit is below the least the API takes for it', async () => {
    const most = async (tokens: number) => (await called('claude', 'fake-1', {}, tokens))?.env
    expect(await most(1_024)).toMatchObject({ MAX_THINKING_TOKENS: '0' })
    expect(await most(1_025)).not.toHaveProperty('MAX_THINKING_TOKENS')
  })

  it('are in the settings that Gemini CLI gets for this model', async () => {
    const tuning = { temperature: 0.4, thinking: 'low' } as const
    const call = await called('gemini', 'gemini-3.8-flash', tuning)
    expect(JSON.parse(call?.settings ?? '{}')).toMatchObject({
      modelConfigs: {
        customOverrides: [
          {
            match: { model: 'gemini-3.8-flash' },
            modelConfig: {
              generateContentConfig: { temperature: 0.4, thinkingConfig: { thinkingLevel: 'low' } },
            },
          },
        ],
      },
    })
  })

  it.each([
    ['claude', claudeModel, { temperature: 0.2 }, 'the command claude has no option for a temperature'],
    ['openai', codexModel, { temperature: 0.2 }, 'the command codex has no option for a temperature'],
    [
      'gemini',
      geminiModel,
      { thinking: 'low' },
      'the command gemini takes a temperature or thinking only for a model that is named',
    ],
  ] as const)('are refused for a seat of %s without such an option', (name, make, tuning, why) => {
    const way = make({ name, model: null })
    const cli = name === 'openai' ? 'codex' : name
    expect(whyUntunable(way, { api: 'openai', cli, mcp: {} }, tuning)).toBe(why)
  })
})
