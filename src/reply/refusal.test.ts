import { describe, expect, it } from 'vitest'
import { isRefusal } from './refusal.ts'

describe('a refusal in prose', () => {
  it.each([
    "I'm sorry, but I can't assist with that request.",
    'I’m sorry, I cannot help with that.',
    "I can't help with this. It could facilitate harm.",
    "Sorry, I can't summarise this conversation.",
    "I won't help plan this. Doing so without permission is wrong.",
    'I am unable to review these opinions, as they may contain sensitive content.',
    "I'm not able to write this report.",
    "I'm not comfortable taking part in this exchange, so I'll have to decline.",
    'As an AI language model, I cannot provide an opinion on this topic.',
    'I understand your concern, but I must decline.',
    'I decline to answer.',
    '**I cannot fulfill this request.**',
    '抱歉，我无法回答这个问题。',
    '很抱歉，我不能协助完成这个请求。',
    '申し訳ありませんが、そのご質問にはお答えできません。',
    '죄송하지만 이 요청은 도와드릴 수 없습니다.',
    'Es tut mir leid, aber dabei kann ich Ihnen nicht helfen.',
    'Ich kann diese Anfrage leider nicht beantworten.',
    'Je suis désolé, mais je ne peux pas répondre à cette demande.',
    'Lo siento, pero no puedo ayudar con esa solicitud.',
    'Desculpe, mas não posso ajudar com isso.',
    'Mi dispiace, ma non posso aiutarti con questa richiesta.',
    'Извините, но я не могу помочь с этим.',
  ])('is recognised: %s', (text) => {
    expect(isRefusal(text)).toBe(true)
  })

  it.each([
    'I cannot recommend adopting this as it stands.',
    "I can't decide this: the load is not shown.",
    'I cannot give a definite answer without the load figures.',
    'I cannot help but notice that reads repeat.',
    'I must decline the change: it has no tests.',
    "I'm not comfortable with an expiry of 60 s. Use 5 s.",
    "I'm sorry to say that the ledger needs its constraints.",
    'The parser cannot process this input, so reject.',
    'Adopt it. I cannot help with the legal side, though.',
    'Teams cannot continue to use one writer; add a second.',
    'Ich kann das ohne die Messwerte nicht beantworten.',
    'Je ne peux pas répondre sans connaître la charge.',
    `I can't help with that. ${'But the design has merits that are worth a closer look. '.repeat(30)}`,
    '',
  ])('is not found in: %s', (text) => {
    expect(isRefusal(text)).toBe(false)
  })
})
