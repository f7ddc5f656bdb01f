// Editions over all three protocols: what the first recorded stays to the letter, what is not known is refused, and a
// fork keeps its parent's. And the marks of the second: none that one prompt uses is ever shown in another.

import { describe, expect, it } from 'vitest'
import { canonicalize } from '../src/ledger/canonical.ts'
import { FORKED } from '../src/ledger/fork.ts'
import { renderPrompt } from '../src/ledger/prompt.ts'
import type { Occurrence } from '../src/protocol.ts'
import { hashOf } from './support/agents-world.ts'
import {
  agentsIn,
  councilIn,
  type EditionRun,
  exchangeIn,
  requestsOf,
  type Shown,
} from './support/edition-runs.ts'
import { KNOWN } from './support/frozen.ts'

const RUNS = [
  ['council/1', councilIn],
  ['agents/1', agentsIn],
  ['exchange/1', exchangeIn],
] as const

/** Of all that is recorded, requests and replies by their hashes. */
const digest = ({ events }: EditionRun): string =>
  hashOf(canonicalize(events.map(({ type, payload }) => ({ type, payload })) as never)).slice(0, 16)

describe('edition 1', () => {
  it.each([
    ['council/1', councilIn, 8, '0a7ed216556f9b12'],
    ['agents/1', agentsIn, 15, '0c3e995cff5600e5'],
    ['exchange/1', exchangeIn, 9, '9ab532afeccd9862'],
  ])(
    'VER-3 of %s records to the letter what it did before editions were named',
    (_, runIn, askings, pinned) => {
      const run = runIn(null)
      expect([requestsOf(run).length, digest(run)]).toEqual([askings, pinned])
    },
  )
})

/** Codes of tags and marks of fences, as they are in the prompt of this reader. */
const marksOf = ({ parts }: Shown): readonly string[] =>
  parts.flatMap(({ name, text }) => {
    if (name === 'tag') return [/^<\/?[a-z-]+-([0-9a-f]{12})\b/.exec(text)?.[1] ?? '']
    return [/^<[a-z]+-([0-9a-f]{16}) label=/.exec(text)?.[1] ?? []].flat()
  })

/** Each prompt once: round one of a council asks every seat with the same. */
const promptsIn = (shown: readonly Shown[]): readonly Shown[] => {
  const texts = shown.map(({ system, parts }) => system + renderPrompt(parts))
  return shown.filter((_, i) => texts.indexOf(texts[i] ?? '') === i)
}

const distinct = (items: readonly string[]): readonly string[] => [...new Set(items)]

describe.each(RUNS)('the marks in the prompts of %s', (_, runIn) => {
  it('COU-P-3 are of one prompt alone: no other prompt and no reply holds them', () => {
    const run = runIn(2)
    expect(requestsOf(run).length).toBeGreaterThan(7)
    const shown = promptsIn(requestsOf(run))
    expect(shown.length).toBeGreaterThan(5)
    for (const one of shown) {
      const marks = distinct(marksOf(one))
      expect(marks.length).toBeGreaterThan(0)
      expect(marks).not.toContain('')
      for (const other of shown) {
        if (other === one) continue
        const text = other.system + renderPrompt(other.parts)
        expect(marks.filter((mark) => text.includes(mark))).toEqual([])
      }
    }
  })

  it('COU-P-3 stay of one prompt alone where minds answer with all that they were shown', () => {
    const shown = promptsIn(requestsOf(runIn(2, true)))
    const marks = shown.map((one) => distinct(marksOf(one)))
    expect(new Set(marks.flat()).size).toBe(marks.flat().length)
    const quoted = shown.map((one) => renderPrompt(one.parts))
    const leaked = marks.flat().filter((mark) => quoted.filter((text) => text.includes(mark)).length > 1)
    expect(leaked.length).toBeGreaterThan(0)
    for (const [i, own] of marks.entries()) {
      const said = shown
        .slice(0, i)
        .map((one) => renderPrompt(one.parts))
        .join('\n')
      expect(own.filter((mark) => said.includes(mark))).toEqual([])
    }
  })

  it('COU-P-3 were shared in edition 1, where that is how it was', () => {
    const marks = requestsOf(runIn(null)).map((one) => distinct(marksOf(one)))
    const isShared = new Set(marks.flat()).size < marks.flat().length
    expect(isShared).toBe(runIn !== exchangeIn)
  })
})

describe('an edition', () => {
  const OPENINGS = RUNS.map(([id, runIn]) => [id, runIn(2).events[0]] as const)
  const protocolOf = (id: string) => {
    const found = KNOWN.find((protocol) => protocol.id === id)
    if (!found) throw new Error(`no ${id}`)
    return found
  }
  const actors: Record<string, Occurrence['actor']> = {
    'council/1': { agent: 'olga', role: 'convener', key: 'olga' },
    'agents/1': { agent: 'olga', role: 'operator', key: 'olga' },
    'exchange/1': { agent: 'ana', role: 'observer', key: 'ana' },
  }
  const event = (id: string, type: string, payload: object): Occurrence => ({
    ...{ trace: '01KEC000000000000000000000', seq: 0, at: '2026-01-01T00:00:00.000Z', hash: '' },
    ...{ type, payload: payload as never, actor: actors[id] as Occurrence['actor'] },
  })

  it.each(OPENINGS)('VER-3 of %s that is not known is refused, and nothing follows from it', (id, first) => {
    const protocol = protocolOf(id)
    for (const edition of [0, 3, 1.5, '2', null, {}]) {
      const opening = event(id, first?.type ?? '', { ...first?.payload, edition })
      const message = `edition ${JSON.stringify(edition)} of ${id} is not known to this release of Witan, which knows editions up to 2`
      expect(protocol.refuse(protocol.initial, opening)).toEqual({ code: 'SCHEMA_INVALID', message })
      expect(protocol.unknownEdition?.(opening)).toBe(message)
      expect(protocol.decide(protocol.evolve(protocol.initial, opening))).toEqual([])
    }
    const known = event(id, first?.type ?? '', { ...first?.payload })
    expect(protocol.refuse(protocol.initial, known)).toBeNull()
    expect(protocol.decide(protocol.evolve(protocol.initial, known))).not.toEqual([])
  })

  it.each(OPENINGS)('VER-3 of %s is named by no fork', (id, first) => {
    const protocol = protocolOf(id)
    const opened = protocol.evolve(protocol.initial, event(id, first?.type ?? '', first?.payload ?? {}))
    expect(protocol.refuse(opened, event(id, FORKED, { edition: 1 }))?.message).toBe(
      'a fork keeps the edition of its parent and names none',
    )
  })
})
