import { describe, expect, it } from 'vitest'
import type { Outcome, Reply, Request } from './model.ts'
import { answered, judge } from './read-answer.ts'
import { SHAPE } from './scenarios.ts'

const FITS = '{"verdict":"adopt","confidence":0.5}'
const OBJECT = { verdict: 'adopt', confidence: 0.5 }

const request = (timeoutMs = 1_000): Request => ({
  system: 'Be brief.',
  parts: [{ name: 'question', text: 'Adopt?', quotes: null, template: null }],
  schema: SHAPE,
  limits: { timeoutMs, maxOutputTokens: null, maxReplyBytes: 1_000 },
  signal: new AbortController().signal,
})

const reply = (text: string, more: Partial<Reply> = {}): Reply => ({
  ok: true,
  text,
  object: null,
  usage: { inputTokens: 10, outputTokens: 5 },
  cost: { usd: 0.25, from: 'vendor' },
  latencyMs: 1,
  transport: 'api',
  model: 'fake-1',
  repaired: false,
  ...more,
})

/** Serves the outcomes in turn and keeps what was asked. */
function script(...outcomes: Outcome[]) {
  const asked: Request[] = []
  const once = async (one: Request): Promise<Outcome> => {
    asked.push(one)
    return outcomes[asked.length - 1] ?? reply('asked too often')
  }
  return { asked, once }
}

describe('judging an answer', () => {
  it.each([
    ['bare', FITS],
    ['with space around', `\n ${FITS}\n`],
    ['in a fence', `\`\`\`json\n${FITS}\n\`\`\``],
    ['in a fence with words around', `Here it is:\n\`\`\`\n${FITS}\n\`\`\`\nAnything else?`],
  ])('takes JSON %s', async (_, text) => {
    expect(await judge(text, SHAPE)).toEqual({ object: OBJECT })
  })

  it('keeps fences inside strings', async () => {
    const schema = { type: 'object', properties: { code: { type: 'string' } } }
    const object = { code: '```js\nx\n```' }
    expect(await judge(JSON.stringify(object), schema)).toEqual({ object })
  })

  it('names every fault and its place', async () => {
    const judged = await judge('{"verdict":"perhaps","confidence":7,"extra":1}', SHAPE)
    expect(judged).toEqual({ faults: expect.stringMatching(/verdict: .*\n?[\s\S]*confidence: [\s\S]*extra/) })
  })

  it.each(['', 'I would adopt it.', '{"verdict":', '{"verdict":"adopt","verdict":"reject","confidence":1}'])(
    'says of what is no JSON that it is none: %s',
    async (text) => {
      expect(await judge(text, SHAPE)).toEqual({ faults: expect.stringContaining('not JSON') })
    },
  )

  it('is not slowed down by a reply made of fences', async () => {
    // In a time that grows with its square it would not come to an end here.
    const fences = '```\n'.repeat(250_000)
    expect(await judge(fences, SHAPE)).toEqual({ faults: expect.stringContaining('not JSON') })
  })
})

describe('an answer of a wanted shape', () => {
  it('costs one asking when it fits', async () => {
    const { asked, once } = script(reply(FITS))
    expect(await answered(request(), once)).toMatchObject({ ok: true, object: OBJECT, repaired: false })
    expect(asked).toHaveLength(1)
  })

  it('is asked for once more, with all that was used counted together', async () => {
    const { asked, once } = script(reply('no'), reply(FITS))
    expect(await answered(request(), once)).toMatchObject({
      object: OBJECT,
      repaired: true,
      usage: { inputTokens: 20, outputTokens: 10 },
      cost: { usd: 0.5, from: 'vendor' },
    })
    expect(asked[1]?.parts.map(({ name }) => name)).toEqual(['question', 'mending'])
    expect(asked[1]?.parts[1]?.text).toContain('"confidence"')
  })

  it('adds unknown to known as unknown', async () => {
    const unknown = { usage: { inputTokens: null, outputTokens: 5 }, cost: null }
    const { once } = script(reply('no', unknown), reply(FITS))
    expect(await answered(request(), once)).toMatchObject({
      usage: { inputTokens: null, outputTokens: 10 },
      cost: null,
    })
  })

  it('gives the second asking only the time that is left', async () => {
    const times = [0, 700, 900]
    const { asked, once } = script(reply('no'), reply(FITS))
    const outcome = await answered(request(1_000), once, () => times.shift() ?? 0)
    expect(asked.map(({ limits }) => limits.timeoutMs)).toEqual([1_000, 300])
    expect(outcome.latencyMs).toBe(900)
  })

  it('fails when the second does not fit either, and says why', async () => {
    const { asked, once } = script(reply('no'), reply('{"verdict":"perhaps","confidence":1}'))
    expect(await answered(request(), once)).toMatchObject({
      ok: false,
      type: 'parse_error',
      cause: null,
      message: expect.stringContaining('verdict'),
      usage: { inputTokens: 20, outputTokens: 10 },
    })
    expect(asked).toHaveLength(2)
  })
})
