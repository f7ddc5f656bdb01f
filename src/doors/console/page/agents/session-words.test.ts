import { describe, expect, it } from 'vitest'
import { callText, inputText } from './session-words.ts'

const RUN = { tool: 'Bash', input: null, quote: '{"command":"echo hi"}' }

describe('the title of a call', () => {
  it('APP-3 is the beginning of its input in an attached session: the event holds no input, and none was erased', () => {
    expect([callText(RUN), inputText(RUN)]).toEqual([RUN.quote, RUN.quote])
  })

  it('APP-3 names the file of a tool that has one, and says if the input was erased', () => {
    expect(callText({ tool: 'files.read', input: { path: 'a.md' }, quote: null })).toBe('a.md')
    expect(callText({ ...RUN, quote: null })).toBe('erased')
  })
})
