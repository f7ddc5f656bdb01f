import { describe, expect, it } from 'vitest'
import { redact } from './hide-secrets.ts'

const SECRET = 'c0mplete/ly+odd key"42'

describe('redaction', () => {
  it.each([
    ['as it is', SECRET],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in JSON', JSON.stringify({ SECRET })],
    ['in base64', Buffer.from(SECRET).toString('base64')],
  ])('takes a known secret out %s', (_, text) => {
    const clean = redact(`it failed with ${text} again`, [SECRET])
    expect(clean).not.toContain('odd')
    expect(clean).not.toContain(text)
    expect(clean).toMatch(/^it failed with .*\[secret\].* again$/)
  })

  it.each([
    'Incorrect API key provided: sk-proj-abcDEF0123456789xyz.',
    'Incorrect API key provided: sk-ant-api03-AbCdEf0123456789-_x.',
    'Incorrect API key provided: sk-abcde***************wxyz.',
    'GET https://x.test/v1/models?key=AIzaSyA0123456789abcdefghijklmnopqrstu failed',
    'GET https://x.test/v1/models?key=plainword99 failed',
    'Authorization: Bearer abcdef0123456789',
    '{"x-api-key":"abcdef0123456789"}',
    'token ya29.a0AfH6SMBx0123456789abcdef expired',
    'AKIAIOSFODNN7EXAMPLE is not allowed',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc',
    'proxy http://user:hunter2222@127.0.0.1:8080 refused',
    'hf_abcdefghijklmnopqrst is not valid',
  ])('takes out what looks like a key: %s', (text) => {
    const clean = redact(text)
    expect(clean).toContain('[secret]')
    expect(clean).not.toMatch(/0123456789|plainword99|IOSFODNN7|eyJ|hunter2|abcdefghij|wxyz/)
  })

  it.each([
    'The model `gpt-5-mini-2026-01-01` does not exist or you do not have access to it.',
    'prompt is too long: 210000 tokens > 200000 maximum',
    'connect ECONNREFUSED 127.0.0.1:11434',
    'Your credit balance is too low to access the Anthropic API.',
    'request_id: req_011CabcdefGHIJKL',
    'Set OPENAI_API_KEY and try again.',
    'claude-sonnet-4-5-20250929: overloaded',
  ])('leaves ordinary words: %s', (text) => {
    expect(redact(text, [SECRET])).toBe(text)
  })

  it('ignores values too short to be secrets', () => {
    expect(redact('a message', ['a', '', null])).toBe('a message')
  })
})
