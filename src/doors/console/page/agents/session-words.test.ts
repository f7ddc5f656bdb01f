import { describe, expect, it } from 'vitest'
import { callText, inputText } from './session-words.ts'

const RUN = { tool: 'Bash', input: null, quote: '{"command":"echo hi"}' }

describe('the words of a call', () => {
  it('APP-3 are how its input begins where the session is attached: the event holds no input, and none was erased', () => {
    expect([callText(RUN), inputText(RUN)]).toEqual([RUN.quote, RUN.quote])
  })

  it('APP-3 name the file of a tool that has one, and say so where the input was erased', () => {
    expect(callText({ tool: 'files.read', input: { path: 'a.md' }, quote: null })).toBe('a.md')
    expect(callText({ ...RUN, quote: null })).toBe('erased')
  })
})
