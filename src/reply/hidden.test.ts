import { describe, expect, it } from 'vitest'
import { withoutHidden, withoutTemplateTokens } from './hidden.ts'

describe('hidden reasoning', () => {
  it.each([
    ['<think>no</think>yes', 'yes'],
    ['a<THINKING depth="2">no</thinking>b<reasoning>no</reasoning>c', 'abc'],
    ['[THINK]no[/THINK]yes', 'yes'],
    ['◁think▷no◁/think▷yes', 'yes'],
    ['<|begin_of_thought|>no<|end_of_thought|>yes', 'yes'],
    // Never opened: what is before it is a thought. Never closed: what follows it is.
    ['no</think>yes', 'yes'],
    ['shown <think>one</think> no</think>yes', 'yes'],
    ['yes<think>no', 'yes'],
    ['<|channel|>analysis<|message|>no<|end|>yes', 'yes'],
    ['<|channel|>analysis no<|channel|>final yes', '<|channel|>final yes'],
    ['<|channel|>analysis no</think>no', ''],
  ])('is taken out of %s', (text, shown) => {
    expect(withoutHidden(text)).toEqual({ text: shown, found: true })
  })

  it('is not found where there is none', () => {
    for (const text of ['', 'I think so', 'a < b', '<thinker>a</thinker>'])
      expect(withoutHidden(text)).toEqual({ text, found: false })
  })
})

describe('the tokens of a chat template', () => {
  it.each([
    ['<|im_start|>assistant\nyes<|im_end|>\n<|im_start|>user no', '\nyes'],
    ['<|start|>assistant<|channel|>final<|message|>yes<|return|>', 'yes'],
    ['yes</s>', 'yes'],
    ['yes<end_of_turn>no', 'yes'],
    // A turn that ends before it says anything has not ended there.
    ['<|end|>yes', '<|end|>yes'],
    ['yes</s> no', 'yes</s> no'],
    ['yes', 'yes'],
  ])('are left out of %s', (text, left) => {
    expect(withoutTemplateTokens(text)).toBe(left)
  })
})
