// Who wrote an opinion is not told by the opinion: in the first person, in many languages. What is said about models
// stays to the letter.

import { describe, expect, it } from 'vitest'
import { textWithoutAuthor, withoutAuthor } from './self-naming.ts'

const NAMES_ITSELF: readonly (readonly [string, string])[] = [
  ['As Claude, I would wait.', 'As [a member], I would wait.'],
  ['As Claude (made by Anthropic), I would wait.', 'As [a member], I would wait.'],
  ["I'm GPT-5 and I disagree.", "I'm [a member] and I disagree."],
  ['I’m GPT-5.', 'I’m [a member].'],
  ['I am Claude Opus 4.5, made by Anthropic.', 'I am [a member].'],
  ['Yes. I am Gemini 2.5 Pro. Wait.', 'Yes. I am [a member]. Wait.'],
  ['Speaking as Gemini, this is risky.', 'Speaking as [a member], this is risky.'],
  ['Claude here. Do not do it.', '[a member] here. Do not do it.'],
  ['My name is Grok.', 'My name is [a member].'],
  ['I, Claude, hold that it is fine.', 'I, [a member], hold that it is fine.'],
  ['I am an AI assistant called Claude.', 'I am an AI assistant called [a member].'],
  ['I was trained by OpenAI to be careful.', 'I was trained by [its maker] to be careful.'],
  ['As an AI model developed by Anthropic I decline.', 'As an AI model developed by [its maker] I decline.'],
  ['My creators at Anthropic taught me this.', 'My creators at [its maker] taught me this.'],
  ['Anthropic trained me to say so.', '[its maker] trained me to say so.'],
  ['Wait a week.\n\n— Claude', 'Wait a week.\n\n— [a member]'],
  ['Claude: I would wait.', '[a member]: I would wait.'],
  ['This is ChatGPT speaking.', 'This is [a member] speaking.'],
  ['Als Claude würde ich warten.', 'Als [a member] würde ich warten.'],
  [
    'Als Claude, ein Modell, rate ich ab, denn ich sehe Risiken.',
    'Als [a member], ein Modell, rate ich ab, denn ich sehe Risiken.',
  ],
  ['Ich bin GPT-5 und rate ab.', 'Ich bin [a member] und rate ab.'],
  ['Ich wurde von Anthropic trainiert.', 'Ich wurde von [its maker] trainiert.'],
  ['En tant que Claude, je conseille.', 'En tant que [a member], je conseille.'],
  ['Je suis Mistral Large.', 'Je suis [a member].'],
  ["Je m'appelle Claude.", "Je m'appelle [a member]."],
  ['Como Claude, recomiendo esperar.', 'Como [a member], recomiendo esperar.'],
  ['Soy Gemini y no estoy de acuerdo.', 'Soy [a member] y no estoy de acuerdo.'],
  ['Fui creado por Anthropic.', 'Fui creado por [its maker].'],
  ['Come Claude, consiglio di aspettare.', 'Come [a member], consiglio di aspettare.'],
  ['Sono Claude.', 'Sono [a member].'],
  ['Sou o Claude e recomendo esperar.', 'Sou o [a member] e recomendo esperar.'],
  ['Als Claude zou ik wachten.', 'Als [a member] zou ik wachten.'],
  ['Jestem Claude.', 'Jestem [a member].'],
  ['Я — Claude, и я против.', 'Я — [a member], и я против.'],
  ['Как Клод, я бы подождал.', 'Как [a member], я бы подождал.'],
  ['作为Claude，我建议等待。', '作为[a member]，我建议等待。'],
  ['我是通义千问。', '我是[a member]。'],
  ['私はClaudeです。', '私は[a member]です。'],
  ['Claudeとして、反対します。', '[a member]として、反対します。'],
  ['저는 Claude입니다.', '저는 [a member]입니다.'],
  ['Claude로서, 반대합니다.', '[a member]로서, 반대합니다.'],
  ['Claude olarak, ben beklerdim.', '[a member] olarak, ben beklerdim.'],
  ['我们由Anthropic训练。', '我们由[its maker]训练。'],
  ['Jag är Claude.', 'Jag är [a member].'],
  ['Regards,\nWait.\nsigned: GPT-5', 'Regards,\nWait.\nsigned: [a member]'],
  ['أنا Claude وأنصح بالانتظار.', 'أنا [a member] وأنصح بالانتظار.'],
  ['मैं Claude हूँ।', 'मैं [a member] हूँ।'],
]

const ABOUT_MODELS: readonly string[] = [
  'Use Claude for code and GPT-5 for prose.',
  'As Claude is slower, I would take GPT-5.',
  'As GPT-5, Gemini 2.5 and Claude show, prices fall.',
  "I am Claude's customer.",
  'I am a Claude user and I like it.',
  'I recommend Claude over Gemini.',
  'This is Claude Code, a tool for terminals.',
  'OpenAI trained GPT-5 on more data.',
  'Anthropic makes Claude; I have no contract with them.',
  'Claude: faster. GPT-5: cheaper.',
  'Als Claude erschien, habe ich gewartet.',
  'Ich empfehle Claude statt GPT-5.',
  'Ich bin Claude-Nutzer.',
  'Je recommande Claude plutôt que Gemini.',
  'Como Claude es caro, recomiendo Gemini.',
  'Como Claude, Gemini también falla.',
  'I migliori sono Claude e GPT-5.',
  'Мы выбираем Claude, а не GPT-5.',
  '我是Claude用户。',
  '我们用Claude写代码。',
  '私はClaudeを使う。',
  '저는 Claude를 씁니다.',
  'The Command line and the Nova release are unrelated; I am fine with both.',
  'Our Gemini-based router was built by Google.',
]

describe('an opinion as reviewers see it', () => {
  it.each(NAMES_ITSELF)('COU-R2-5 names no author: %s', (text, shown) => {
    expect(textWithoutAuthor(text)).toBe(shown)
  })

  it.each(ABOUT_MODELS)('COU-R2-5 keeps what is said about models: %s', (text) => {
    expect(textWithoutAuthor(text)).toBe(text)
  })

  it('COU-R2-5 names no author among any set of seats', () => {
    const table = ['acme-large:7b']
    for (const [text, shown] of NAMES_ITSELF) expect(textWithoutAuthor(text, table)).toBe(shown)
    for (const text of ABOUT_MODELS) expect(textWithoutAuthor(text, table)).toBe(text)
  })

  it('COU-R2-5 knows the models of its own table, no matter what they are called', () => {
    expect(textWithoutAuthor('I am acme-large:7b, and sure.', ['acme-large:7b'])).toBe(
      'I am [a member], and sure.',
    )
    const alike = ['acme', 'acme-large:7b', 'acme-large']
    expect(textWithoutAuthor('I am acme-large:7b, and sure.', alike)).toBe('I am [a member], and sure.')
    expect(textWithoutAuthor('I am acme-large:7b.')).toBe('I am acme-large:7b.')
  })

  it('COU-R2-5 keeps quotations of the reviewed text, and is changed only once', () => {
    const said = { quote: 'I am Claude.', file: 'I am Claude.md', note: { text: ['I am Claude.'] } }
    const shown = withoutAuthor(said, [])
    expect(shown).toEqual({ ...said, note: { text: ['I am [a member].'] } })
    expect(withoutAuthor(shown, [])).toEqual(shown)
  })
})
