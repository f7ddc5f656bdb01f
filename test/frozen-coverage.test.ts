// The frozen traces reach everything that the protocols of their time could say: a case that none of them holds would
// not be missed when it breaks.

import { beforeAll, describe, expect, it } from 'vitest'
import { SHAPES } from '../src/agents/events.ts'
import { PHASES, TABLE } from '../src/agents/lifecycle.ts'
import { ERROR_TYPES, STATUSES } from '../src/council/events.ts'
import { MODES } from '../src/council/replies/opinion.ts'
import { PAYLOADS, READ_PAYLOADS } from '../src/council/schema.ts'
import { EVENT_TYPES } from '../src/exchange/schema.ts'
import type { ExchangeState } from '../src/exchange/state.ts'
import { CALL_LOST, CALL_STARTED } from '../src/ledger/calls.ts'
import { type Payload, readHeader, readPayload, type SealedEvent } from '../src/ledger/event.ts'
import { FORKED } from '../src/ledger/fork.ts'
import * as registry from '../src/ledger/registry/registry.ts'
import type { Occurrence } from '../src/protocol.ts'
import { bundleBytes, KNOWN, manifest, readFrozen } from './support/frozen.ts'
import { newestTraces } from './support/live-traces.ts'

interface Said extends Occurrence {
  readonly protocol: string
  readonly payload: Payload
}

function saidIn({ header, payload, hash }: SealedEvent): Said | null {
  const read = readHeader(header)
  const said = payload && readPayload(payload)
  if (typeof read === 'string' || typeof said !== 'object' || said === null) return null
  return { ...read, hash, payload: said }
}

const said: Said[] = []
/** `protocol status` of every trace, as it is at its end. */
const standing = new Set<string>()

function standingOf({ halted, movedTo, stopped, signal, round, forks }: ExchangeState): readonly string[] {
  return [
    ...(halted ? ['halted'] : []),
    ...(movedTo !== null ? ['moved'] : []),
    ...(stopped !== null
      ? [`stopped: ${stopped.replace(/\d+|:.*/g, (m) => (m.startsWith(':') ? '' : 'N'))}`]
      : []),
    ...(signal ? ['signal'] : []),
    ...(round ? ['in a round'] : []),
    ...(forks.length > 0 ? ['branch ordered'] : []),
  ]
}

beforeAll(async () => {
  for (const { carrying } of await newestTraces())
    for (const { event } of carrying.bundle.main.events) {
      const one = saidIn(event)
      if (one) newer.push(one)
    }
  for (const name of Object.keys(manifest().bundles)) {
    const { bundle } = await readFrozen(bundleBytes(name))
    const own = bundle.main.events.flatMap(({ event }) => saidIn(event) ?? [])
    const before = bundle.ancestors.flatMap(({ events }) =>
      events.flatMap(({ event }) => saidIn(event) ?? []),
    )
    said.push(...own)
    const protocol = KNOWN.find(({ id }) => id === own[0]?.protocol)
    if (!protocol || bundle.main.form === 'sparse') continue
    const state = [...before, ...own].reduce((one, event) => protocol.evolve(one, event), protocol.initial)
    const { inner } = state as { inner: { phase?: string } & ExchangeState }
    if (protocol.id === 'agents/1') standing.add(`agents/1 ${inner.phase}`)
    if (protocol.id === 'exchange/1') for (const one of standingOf(inner)) standing.add(`exchange/1 ${one}`)
  }
})

const typesOf = (protocol: string): readonly string[] => {
  const frozen = said.filter((event) => event.protocol === protocol).map(({ type }) => type)
  const open = newer.filter((event) => event.protocol === protocol).map(({ type }) => type)
  return [...new Set([...frozen, ...open])].sort()
}
const valuesOf = (
  protocol: string,
  type: string,
  pick: (payload: Payload, event: Said) => unknown,
  events: readonly Said[] = said,
) =>
  [
    ...new Set(
      events
        .filter((event) => event.protocol === protocol && event.type === type)
        .map((event) => String(pick(event.payload, event))),
    ),
  ].sort()
const sorted = (values: readonly string[]): readonly string[] => [...values].sort()

/** Means by which a person can decide that were added after these traces were frozen. */
const LATER_MEANS = ['passphrase', 'file', 'console', 'none']

/** What is said in the newest edition alone, which is open and made again here. */
const newer: Said[] = []

/** What the shapes allow, and no guard of their time let anyone say or no trace here says. */
const UNSAID = [
  'claim_accepted via council',
  'claim_accepted via key-file',
  'claim_accepted via host',
  'claim_challenged via council',
]

describe('the frozen traces', () => {
  it('LED-1 say every event of every protocol, with those of the edition that is open', () => {
    const calls = [FORKED, CALL_STARTED, CALL_LOST]
    expect(typesOf('council/1')).toEqual(
      sorted([...new Set([...Object.keys(PAYLOADS), ...Object.keys(READ_PAYLOADS), ...calls])]),
    )
    expect(typesOf('agents/1')).toEqual(sorted(TABLE.map(({ event }) => event)))
    expect(typesOf('exchange/1')).toEqual(sorted([...EVENT_TYPES, ...calls]))
    expect(typesOf('registry/1')).toEqual(
      sorted([
        registry.OPENED,
        registry.KEY_REGISTERED,
        registry.KEY_ROTATED,
        registry.KEY_REVOKED,
        registry.REDACTION_RECORDED,
        registry.CHECKPOINT_RECORDED,
      ]),
    )
  })

  it('COU-T-1 close councils in every status, for every reason, after every failure', () => {
    expect(valuesOf('council/1', 'council_closed', ({ status }) => status)).toEqual(sorted(STATUSES))
    const reasons = valuesOf('council/1', 'council_closed', ({ status, reason }) => `${status}: ${reason}`)
    for (const expected of [
      /^reported: a chair reported$/,
      /^reported: reviewers found nothing severe/,
      /^reported: \d+ % of the budget is used up/,
      /^reported: no condition holds/,
      /^degraded: no chair answered$/,
      /^over_budget: the budget was used up$/,
      /^quorum_failed: \d of at least \d opinions in R1$/,
      /^quorum_failed: \d of at least \d reviews in R2$/,
      /^failed: \w+ failed in R1$/,
      /^failed: \w+ failed in R2$/,
      /^failed: every chair failed in R3$/,
      /^closed_early: asked the wrong question$/,
    ])
      expect(
        reasons.filter((reason) => expected.test(reason)),
        String(expected),
      ).not.toEqual([])
    const failures = ['opinion_failed', 'review_failed', 'report_failed'].flatMap((type) =>
      valuesOf('council/1', type, ({ failure }) => (failure as { error_type: string }).error_type),
    )
    expect(sorted([...new Set(failures)])).toEqual(sorted(ERROR_TYPES))
    expect(valuesOf('council/1', 'council_opened', ({ mode }) => mode)).toEqual(sorted(MODES))
    expect(valuesOf('council/1', 'round_closed', ({ round }) => round)).toEqual(['R1', 'R2', 'R3'])
    expect(valuesOf('council/1', FORKED, ({ amend }) => Object.keys(amend as object).sort())).toEqual([
      'chairs,policy',
      'chairs,seats',
    ])
  })

  it('AGT-STATE-1 come into every phase, and say every word of which there is a choice', () => {
    expect(PHASES.filter((phase) => !standing.has(`agents/1 ${phase}`))).toEqual(['initialized'])
    const missing = Object.entries(SHAPES).flatMap(([type, shape]) => {
      const { properties = {} } = shape as { properties?: Record<string, { enum?: readonly string[] }> }
      return Object.entries(properties).flatMap(([name, { enum: values = [] }]) => {
        const found = valuesOf('agents/1', type, (payload) => payload[name], [...said, ...newer])
        const frozen = name === 'via' ? values.filter((value) => !LATER_MEANS.includes(value)) : values
        return frozen.filter((value) => !found.includes(value)).map((value) => `${type} ${name} ${value}`)
      })
    })
    expect(missing).toEqual(UNSAID)
    const of = (type: string, name: string) => valuesOf('agents/1', type, (payload) => payload[name])
    expect(of('limit_reached', 'proposal')).toEqual(['null', 'p1'])
  })

  it('EXC-INT-2 answer signals in every way, by observer and by policy, and stop for every reason', () => {
    const by = valuesOf('exchange/1', 'signal_answered', ({ answer }, { actor }) => `${actor.role} ${answer}`)
    expect(by).toEqual([
      ...['acknowledge', 'amend', 'branch', 'halt', 'rollback'].map((answer) => `observer ${answer}`),
      ...['acknowledge', 'branch', 'halt', 'rollback'].map((answer) => `policy ${answer}`),
    ])
    const carried = valuesOf(
      'exchange/1',
      'branch_ordered',
      ({ branch }) => (branch as { carry: string }).carry,
    )
    expect(carried).toEqual(['audit', 'none', 'window'])
    const of = (type: string, name: string) => valuesOf('exchange/1', type, (payload) => payload[name])
    expect(of('continued', 'mode')).toEqual(['chat', 'run'])
    expect(of('round_opened', 'kind')).toEqual(['audit', 'pool'])
    expect(of('role_reported', 'role')).toEqual(['auditor', 'observer'])
    expect(of('injected', 'via')).toEqual(['host', 'undefined'])
    expect(sorted([...standing].filter((one) => one.startsWith('exchange/1')))).toEqual([
      'exchange/1 branch ordered',
      'exchange/1 halted',
      'exchange/1 in a round',
      'exchange/1 moved',
      'exchange/1 signal',
      'exchange/1 stopped: lunch',
      'exchange/1 stopped: no mind has answered for N rounds',
      'exchange/1 stopped: no vectors',
    ])
  })
})
