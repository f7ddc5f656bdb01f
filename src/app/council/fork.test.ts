// Who is shown by a fork what they were not shown before, and what counts as the contents of a folder.

import { describe, expect, it } from 'vitest'
import type { ContextRecord } from '../../council/context.ts'
import type { Amendment, CouncilOpened } from '../../council/events.ts'
import type { CouncilState } from '../../council/state.ts'
import { sharingOf } from './fork.ts'

const NONE: ContextRecord = { kind: 'none', files: [], excluded: {}, bytes: 0, tokens: null, diff: null }
const FILE = { path: 'README.md', lines: 3, bytes: 40 }
const seat = (provider: string, embedded = false) => ({ seat: provider, provider, embedded })

function shared(context: Partial<ContextRecord>, seats: readonly object[], follow: object | null = null) {
  const state = { seats: [seat('a'), seat('b')], openedEvent: '01ARZ3NDEKTSV4RRFFQ69G5FAV/0' }
  const opened = { context: { ...NONE, ...context }, follow }
  return sharingOf(
    state as unknown as CouncilState,
    opened as unknown as CouncilOpened,
    { seats } as unknown as Amendment,
  )
}

describe('the files that a fork shows to new providers', () => {
  const newcomer = [seat('a'), seat('c'), seat('c')]

  it('COU-C-2 VOX-14 are those of a folder, of a session that called the council, and of a report that is followed up', () => {
    const told = { trace: '01ARZ3NDEKTSV4RRFFQ69G5FAV', providers: ['c'] }
    expect(shared({ kind: 'full', files: [FILE], bytes: 40, tokens: 12 }, newcomer)).toEqual({
      ...told,
      files: 1,
      bytes: 40,
    })
    expect(shared({ kind: 'full', bytes: 900 }, newcomer)).toMatchObject({ ...told, bytes: 900 })
    expect(shared({}, newcomer, { question: 'Why?' })).toMatchObject(told)
  })

  it('COU-C-2 VOX-14 are none if no folder was read, no provider is new, or only checks are new', () => {
    expect(shared({}, newcomer)).toBeNull()
    expect(shared({ kind: 'full', files: [FILE], bytes: 40 }, newcomer)).toBeNull()
    const folder = { kind: 'full', files: [FILE], bytes: 40, tokens: 12 } as const
    expect(shared(folder, [seat('b'), seat('a')])).toBeNull()
    expect(shared(folder, [seat('a'), seat('embedded', true)])).toBeNull()
  })
})
