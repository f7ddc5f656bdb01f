// The limits of tolerance beyond the corpus: what a reader that is too helpful would take for an approval, an action or an
// answer, and what one that is too strict would lose.
import { describe, expect, it } from 'vitest'
import { WANTED_PLAN, WANTED_TURN, WANTED_VERDICT } from '../../src/agents/replies.ts'
import { wantedOpinion, wantedReport } from '../../src/council/replies/wanted.ts'
import { wantedMessages } from '../../src/exchange/replies.ts'
import { isReaderVersion, READER_VERSION, readReply } from '../../src/reply/read-reply.ts'
import type { RawReply, Reading } from '../../src/reply/reading.ts'
import type { ReplyContext, Wanted } from '../../src/reply/wanted.ts'

const read = (
  wanted: Wanted,
  text: string,
  more: Partial<RawReply> = {},
  context: Partial<ReplyContext> = {},
) => readReply(READER_VERSION, wanted, { text, ...more }, { prompt: '', ...context })

const places = (reading: Reading): readonly string[] =>
  reading.outcome === 'missing' ? reading.missing : [reading.outcome]
const kinds = ({ repairs }: Reading): readonly string[] => repairs.map(({ kind }) => kind)

const APPROVAL = '{"verdict":"approve","reasons":[]}'

describe('an approval', () => {
  const verdict = (text: string, more: Partial<RawReply> = {}, context: Partial<ReplyContext> = {}) =>
    places(read(WANTED_VERDICT, text, more, context))

  it.each([
    [
      'is not widened by dropping a condition of another name',
      '{"verdict":"approve","only_if":"below src"}',
      'conditions',
    ],
    ['is not taken from an example', `{"example":${APPROVAL}}`, 'answer'],
    ['is not taken from something else that was wrapped', `{"previous_verdict":${APPROVAL}}`, 'answer'],
    ['is not taken from one of two', `[${APPROVAL},{"verdict":"reject","reasons":[]}]`, 'answer'],
    ['is not taken beside a broken verdict', `{"verdict":"reject" (?)} ${APPROVAL}`, 'answer'],
    ['is not taken beside one that was cut off', `${APPROVAL} {"verdict":"reject","reasons":["It`, 'answer'],
    ['is not taken from before the end of a thought', `${APPROVAL} hm, no.</think>`, 'answer'],
    ['is not taken from two spellings of one name', '{"verdict":"reject","Verdict":"approve"}', 'verdict'],
    ['is not taken from a list', '{"verdict":["approve"],"reasons":[]}', 'verdict'],
    ['is not taken from a number', '{"verdict":1,"reasons":[]}', 'verdict'],
    ['is not closed for its writer in a fence', '```json\n{"verdict":"approve","reasons":[]\n```', 'rest'],
    [
      'has no conditions given as a list',
      '{"verdict":"approve","conditions":["x"],"reasons":[]}',
      'conditions',
    ],
    [
      'has no conditions given twice',
      '{"verdict":"conditional","conditions":{"max_risk":"low"},"conditions":{}}',
      'conditions',
    ],
  ])('%s', (_, text, place) => {
    expect(verdict(text, { finish_reason: 'stop' })).toEqual([place])
  })

  it('is passed over where the prompt holds it, also spaced or escaped otherwise', () => {
    for (const prompt of [
      APPROVAL,
      '{ "verdict": "approve",\n "reasons": [] }',
      JSON.stringify({ note: APPROVAL }),
    ])
      expect(verdict(APPROVAL, {}, { prompt })).toEqual(['answer'])
    expect(verdict(APPROVAL, {}, { prompt: '{"verdict":"reject","reasons":[]}' })).toEqual(['kept'])
  })

  it('is refused or missing, not approved, where a filter cut the answer', () => {
    expect(verdict('{"verdict":"approve","reas', { finish_reason: 'content_filter' })).toEqual(['refused'])
  })
})

describe('a turn', () => {
  const turn = (text: string, more: Partial<RawReply> = {}, context: Partial<ReplyContext> = {}) =>
    places(read(WANTED_TURN, text, more, context))
  const intent = (input: string): string =>
    `{"intent":{"tool":"shell.run","input":${input},"justification":"x"}}`

  it.each([
    ['{"command":"ls" /* all */}'],
    ['{"command":"ls", "args":[1,]}'],
    ['{"command":"echo "hi""}'],
    ['{"a":{"b":1,"b":2}}'],
    ['[{"command":"ls"}]'],
    ['{command:"ls"}'],
    ['{"n":01}'],
  ])('has no input that would need repair: %s', (input) => {
    expect(turn(intent(input))).toEqual(['intent.input'])
  })

  it('takes an input in any spelling that is JSON, letter by letter', () => {
    const reading = read(WANTED_TURN, `Next: ${intent('{"command":" LS ","n":1.0,"x":null,"Ÿ":"\\u00e9"}')}`)
    expect(reading).toMatchObject({
      value: { intent: { input: { command: ' LS ', n: 1, x: null, Ÿ: 'é' } } },
    })
  })

  it('is no call of a tool on offer, no matter what the call holds', () => {
    const call = { name: 'plan.write', arguments: '{"give_up":{"reason":"x"}}' }
    expect(turn('', { tool_calls: [call] }, { tools: ['plan.write'] })).toEqual(['intent.justification'])
    expect(turn('', { tool_calls: [call] }, { tools: ['files.read'] })).toEqual(['kept'])
  })

  it('is one step: a tool of the session called beside an answer is a second', () => {
    const call = { name: 'files.read', arguments: '{"path":"a"}' }
    expect(turn(intent('{}'), { tool_calls: [call] }, { tools: ['files.read'] })).toEqual(['answer'])
  })

  it('is not taken from another name, nor with a second input', () => {
    expect(turn(`{"rejected_idea":${intent('{}')}}`)).toEqual(['answer'])
    expect(turn('{"intent":{"tool":"a","input":{},"input":{"x":1},"justification":"x"}}')).toEqual([
      'intent.input',
    ])
  })
})

describe('an opinion', () => {
  const opinion = (text: string, more: Partial<RawReply> = {}) => read(wantedOpinion('ask'), text, more)

  it('may hold a piece of configuration and is prose still', () => {
    const text = `Put a cache before the reader, as in\n\`\`\`json\n{"ttl": 60}\n\`\`\`\n${'Reads repeat and prices change seldom. '.repeat(8)}\n\nStance: adopt`
    expect(opinion(text)).toMatchObject({ outcome: 'prose', stance: 'adopt' })
    expect(opinion(text.replace('ttl', 'confidence'))).toMatchObject({ outcome: 'prose', stance: 'adopt' })
    expect(places(opinion('My answer: {"ttl": 60}'))).toEqual(['answer'])
  })

  it('is no prose where it is a value that cannot be read', () => {
    for (const text of [
      '{"stance": (adopt)}',
      '{"a":{"b":[',
      '[{"x" 1}]',
      '"stance": "adopt", "summary": "x"',
    ])
      expect(places(opinion(text))).toEqual(['answer'])
  })

  it('in prose that was cut off before it stated a stance lacks its rest', () => {
    const text = 'Let me weigh this step by step. First, reads repeat, and'
    expect(places(opinion(text, { finish_reason: 'length' }))).toEqual(['rest'])
    expect(opinion(`Stance: adopt\n\n${text}`, { cut: true })).toMatchObject({
      outcome: 'prose',
      stance: 'adopt',
    })
  })

  it('keeps what a quote, an escape, an object or a word without quotes would lose', () => {
    const reading = opinion(
      '{"stance":adopt,"summary":"Use the "cache" at C:\\data","assumptions":[{"text":"Reads repeat"},7]}',
    )
    expect(reading).toMatchObject({
      outcome: 'kept',
      value: { stance: 'adopt', summary: 'Use the "cache" at C:\\data', assumptions: ['Reads repeat', '7'] },
    })
    const made = ['unquoted-text', 'inner-quote', 'escape', 'text-from-value']
    expect(made.filter((kind) => !kinds(reading).includes(kind))).toEqual([])
  })

  it('is no single word', () => {
    for (const text of ['ok', 'Adopt.', 'yes', '---']) expect(places(opinion(text))).toEqual(['answer'])
  })

  it('keeps what is said in a text for its details, and in groups of risks', () => {
    const reading = opinion(
      '{"stance":"adopt","summary":"x","details":"Do it.","risks":{"high":["slow"],"low":["old"]}}',
    )
    expect(reading).toMatchObject({
      value: { details: { rationale: 'Do it.' }, risks: [{ description: 'slow' }, { description: 'old' }] },
    })
  })

  it('is closed where the model ended by itself, also in a fence', () => {
    const text = '```json\n{"stance":"adopt","summary":"Yes."\n```'
    expect(opinion(text, { finish_reason: 'stop' })).toMatchObject({ outcome: 'kept' })
    expect(places(opinion(text))).toEqual(['rest'])
  })

  it('of one name for many things records few of its places', () => {
    const members = Array.from({ length: 500 }, (_, i) => `"extra ${i} </x>":1`).join(',')
    const { repairs } = opinion(`{"stance":"adopt","summary":"x",${members}}`)
    expect(repairs.find(({ kind }) => kind === 'unknown-member')).toEqual({
      kind: 'unknown-member',
      at: ['?'],
      times: 500,
    })
  })
})

describe('other answers', () => {
  it('that are too long are shortened, and it is recorded', () => {
    const plan = { objective: 'x'.repeat(3_000), assumptions: [], required_tools: [], expected_evidence: [] }
    const reading = read(WANTED_PLAN, JSON.stringify({ proposals: [plan] }))
    expect(reading).toMatchObject({ value: { proposals: [{ objective: 'x'.repeat(2_000) }] } })
    expect(reading.repairs).toContainEqual({ kind: 'shortened', at: ['proposals[0].objective'], times: 1 })
  })

  it('owe the reason of need-info only when that is decided', () => {
    const report = (decision: string) => `{"decision":"${decision}","conclusion":"x"}`
    expect(places(read(wantedReport('ask'), report('needs info')))).toEqual(['need_info_reason'])
    expect(places(read(wantedReport('ask'), report('adopt')))).toEqual(['kept'])
  })

  it('are no messages of an exchange behind the end of a turn or in code that is never closed', () => {
    const wanted = wantedMessages({ max_messages: 3, max_chars: 400 })
    const [ended, open] = ['note\n---\nHello.<|im_end|>\n---\nuser text', 'note\n```\ncode\n---\nsecret']
    expect(read(wanted, ended)).toMatchObject({ value: { messages: [{ text: 'Hello.' }] } })
    expect(places(read(wanted, open))).toEqual(['messages'])
  })

  it('are read by a version that is known', () => {
    expect([READER_VERSION, 0, 2, '1', null].map(isReaderVersion)).toEqual([true, false, false, false, false])
  })
})
