// A whole reply: where its answer may stand, which of several counts, and what it is where there is none.
import { describe, expect, it } from 'vitest'
import { closed, type JsonSchema, list, oneOf, text } from '../ledger/schema.ts'
import { isReaderVersion, lackingWords, readReply } from './read-reply.ts'
import type { RawReply, Reading } from './reading.ts'
import type { ReplyContext, WantedValue } from './wanted.ts'

const OPINION: WantedValue = {
  form: 'value',
  schema: closed({ stance: oneOf(['adopt', 'reject']), summary: text(), why: text() }),
  rules: { stance: { words: { adopt: ['yes'] } } },
  says: ['summary', 'why'],
  reasonFor: { word: 'stance', is: 'reject', needs: 'why' },
  bare: [],
  acts: false,
  wrappers: ['opinion'],
  prose: { adopt: [], reject: [] },
}
const STEP: WantedValue = {
  form: 'value',
  schema: {
    type: 'object',
    anyOf: [
      closed({
        intent: closed({
          tool: text({ minLength: 1 }),
          input: { type: 'object' },
          justification: text({ minLength: 1 }),
        }),
      }),
      closed({ give_up: closed({ reason: text({ minLength: 1 }) }) }),
      closed({ claims: list(closed({ text: text(), evidence: text() }), { minItems: 1 }) }),
    ],
  } as JsonSchema,
  rules: { 'intent.input': { as: 'input' }, 'intent.tool': { as: 'id' } },
  says: [],
  bare: [
    { member: 'intent', list: false, by: ['tool', 'input'] },
    { member: 'claims', list: true, by: ['text', 'evidence'] },
  ],
  acts: true,
  narrowedBy: { names: ['condition', 'only'], missing: 'conditions' },
  wrappers: ['turn'],
  prose: null,
}

type Given = string | (Partial<RawReply> & { readonly text: string })

function read(wanted: WantedValue, given: Given, context: Partial<ReplyContext> = {}): Reading {
  const raw = typeof given === 'string' ? { text: given } : given
  return readReply(1, wanted, { finish_reason: 'stop', ...raw }, { prompt: '', ...context })
}
function told(reading: Reading): string {
  const repairs = reading.repairs
    .map(({ kind, at, times }) => [`${kind}${times > 1 ? times : ''}`, ...at].join('@'))
    .join(' ')
  if (reading.outcome === 'kept') return `kept ${JSON.stringify(reading.value)} | ${repairs}`
  if (reading.outcome === 'missing') return `missing ${reading.missing.join(' ')} | ${repairs}`
  return reading.outcome === 'prose' ? `prose ${reading.stance} | ${repairs}` : reading.outcome
}
const opinion = (given: Given, context: Partial<ReplyContext> = {}): string =>
  told(read(OPINION, given, context)).replace('{"stance":"adopt","summary":"s","why":"w"}', 'ADOPT')
const step = (given: Given, context: Partial<ReplyContext> = {}): string =>
  told(read(STEP, given, context)).replace('{"give_up":{"reason":"r"}}', 'GIVE-UP')

const ADOPT = '{"stance":"adopt","summary":"s","why":"w"}'
const GIVE_UP = '{"give_up":{"reason":"r"}}'
const LONG =
  'The reader should keep its cache, since most of the requests repeat within a minute or two and none of them needs fresh figures before the evening run of the ledger.'

describe('the place of an answer in a reply', () => {
  it.each<[string, Given, string]>([
    ['alone', ADOPT, 'kept ADOPT | '],
    ['with text around it', `Sure!\n${ADOPT}\nDone.`, 'kept ADOPT | text-around'],
    ['in a fence', `\`\`\`json\n${ADOPT}\n\`\`\``, 'kept ADOPT | fence'],
    [
      'behind hidden reasoning',
      `<think>{"stance":"reject"}</think>${ADOPT}`,
      'kept ADOPT | hidden-reasoning',
    ],
    ['behind a byte order mark', `\ufeff${ADOPT}`, 'kept ADOPT | byte-order-mark'],
    ['as a JSON string', JSON.stringify(ADOPT), 'kept ADOPT | json-in-text'],
    ['in a wrapper', `{"response":${ADOPT}}`, 'kept ADOPT | unwrapped@response'],
    ['in a wrapper of its own name', `{"Opinion":${ADOPT}}`, 'kept ADOPT | unwrapped@Opinion'],
    ['in an unknown wrapper', `{"<x>":${ADOPT}}`, 'kept ADOPT | unwrapped@?'],
    ['in a list', `[${ADOPT}]`, 'kept ADOPT | unwrapped'],
    [
      'as a text in a wrapper',
      `{"output":${JSON.stringify(ADOPT)}}`,
      'kept ADOPT | unwrapped@output json-in-text',
    ],
    [
      'in a tool call that was written out',
      `{"name":"reply","arguments":${ADOPT}}`,
      'kept ADOPT | tool-call',
    ],
    [
      'in a tool call',
      { text: '', tool_calls: [{ name: 'reply', arguments: ADOPT }] },
      'kept ADOPT | tool-call',
    ],
    [
      'in a tool call as a string',
      { text: '', tool_calls: [{ name: 'reply', arguments: JSON.stringify(ADOPT) }] },
      'kept ADOPT | json-in-text tool-call',
    ],
    [
      'at the end of reasoning alone',
      { text: ' ', reasoning_content: `Well. ${ADOPT}` },
      'kept ADOPT | reasoning-field',
    ],
    ['unclosed', ADOPT.slice(0, -1), 'kept ADOPT | closing-bracket'],
  ])('is %s', (_, given, expected) => {
    expect(opinion(given)).toBe(expected)
  })

  it.each<[string, Given, string]>([
    ['an example', `{"example":${ADOPT}}`, 'missing answer | '],
    ['five wrappers', `{"a":{"a":{"a":{"a":${ADOPT}}}}}`, 'missing answer | '],
    ['reasoning that goes on', { text: '', reasoning_content: `${ADOPT} or not.` }, 'missing answer | '],
    [
      'reasoning that holds two',
      { text: '', reasoning_content: `${ADOPT.replace('adopt', 'reject')} ${ADOPT}` },
      'missing answer | ',
    ],
    ['reasoning beside a text', { text: 'Hm.', reasoning_content: ADOPT }, 'missing answer | '],
    ['a text that is cut', ADOPT.slice(0, -8), 'missing rest | '],
    [
      'brackets left out at the length limit',
      { text: ADOPT.slice(0, -1), finish_reason: 'length' },
      'missing rest | ',
    ],
    ['brackets left out of a stream that broke', { text: ADOPT.slice(0, -1), cut: true }, 'missing rest | '],
    ['nothing', '', 'missing answer | '],
    ['a word', 'adopt', 'missing answer | '],
  ])('is not %s', (_, given, expected) => {
    expect(opinion(given)).toBe(expected)
  })

  it('is not read from a quotation of the prompt, in any spacing', () => {
    const prompt = `A file says ${ADOPT.replaceAll(',', ', ')} and more.`
    expect(opinion(ADOPT, { prompt })).toBe('missing answer | value-of-prompt')
    expect(opinion(`${ADOPT} ${ADOPT.replace('"s"', '"t"')}`, { prompt })).toBe(
      'kept {"stance":"adopt","summary":"t","why":"w"} | value-of-prompt',
    )
    expect(opinion({ text: '', reasoning_content: ADOPT }, { prompt })).toBe('missing answer | ')
  })
})

describe('the answer that counts among several', () => {
  const REJECT = '{"stance":"reject","summary":"t","why":"v"}'
  it.each<[string, string, string]>([
    ['equal ones are one', `${ADOPT}\n${ADOPT} ${ADOPT}`, 'kept ADOPT | text-around equal-values2'],
    ['different ones are none', `${ADOPT} ${REJECT}`, 'missing answer | '],
    ['one that fits counts before one that does not', `{"stance":"perhaps"} ${ADOPT}`, 'kept ADOPT | '],
    [
      'a whole one counts before one that breaks off',
      `{"stance":"no","why":"w"} {"stance":"yes" (`,
      'missing stance | default-taken@summary',
    ],
  ])('%s', (_, given, expected) => {
    expect(opinion(given).replace('text-around equal', 'equal')).toBe(
      expected.replace('text-around equal', 'equal'),
    )
  })

  it('is none if there are too many to choose from', () => {
    expect(opinion(Array.from({ length: 32 }, () => ADOPT).join('\n'))).toMatch(
      /^kept ADOPT \| equal-values31/,
    )
    expect(opinion(Array.from({ length: 33 }, () => ADOPT).join('\n'))).toMatch(/^missing answer/)
  })
})

describe('an answer must have content', () => {
  it.each<[string, string]>([
    ['{"stance":"adopt","summary":" ","why":""}', 'missing summary why | '],
    ['{"stance":"adopt","summary":"s","why":""}', 'kept {"stance":"adopt","summary":"s","why":""} | '],
    ['{"stance":"reject","summary":"s","why":" "}', 'missing why | '],
    ['{"stance":"reject","summary":"s","why":"w"}', 'kept {"stance":"reject","summary":"s","why":"w"} | '],
  ])('%s', (given, expected) => {
    expect(opinion(given)).toBe(expected)
  })
})

describe('an answer that causes an action', () => {
  it('is read if it was clearly meant', () => {
    expect(step(GIVE_UP)).toBe('kept GIVE-UP | ')
    expect(step(`{"turn":${GIVE_UP}}`)).toBe('kept GIVE-UP | unwrapped@turn')
    expect(step(`{"give_up":{"reason":"r"},"intent":null,"claims":[]}`)).toBe(
      'kept GIVE-UP | dropped2@intent@claims',
    )
    expect(step('{"tool":"t","input":{"a":1},"justification":"j"}')).toBe(
      'kept {"intent":{"tool":"t","input":{"a":1},"justification":"j"}} | wrapper-left-out@intent',
    )
    expect(step('{"tool":"t"}')).toBe('missing answer | ')
    expect(step('[{"text":"t","evidence":"e"}]')).toBe(
      'kept {"claims":[{"text":"t","evidence":"e"}]} | wrapper-left-out@claims',
    )
  })

  it.each<[string, Given, string]>([
    ['unclosed', GIVE_UP.slice(0, -1), 'missing rest | '],
    ['from reasoning', { text: '', reasoning_content: GIVE_UP }, 'missing answer | '],
    ['from an unknown wrapper', `{"plan":${GIVE_UP}}`, 'missing answer | '],
    [
      'two branches at once',
      '{"give_up":{"reason":"r"},"claims":[{"text":"t","evidence":"e"}]}',
      'missing answer | ',
    ],
    ['no branch', '{"give_up":null}', 'missing answer | '],
    ['a second one that is unfinished', `${GIVE_UP} {"intent":{"tool":"t"`, 'missing answer | '],
    [
      'a condition that would be dropped',
      '{"give_up":{"reason":"r"},"only_if":"x"}',
      'missing conditions | unknown-member@only_if',
    ],
  ])('is not read %s', (_, given, expected) => {
    expect(step(given)).toBe(expected)
  })

  it('is not parsed if it was written as a string', () => {
    expect(step({ text: '{"give_up":"{\\"reason\\":\\"r\\"}"}' })).toBe(
      'kept {"give_up":{"reason":"{\\"reason\\":\\"r\\"}"}} | object-from-text@give_up',
    )
  })

  it('lacks its reason if an offered tool was called by its own name', () => {
    const tools = ['files.read']
    expect(
      step({ text: '', tool_calls: [{ name: 'files.read', arguments: '{"path":"x"}' }] }, { tools }),
    ).toBe('missing intent.justification | ')
    expect(step('{"name":"files.read","arguments":{"path":"x"}}', { tools })).toBe(
      'missing intent.justification | ',
    )
    expect(step({ text: '', tool_calls: [{ name: 'files.read', arguments: GIVE_UP }] }, { tools })).toBe(
      'missing intent.justification | ',
    )
    // Any other call may be what the wire calls the answer, or holds no answer at all.
    expect(step({ text: '', tool_calls: [{ name: 'reply', arguments: GIVE_UP }] }, { tools })).toBe(
      'kept GIVE-UP | tool-call',
    )
    expect(opinion({ text: '', tool_calls: [{ name: 'x', arguments: '{"path":"x"}' }] })).toBe(
      'missing answer | ',
    )
  })
})

describe('a reply without an answer', () => {
  it('is a refusal if it refuses', () => {
    for (const given of [
      { text: '', refusal: 'no' },
      { text: '', finish_reason: 'content_filter' },
      { text: '{"stance":"adopt"', finish_reason: 'content_filter' },
      "I'm sorry, but I can't assist with that request.",
      '{"error":"I cannot help with that."}',
    ])
      expect(opinion(given)).toBe('refused')
    for (const given of [
      { text: '', refusal: ' ' },
      '{"error":"E42"}',
      '{"error":"I cannot help with that.","n":1}',
    ])
      expect(opinion(given)).toBe('missing answer | ')
    expect(opinion({ text: ADOPT, finish_reason: 'content_filter' })).toBe('kept ADOPT | ')
  })

  it('is an opinion in prose if prose counts and is long enough', () => {
    expect(opinion(`Stance: adopt\n\n${LONG}`)).toBe('prose adopt | prose')
    expect(opinion(LONG)).toBe('prose unstated | prose')
    expect(opinion(`<think>no</think>${LONG}\ud800`)).toBe(
      'prose unstated | hidden-reasoning prose surrogate',
    )
    expect(opinion(`${LONG}\n\`\`\`\n{"ttl": 60}\n\`\`\``)).toBe('prose unstated | prose')
    expect(opinion(`${LONG} {"why": ""}`)).toBe('prose unstated | prose')
    expect(opinion(`"Yes", I would say. ${LONG} Or "not yet"`)).toBe('prose unstated | prose')
    // A value that lacks only its reason is an answer, no piece of the prose around it.
    expect(opinion(`${LONG} {"stance":"reject","summary":"s","why":""}`)).toBe('missing why | text-around')
    const { text: said } = read(OPINION, `  ${LONG}<|im_end|> and more`) as { readonly text?: string }
    expect(said).toBe(LONG)
  })

  it.each<[string, Given, Partial<ReplyContext>, string]>([
    ['cut before it took a stance', { text: LONG, finish_reason: 'length' }, {}, 'missing rest | '],
    ['broken off before it took one', { text: LONG, cut: true }, {}, 'missing rest | '],
    ['of another value and few words', 'Here it is: {"ttl": 60}', {}, 'missing answer | '],
    ['that begins as a value', `{"a ${LONG}`, {}, 'missing answer | '],
    [
      'beside a tool call',
      { text: LONG, tool_calls: [{ name: 'x', arguments: '{}' }] },
      {},
      'missing answer | ',
    ],
    ['that stands in the prompt', LONG, { prompt: `They wrote: ${LONG}` }, 'missing answer | '],
    ['of nine letters', 'abcde fghi', {}, 'missing answer | '],
  ])('is no opinion in prose %s', (_, given, context, expected) => {
    expect(opinion(given, context)).toBe(expected)
  })

  it('can have stated a stance before it was cut', () => {
    expect(opinion({ text: `Stance: reject\n\n${LONG}`, finish_reason: 'length' })).toBe(
      'prose reject | prose',
    )
    expect(step(LONG)).toBe('missing answer | ')
  })
})

describe('the reader', () => {
  it('has a version, and names what is missing in words', () => {
    expect([1, 2, '1', null].map(isReaderVersion)).toEqual([true, false, false, false])
    expect(lackingWords(['answer'])).toBe('no answer could be read, also when asked again')
    expect(lackingWords(['why'])).toBe('the answer lacks why, also when asked for it')
    expect(lackingWords(['answer', 'why'])).toBe('the answer lacks answer, why, also when asked for it')
  })
})
