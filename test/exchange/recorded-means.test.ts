// By what means an observer acted: every act of the second edition says so, and the first one says what it always could.

import { describe, expect, it } from 'vitest'
import { EVENT_TYPES, speakersOf } from '../../src/exchange/schema.ts'
import type { Payload } from '../../src/ledger/event.ts'
import type { Occurrence, Refusal } from '../../src/protocol.ts'
import { tellOf } from '../../src/render/story/story.ts'
import { forged, openExchangeHome, recordRun, verified } from '../support/exchange-home.ts'
import { ExchangeRun, newTrace, protocol } from '../support/exchange-run.ts'
import { opening, plainScript, terms, termsIn } from '../support/exchange-script.ts'

const ALL = ['terminal', 'passphrase', 'file', 'host', 'console', 'none']

function opened(edition: number): ExchangeRun {
  const run = new ExchangeRun()
  run.person('exchange_opened', { ...opening(termsIn(edition)), edition })
  return run
}

/** An act as it stands, without what the run would add. */
function judged(run: ExchangeRun, type: string, payload: object, role = 'observer'): Refusal | null {
  const agent = role === 'observer' ? 'ana' : role
  const event = run.occurrence({ type, agent, role, payload: payload as Payload })
  return protocol.refuse(run.state, { ...event, payload: payload as Payload })
}

const injected = { text: 'What about cost?' }

describe('by what means an observer acted', () => {
  it('EXC-OBS-1 is said by every act of the second edition, in words that are known', () => {
    const run = opened(2)
    for (const via of ALL) expect(judged(run, 'injected', { ...injected, via })).toBeNull()
    const unsaid = judged(run, 'injected', injected)
    expect(unsaid).toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('by what means'),
    })
    for (const via of ['key-file', 'mind', 'policy', '', null, 7]) {
      expect(judged(run, 'injected', { ...injected, via })?.code, String(via)).toBe('SCHEMA_INVALID')
    }
  })

  it('EXC-OBS-1 stands in the first edition only where it was a host, as before', () => {
    const run = opened(1)
    expect(run.events[0]?.payload).not.toHaveProperty('via')
    expect(judged(run, 'injected', injected)).toBeNull()
    expect(judged(run, 'injected', { ...injected, via: 'host' })).toBeNull()
    for (const via of ALL.filter((one) => one !== 'host')) {
      expect(judged(run, 'injected', { ...injected, via })?.code, via).toBe('SCHEMA_INVALID')
    }
  })

  it('EXC-OBS-1 belongs to the opening too, and never to a policy', () => {
    const fresh = new ExchangeRun()
    expect(judged(fresh, 'exchange_opened', opening(terms()))?.message).toContain('by what means')
    expect(judged(fresh, 'exchange_opened', { ...opening(terms()), via: 'none' })).toBeNull()
    const halting = { auditor: { every: 7 }, restart: { policy: 'halt' } }
    const restless = { ...plainScript, reply: () => '\n---\n[RESTART] Please restart.' }
    const run = ExchangeRun.open(terms(halting), restless)
    run.person('continued', { until: 40, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => !id.startsWith('policy/')))
    const due = { signal: 1, answer: 'halt', reason: null, terms: null, branch: null }
    expect(judged(run, 'signal_answered', { ...due, via: 'terminal' }, 'policy')?.code).toBe('SCHEMA_INVALID')
    expect(judged(run, 'signal_answered', due, 'policy')).toBeNull()
  })

  it('EXC-OBS-1 is asked of every kind of act that an observer has', () => {
    const run = opened(2)
    const acts = EVENT_TYPES.filter((type) => speakersOf(type)?.includes('observer'))
    const branch = { into: newTrace(), round: 0, carry: 'window', terms: null, current: false }
    const shapes: Record<string, object> = {
      exchange_opened: opening(terms()),
      reembedded: { encoder: 'x', messages: [], assigned: [], clusters: [], alarms: [], artifacts: [] },
      observer_spoke: { text: 'Go on.', audit: null },
      observer_passed: { audit: 1 },
      injected,
      pinned: { message: '1.1' },
      unpinned: { message: '1.1' },
      signal_answered: { signal: 1, answer: 'halt', reason: null, terms: null, branch: null },
      terms_amended: { terms: terms({ pool: { prompt: 'Else.' } }), reason: null },
      branch_ordered: { branch, reason: null },
      branched: { into: branch.into },
      paused: { reason: null },
      continued: { until: 3, mode: 'run' },
      exchange_halted: { reason: null },
    }
    expect(Object.keys(shapes).sort()).toEqual([...acts].sort())
    for (const [type, payload] of Object.entries(shapes)) {
      const at = type === 'exchange_opened' ? new ExchangeRun() : run
      expect(judged(at, type, payload)?.message, type).toContain('by what means')
    }
  })

  it('EXC-OBS-1 is found missing by a verifier, and known where the opening was erased', async () => {
    const home = await openExchangeHome()
    const run = ExchangeRun.open(terms()).rounds(2)
    run.person('injected', { ...injected, via: 'none' })
    await recordRun(home, run)
    expect((await verified(home, run.trace)).status).toBe('pass')
    const silent = { type: 'injected', agent: 'ana', role: 'observer', payload: injected as Payload }
    expect(await forged(home, run, silent)).toEqual([`SCHEMA_INVALID ${run.events.length}`])
    const erased = run.events.map((event, i) => (i === 0 ? { ...event, payload: null } : event))
    let state = protocol.initial
    for (const event of erased) state = protocol.evolve(state, event)
    expect(protocol.refuse(state, run.events.at(-1) as Occurrence)?.lacks).toContain('exchange_opened')
  })

  it.each([
    ['terminal', 'done at a terminal (presence not proven)'],
    ['host', 'done through a host (presence not proven)'],
    ['none', 'done without a terminal (nothing shows a person)'],
    ['file', 'done with a key file'],
    ['passphrase', 'done with a passphrase'],
  ])('EXC-OBS-1 is told to readers in words: %s', (via, words) => {
    const run = opened(2)
    for (const [type, payload] of [
      ['injected', injected],
      ['continued', { until: 3, mode: 'run' }],
      ['observer_passed', { audit: 3 }],
      ['branched', { into: newTrace() }],
    ] as const) {
      const event = run.occurrence({ type, agent: 'ana', role: 'observer', payload: { ...payload, via } })
      expect(tellOf('exchange/1', event)?.more, type).toContain(words)
    }
  })
})
