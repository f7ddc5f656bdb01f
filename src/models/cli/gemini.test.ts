// What Gemini CLI says, as recorded from version 0.61.0, and what it means.
import { describe, expect, it } from 'vitest'
import { describePlayed } from '../../../test/fakes/cli/played.ts'
import { geminiModel, readGemini } from './gemini.ts'
import type { Ran } from './process.ts'

const ran = (stdout: string, stderr = '', code = 0): Ran => ({
  stdout,
  stderr,
  code,
  signal: null,
  tooLarge: false,
  unstarted: null,
})

const limits = { timeoutMs: 1, maxOutputTokens: null, maxReplyBytes: 1 }
const unlimited = { limits }

const NOISE = `Warning: 256-color support not detected.
Error when talking to Gemini API Full report available at: /tmp/x.json _ApiError: {"error":{"code":400}}
    at async main (gemini.js:1:5) {
  status: 400
}
`
const failing = (message: string, code: number) => {
  const last = { session_id: 's', error: { type: 'Error', message, code } }
  return readGemini(
    ran('', `${NOISE}${JSON.stringify(last, null, 2)}\n`, code % 256),
    { key: 'k' },
    unlimited,
  )
}
const body = (code: number, message: string, more: object = {}) =>
  JSON.stringify({ error: { code, message, ...more } })

describe('the output of Gemini CLI', () => {
  it.each([
    [
      body(400, 'API key not valid.', { details: [{ reason: 'API_KEY_INVALID' }] }),
      400,
      'auth',
      null,
      'API key not valid.',
    ],
    [body(401, 'invalid authentication credentials'), 401, 'auth', null, 'invalid authentication'],
    [body(403, 'Permission denied on resource project.'), 403, 'auth', null, 'Permission denied'],
    ['Please set an Auth method in your settings.json', 41, 'auth', null, 'Auth method'],
    ['Something about your account.', 41, 'auth', null, 'account'],
    ['Resource has been exhausted (e.g. check quota).', 429, 'rate_limit', null, 'exhausted'],
    ['You have exhausted your daily quota on this model.', 429, 'rate_limit', null, 'daily quota'],
    [
      'models/gemini-2.5-flash is not found for API version v1beta, or is not supported.',
      1,
      'auth',
      'model_not_found',
      'models/gemini-2.5-flash',
    ],
    [
      body(400, 'The input token count (9) exceeds the maximum number of tokens allowed (8).'),
      400,
      'parse_error',
      'context_too_long',
      'input token count',
    ],
    [body(500, 'An internal error has occurred.'), 500, 'network', 'server', 'internal error'],
    ['The model is overloaded. Please try again later.', 503, 'network', 'server', 'overloaded'],
    ['exception TypeError: fetch failed sending request', 1, 'network', null, 'fetch failed'],
    ['terminated', 1, 'network', null, 'terminated'],
    ['Incomplete JSON segment at the end', 1, 'parse_error', null, 'Incomplete JSON'],
  ])('%s', async (message, code, type, cause, says) => {
    const reading = await failing(message, code)
    expect(reading).toMatchObject({ fault: { type, cause, message: expect.stringContaining(says) } })
  })

  it('counts thoughts as output, names the model that spoke, and prices what a key pays', async () => {
    const tokens = { prompt: 11, candidates: 5, thoughts: 3, cached: 0 }
    const side = { tokens: { prompt: 1, candidates: 1 }, roles: { utility_router: {} } }
    const stats = { models: { router: side, 'gemini-2.5-flash': { tokens, roles: { main: {} } } } }
    const stdout = JSON.stringify({ response: 'fine', stats })
    expect(await readGemini(ran(stdout), { key: 'k' }, unlimited)).toMatchObject({
      text: 'fine',
      usage: { inputTokens: 12, outputTokens: 9 },
      model: 'gemini-2.5-flash',
      cost: { from: 'prices' },
    })
    expect(await readGemini(ran(stdout), { key: null }, unlimited)).toMatchObject({ cost: null })
  })

  it('VOX-15 VOX-16 keeps the text of an answer that broke off, and says if it stopped at the limit', async () => {
    const tokens = { prompt: 3, candidates: 2 }
    const told = { response: 'It dep', stats: { models: { g: { tokens } } } }
    const error = { type: 'INVALID_STREAM', message: 'Model stream ended without a finish reason.' }
    const usage = { inputTokens: 3, outputTokens: 2 }
    const broken = await readGemini(ran(JSON.stringify({ ...told, error })), { key: null }, unlimited)
    expect(broken).toMatchObject({ text: 'It dep', cut: true, usage })
    const empty = { ...error, message: 'The model returned an empty response with no text or thoughts.' }
    const silent = await readGemini(ran(JSON.stringify({ error: empty })), { key: null }, unlimited)
    expect(silent).toMatchObject({ text: '', cut: true })
    const limited = { limits: { ...limits, maxOutputTokens: 2 } }
    expect(await readGemini(ran(JSON.stringify(told)), { key: null }, limited)).toMatchObject({
      text: 'It dep',
      finish_reason: 'length',
      usage,
    })
  })

  it.each([
    ['<html>', ''],
    ['{"response":7}', ''],
    ['', 'Unknown argument: skip-trust'],
  ])('keeps the words of what it cannot read: %j %j', async (stdout, stderr) => {
    expect(
      await readGemini(ran(stdout, stderr, stderr === '' ? 0 : 1), { key: null }, unlimited),
    ).toMatchObject({
      fault: { type: 'parse_error', message: expect.stringContaining(stderr || stdout) },
    })
  })
})

describe('VOX-12 Gemini CLI as a model', () =>
  describePlayed('gemini', geminiModel, { refusal: 'the program does not say why its vendor stopped' }))
