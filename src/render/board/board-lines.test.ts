import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_PAINT } from '../plain.ts'
import { EMPTY_BOARD, type Row } from './board.ts'
import { boardLines, cellKey, EMPTY_DRAFT, extendDraft, settledLine, type Writing } from './board-lines.ts'

const written = (...deltas: readonly string[]): Writing => deltas.reduce(extendDraft, EMPTY_DRAFT)

/** Every text that stands as a value, in order. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

describe('text that a model is writing', () => {
  it('is shown as words, never as JSON', () => {
    const text =
      '{"details":{"rationale":"It \\"works\\"\\nwell \\u2013 yes","list":["one","two"]},"stance":"ado'
    expect(written(text)).toMatchObject({ words: 'It "works" well – yes ', chars: text.length })
    expect(written('```json\n{"a":"b c"}').words.trim()).toBe('b c')
    expect(written('I would say: no.').words).toBe('I would say: no.')
    expect(written('{"half a na').words).toBe('')
  })

  it('leaves out labels, and keeps a sentence of one word', () => {
    const text = '{"target":"B","part":"recommendation","severity":"high","issue":"It expires.","why":"No."}'
    expect(written(text).words).toBe('It expires. No. ')
  })

  it('is the same for any cut into pieces', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 7 }), (value, size) => {
        const text = JSON.stringify({ value })
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
        const { words } = written(...pieces)
        const wanted = textsIn({ value })
          .map((one) => one.replace(/[\n\r\t\b\f]/g, ' '))
          .filter((one) => /\s|[.!?…]$/.test(one))
          .map((one) => `${one} `)
          .join('')
        expect(words).toBe(wanted.slice(-400))
      }),
    )
  })

  it('says once what each dimension says if nothing was found', () => {
    const cell = { since: null, ms: null, tokens: null, usd: null, word: '', gist: '', lost: 0 }
    const cells = { R1: cell, R2: cell, R3: cell }
    const row = { seat: 'ada', model: null, cells } as const
    const thinking = { ...row, cells: { ...cells, R2: { ...cell, state: 'thinking' as const } } } as unknown
    const writing = new Map([
      [
        cellKey('R2', 'ada'),
        written('{"a":"It expires.","b":"none found","c":"none found","d":"none found"}'),
      ],
    ])
    const board = { ...EMPTY_BOARD, rows: [thinking as Row] }
    const lines = boardLines(board, { width: 80, paint: NO_PAINT, now: 0, writing })
    expect(lines[2]).toBe('ada   It expires. none found')
  })

  it('gives a stance the colour that it has in the report', () => {
    const paint = { ...NO_PAINT, green: (text: string) => `G${text}`, red: (text: string) => `R${text}` }
    const cell = { state: 'done', since: null, ms: null, tokens: null, usd: null, gist: '', lost: 0 } as const
    const line = (word: string): string =>
      settledLine({ seat: 'ada', round: 'R1', cell: { ...cell, word } }, { width: 80, paint, now: 0 })
    expect(['adopt', 'approve', 'reject', 'request changes', 'need-info'].map(line)).toEqual([
      'R1 ada Gadopt',
      'R1 ada Gapprove',
      'R1 ada Rreject',
      'R1 ada Rrequest changes',
      'R1 ada need-info',
    ])
  })

  it('stands below the board with characters, seconds, cost and the total time', () => {
    const cell = { since: null, ms: null, tokens: null, usd: null, word: '', gist: '', lost: 0 }
    const waiting = { ...cell, state: 'waiting' } as const
    const row: Row = {
      seat: 'claude',
      model: null,
      cells: {
        R1: { ...cell, state: 'thinking', since: '2026-11-16T10:00:00.000Z' },
        R2: waiting,
        R3: waiting,
      },
    }
    const board = { ...EMPTY_BOARD, rows: [row], since: '2026-11-16T09:59:58.000Z' }
    const now = Date.parse('2026-11-16T10:00:04.200Z')
    const writing = new Map([
      [cellKey('R1', 'claude'), written(`{"summary":"${'word '.repeat(40)}\u001b[2J the end"`)],
    ])
    const lines = boardLines(board, { width: 80, paint: NO_PAINT, now, writing })
    expect(lines.map((line) => line.trimEnd())).toEqual([
      'seat    R1 opinion              R2 review               R3 report',
      'claude  225 chars 4.2 s         waiting                 waiting',
      'claude  … word word word word word word word word word word \\x1b[2J the end',
      '0 answered · 1 at work · $0 · 6.2 s',
    ])
  })
})
