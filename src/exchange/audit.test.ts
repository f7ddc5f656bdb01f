import { describe, expect, it } from 'vitest'
import { type AuditGround, auditText, readAudit } from './audit.ts'
import type { Message } from './messages.ts'

const message = (id: string, cluster: string | null): readonly [string, Message] => [
  id,
  {
    ...{ id, round: 1, kind: 'mind', author: 'claude', event: 'T/1', text: id, cut: false, score: null },
    cluster,
  },
]
const GROUND: AuditGround = {
  material: new Map([message('1.1', 'c1'), message('1.2', null), message('2.1', 'c2')]),
  clusters: ['c1', 'c2', 'c3'].map((id) => ({ id, label: id, size: 1, share: 0.3 })),
}
const point = (text: string, cites: readonly string[], clusters: readonly string[] = []) => ({
  text,
  cites,
  clusters,
})
const read = (points: readonly object[], summary = 'Two themes.') => {
  const audit = readAudit({ summary, points }, GROUND)
  if (typeof audit === 'string') throw new Error(audit)
  return audit
}

describe('EXC-AUD-2 an audit of the pool', () => {
  it('lists each cluster that no valid point names or cites', () => {
    expect(read([]).left_out).toEqual(['c1', 'c2', 'c3'])
    expect(read([point('a', ['1.1'])]).left_out).toEqual(['c2', 'c3'])
    expect(read([point('a', ['1.2'], ['c3'])]).left_out).toEqual(['c1', 'c2'])
    expect(read([point('a', ['1.1', '2.1'], ['c3'])]).left_out).toEqual([])
    // A point that is set aside speaks of nothing.
    expect(read([point('a', ['9.9'], ['c3'])]).left_out).toEqual(['c1', 'c2', 'c3'])
  })

  it('has each id once, without white space, and only shown ids in a valid point', () => {
    expect(read([point('a', [' 1.1', '1.1', '9.9', '2.1 '], ['c1 ', 'c1', 'c9'])]).points).toEqual([
      point('a', ['1.1', '2.1'], ['c1']),
    ])
    expect(read([point('a', ['', ' 9.9 ', 'y'.repeat(70)])]).rejected).toEqual([
      point('a', ['9.9', 'y'.repeat(64)]),
    ])
  })

  it('is limited: twenty points, two thousand characters each, and no empty one', () => {
    const many = read([
      ...Array.from({ length: 30 }, (_, i) => point(`point ${i}`, ['1.1'])),
      point('unheard', ['1.1']),
    ])
    expect(many.points.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, i) => `point ${i}`))
    const long = read(
      [point(` ${'x'.repeat(1_999)}😀`, ['1.1']), point('  ', ['1.1'])],
      ` ${'y'.repeat(2_001)}`,
    )
    expect(long.points.map(({ text }) => text)).toEqual([`${'x'.repeat(1_999)}\ufffd`])
    expect(long.summary).toBe('y'.repeat(2_000))
  })

  it('is refused without a summary or in another shape, with the reason', () => {
    expect(readAudit({ summary: ' \n', points: [] }, GROUND)).toBe('the audit says nothing')
    expect(readAudit({ summary: 'x' }, GROUND)).toContain('the audit is misshapen: ')
    expect(readAudit('x', GROUND)).toContain('misshapen')
  })

  it('enters the pool as its summary and points, each with what it cites', () => {
    expect(auditText(read([point('Rain.', ['1.1', '2.1']), point('Snow.', ['1.2'])]))).toBe(
      'Two themes.\n- Rain. (1.1, 2.1)\n- Snow. (1.2)',
    )
  })
})
