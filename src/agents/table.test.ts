// The table of the lifecycle, compared with the specification and against what the protocol really decides: every pair
// of phase and event, one by one.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scenarios, walkIn } from '../../test/support/agents-scenarios.ts'
import { agents } from '../../test/support/agents-walk.ts'
import { by } from '../../test/support/agents-world.ts'
import { PHASES, type Phase, ROLES, TABLE, TRANSITIONS } from '../../test/support/all-of-agents.ts'
import type { Payload } from '../ledger/event.ts'

const listed = (names: readonly string[], all: readonly string[]): string =>
  names.length === all.length ? 'any' : names.join(', ')

const AGENT = {
  planner: 'paula',
  executor: 'eve',
  critic: 'policy',
  auditor: 'aude',
  operator: 'olga',
  clerk: 'clerk',
}

describe('the table', () => {
  const spec = readFileSync(new URL('../../spec/agents.md', import.meta.url), 'utf8').split('\n')

  it('AGT-STATE-1 stands in the specification line by line: nine states, eight transitions', () => {
    const rows = TABLE.map(
      ({ event, roles, phases }) => `| \`${event}\` | ${listed(roles, ROLES)} | ${listed(phases, PHASES)} |`,
    )
    const moves = TRANSITIONS.map(({ number, from, to, on, when }) => {
      const events = on.map((event) => `\`${event}\``).join(', ')
      return `| ${number} | ${from.join(', ')} | ${to} | ${events} | ${when} |`
    })
    const found = spec.filter((line) => /^\| (`[a-z_]+` \| [a-z, ]+ \| [a-z, ]+ \||\d \|)/.test(line))
    expect(found).toEqual([...rows, ...moves])
    expect([PHASES.length, TRANSITIONS.length]).toEqual([9, 8])
  })

  it('AGT-STATE-1 is drawn in the specification as it is', () => {
    const drawn = spec.filter((line) => / --> /.test(line)).map((line) => line.trim())
    const moves = TRANSITIONS.flatMap(({ from, to, on }) =>
      from.map((phase) => `${phase} --> ${to}: ${on.join(', ')}`),
    )
    expect(drawn).toEqual(moves)
  })

  const { accepted, samples } = scenarios()

  describe.each(PHASES)('in the phase %s', (phase: Phase) => {
    it.each(TABLE)('AGT-STATE-1 AGT-ORD-1 decides about $event as it says', ({ event, roles, phases }) => {
      if (phases.includes(phase)) {
        expect([...accepted], 'no walk tried this pair').toContain(`${phase} ${event}`)
        return
      }
      const walk = walkIn(phase)
      for (const role of roles) {
        const payload: Payload = samples.get(event) ?? {}
        const draft = { type: event, actor: by(AGENT[role], role), payload }
        expect(walk.refusal(draft)?.code).toBe('ORDER_VIOLATION')
        expect(agents.evolve(walk.state, walk.occurrence(draft)).inner.phase).toBe(phase)
      }
    })

    it.each(TABLE)('AGT-ROLE-1 accepts $event from no other role', ({ event, roles, phases }) => {
      if (!phases.includes(phase)) return
      const walk = walkIn(phase)
      for (const role of ROLES.filter((other) => !roles.includes(other))) {
        const draft = { type: event, actor: by(AGENT[role], role), payload: samples.get(event) ?? {} }
        expect(walk.refusal(draft)?.code).toBe('ROLE_POLICY_VIOLATION')
      }
    })
  })

  /** What the clauses say that each must hold: none of it may be left out. */
  it.each([
    ['AGT-PROP-1', 'reviewing', 'proposal_created', 'objective assumptions required_tools expected_evidence'],
    ['AGT-TOOL-1', 'executing', 'tool_intent_signed', 'tool input_hash risk justification artifacts'],
    ['AGT-TOOL-2', 'executing', 'intent_approved', 'intent_hash input_hash definition policy expires'],
    ['AGT-CLAIM-1', 'claiming', 'claim_issued', 'text confidence evidence'],
    ['AGT-AUD-1', 'auditing', 'verification_run_completed', 'status report trace size head'],
  ] as const)('%s accepts in %s no %s without any of: %s', (_, phase, event, members) => {
    const walk = walkIn(phase)
    const role = TABLE.find((row) => row.event === event)?.roles[0] ?? 'clerk'
    for (const member of members.split(' ')) {
      const { [member]: left, ...payload } = samples.get(event) ?? {}
      expect(left, member).not.toBeUndefined()
      const refusal = walk.refusal({ type: event, actor: by(AGENT[role], role), payload })
      expect([member, refusal?.code]).toEqual([member, 'SCHEMA_INVALID'])
    }
  })

  it('changes the phase only by its own transitions, in every walk', () => {
    for (const [from, type, to] of scenarios().moves) {
      const known = TRANSITIONS.some(
        (move) => move.from.includes(from) && move.to === to && move.on.some((on) => on === type),
      )
      expect(known, `${from} to ${to} on ${type}`).toBe(true)
    }
    // The six of the way, and to `failed` and `aborted` from each of the six phases that are no end.
    expect(new Set(scenarios().moves.map(([from, , to]) => `${from} ${to}`)).size).toBe(6 + 6 * 2)
  })

  it('knows no event of another protocol, and no name that every object inherits', () => {
    for (const type of ['constructor', 'opinion_given', 'registry_opened']) {
      expect(walkIn('executing').refusal({ type, actor: by('eve'), payload: {} })?.code).toBe(
        'SCHEMA_INVALID',
      )
    }
  })
})
