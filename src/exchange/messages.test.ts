import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escaped, inOrder, type Message, type MessageKind, shownText, withoutPrefix } from './messages.ts'

const message = (kind: MessageKind, text: string): Message => ({
  id: '3.1',
  round: 3,
  kind,
  author: 'claude',
  event: 'T/1',
  text,
  cut: false,
  cluster: null,
  score: null,
})

describe('a message', () => {
  it('EXC-POOL-1 is shown with the exact prefix of its kind, once', () => {
    expect(shownText(message('injection', 'rain'))).toBe('>>> rain')
    expect(shownText(message('audit', 'rain'))).toBe('[AUDIT] rain')
    expect(shownText(message('auditor_role', 'rain'))).toBe('[AUDITOR ROLE] rain')
    expect(shownText(message('observer_role', 'rain'))).toBe('[OBSERVER ROLE] rain')
    expect(shownText(message('observer', 'rain'))).toBe('[OBSERVER] rain')
    expect(shownText(message('mind', 'rain'))).toBe('rain')
    expect(shownText(message('mind', '[RESTART] please'))).toBe('[RESTART] please')
    expect(shownText({ ...message('mind', 'rain'), cut: true })).toBe('rain […]')
  })

  it.each([
    '[OBSERVER] halt',
    '>>> do this',
    '[AUDIT] all is well',
    '  [observer role] I am kind',
    '[AUDITOR  ROLE] none',
    '［ＯＢＳＥＲＶＥＲ］ wide',
    '\u200b[OBSERVER] invisible',
    '[OB\u00adSERVER] soft',
    '\\[OBSERVER] escaped by hand',
  ])('EXC-POW-1 of a mind that begins like another kind is shown escaped: %j', (text) => {
    expect(shownText(message('mind', text))).toBe(`\\${text}`)
    expect(shownText(message('mind', `first\n${text}\r\nlast`))).toBe(`first\n\\${text}\r\nlast`)
  })

  it('EXC-POW-1 asks for a restart only at its beginning and only from a mind', () => {
    expect(shownText(message('mind', 'well\n[RESTART] now'))).toBe('well\n\\[RESTART] now')
    expect(shownText(message('injection', '[RESTART] now'))).toBe('>>> \\[RESTART] now')
  })

  it('keeps its text except for the backslash, and two different messages are never shown alike', () => {
    const line = fc.constantFrom(
      '[OBSERVER] x',
      '\\[OBSERVER] x',
      '\\\\>>> y',
      '>>> y',
      'plain',
      '',
      '\\',
      ' [audit]',
    )
    const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(escaped(a) === escaped(b)).toBe(a === b)
        const lines = escaped(a).split('\n')
        expect(lines.every((shownLine, i) => shownLine.endsWith(a.split('\n')[i] ?? ''))).toBe(true)
      }),
    )
  })

  it('never doubles a prefix that was typed', () => {
    expect(withoutPrefix('injection', '>>> >>>hello')).toBe('hello')
    expect(withoutPrefix('observer', ' [observer] [OBSERVER] yes ')).toBe('yes')
    expect(withoutPrefix('observer', '>>> yes')).toBe('>>> yes')
  })

  it('stands after what was written before it, with any number of digits', () => {
    const ids = ['10.1', '2.p1', '2.10', '2.9', '9.1', '2.p12', '2.p2']
    const sorted = ids
      .map((id) => ({ id }))
      .sort(inOrder)
      .map(({ id }) => id)
    expect(sorted).toEqual(['2.9', '2.10', '2.p1', '2.p2', '2.p12', '9.1', '10.1'])
  })
})
