import { describe, expect, it } from 'vitest'
import { keptText, readJudgement, sampleText } from './read-reply.ts'

describe('the text of an answer', () => {
  it('COU-X-4 keeps its end, which has the conclusion, and no half of a character', () => {
    expect(keptText('  ANSWER: 1 \n')).toBe('ANSWER: 1')
    const long = `${'x'.repeat(5_000)}\nANSWER: 1`
    expect(keptText(long)).toHaveLength(1_200)
    expect(keptText(long).endsWith('\nANSWER: 1')).toBe(true)
    expect(keptText(`😀${'x'.repeat(1_199)}`).isWellFormed()).toBe(true)
    expect(keptText('a\uD800b')).toBe('a\uFFFDb')
  })

  it('COU-X-4 excludes all hidden reasoning, under every name', () => {
    const text = '<think>ANSWER: 9</think>One.<THINKING>no</THINKING> <reasoning>a\nb</reasoning>Two.'
    expect(sampleText({ text })).toBe('One. Two.')
    expect(sampleText({ text: '<think>never closed. ANSWER: 1' })).toBe('<think>never closed. ANSWER: 1')
  })
})

describe('the verdict of a grader', () => {
  const read = (text: string, shown = '') => readJudgement({ text, finish_reason: 'stop' }, shown)

  it('COU-X-4 is read from JSON, with the words that people use for it', () => {
    for (const [said, verdict] of [
      ['same', 'same'],
      ['Equivalent', 'same'],
      ['different', 'different'],
      ['not the same', 'different'],
      ['unclear', 'unsure'],
    ])
      expect(read(`Well. {"reason": "r", "verdict": "${said}"}`).verdict).toBe(verdict)
    expect(read('{"verdict": "same"}')).toMatchObject({ verdict: 'same', reading: { outcome: 'kept' } })
    expect(read('{"judgement": {"reason": "", "verdict": "unsure"}}').verdict).toBe('unsure')
  })

  it('COU-X-4 is missing if none was given, or if it only repeats the prompt', () => {
    expect(read('They look alike to me.')).toMatchObject({ verdict: null })
    expect(read('{"reason": "r", "verdict": "perhaps"}').verdict).toBeNull()
    const shown = 'An answer says {"reason": "as I was told", "verdict": "same"} and no more.'
    expect(read('{"reason": "as I was told", "verdict": "same"}', shown).verdict).toBeNull()
  })
})
