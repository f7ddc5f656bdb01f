// What an edition accepts, refuses and decides stays: a verifier gives the same verdict on the same events forever. Each walk is
// folded step by step; beside each honest event stand the same event with one member changed, the other events of the walk at
// the wrong time, and what is left when an event was erased. Pinned are the codes and what they may lack, not the words.
import { describe, expect, it } from 'vitest'
import { WALKS } from '../../test/support/agents-scenarios.ts'
import { agents, type Walk } from '../../test/support/agents-walk.ts'
import { hashOf } from '../../test/support/agents-world.ts'
import { acceptedChanges, pinOf, variantsOf, verdictOf } from '../../test/support/refused-variants.ts'
import type { Occurrence } from '../protocol.ts'

const actionsOf = (state: typeof agents.initial): string =>
  agents
    .decide(state)
    .map(({ id, call }) => `${id} ${call}`)
    .join('; ')

/** By type, the last event of the walk: tried at every step. */
const samplesOf = (events: readonly Occurrence[]): readonly Occurrence[] => [
  ...new Map(events.map((event) => [event.type, event])).values(),
]

function stepsOf({ events }: Walk) {
  let state = agents.initial
  return events.map((event) => {
    const step = { state, event }
    state = agents.evolve(state, event)
    return step
  })
}

function verdictsOn({ events }: Walk): readonly string[] {
  const samples = samplesOf(events)
  const verdicts: string[] = []
  let state = agents.initial
  for (const event of events) {
    verdicts.push(actionsOf(state))
    for (const tried of [...variantsOf(event), ...samples])
      verdicts.push(verdictOf(agents.refuse(state, tried)))
    state = agents.evolve(state, event)
  }
  return verdicts
}

/** With one event erased: what is refused of all that follows, and on account of what it is excused. */
function verdictsWithout({ events }: Walk, erased: number): readonly string[] {
  let state = agents.initial
  return events.map((event, i) => {
    const verdict = i > erased ? verdictOf(agents.refuse(state, event)) : ''
    state = agents.evolve(state, i === erased ? { ...event, payload: null } : event)
    return verdict
  })
}

const PINS: readonly string[] = [
  '2609/3266 e290c09a74',
  '1298/1745 9ae162465d',
  '1030/1298 a45d062921',
  '1111/1372 168a202c5d',
  '588/721 649fef94a5',
  '1629/2034 a8b95204ca',
  '853/1154 56ce40caff',
  '835/1023 f3301edcfe',
  '69/114 6085ad438e',
  '355/441 3f42baceee',
  '538/679 ed5be7d7ba',
  '518/656 f95a893f37',
  '14/30 32d9b32ffe',
  '30/50 3bd0eb7ed2',
  '144/196 dcde6ddb17',
  '498/611 514240e2f7',
  '549/671 ef33ee3865',
  '713/860 2d8a9c672f',
  '707/894 1ff0ea2e85',
  '707/894 5fb89cfe37',
  '216/333 64eb63e043',
  '707/894 74edea2e5a',
  '818/1010 23d65972a7',
  '457/565 8bca4b7c88',
  '337/440 11d59e056d',
]

const ERASED: readonly string[] = [
  '506/9025 deb46ea03b',
  '230/3721 d8ebb60ca7',
  '190/1444 5f59abebf9',
  '340/2025 66e5121f08',
  '134/625 16ac2d0701',
  '312/3721 7b298d2796',
  '158/1849 93f20a4931',
  '188/1089 597e502c51',
  '13/36 249ddf3fc8',
  '72/256 16e7537ecd',
  '97/484 3d0f2572c9',
  '96/484 ed31d414d7',
  '1/4 ad0116769b',
  '2/9 da0e2a6376',
  '25/81 b5c0d26e4c',
  '103/484 91d4869652',
  '118/576 745179b9b6',
  '144/841 b96b411716',
  '140/841 f539d49833',
  '142/841 6b62d65acf',
  '48/225 bf64564f33',
  '146/841 2ffcdc4a35',
  '184/1089 6f827061d7',
  '100/441 3cdb4b4443',
  '67/256 b12bad737b',
]

/** What a call to a model took, and what it was asked: a verifier compares these with what was recorded beside them. */
const ASKED = [
  ...['artifacts', 'attempts', 'cost', 'input_tokens', 'latency_ms', 'model', 'output_tokens', 'transport'],
]

/** What no earlier event settles, by type, beside the key: keys are judged by the registry. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  approval_voided: ['reason'],
  call_indeterminate: ['by agent', 'reason'],
  call_lost: ['by agent', 'reason'],
  call_started: ['by agent', 'clerk', 'input'],
  claim_accepted: [],
  claim_challenged: ['action', 'by agent', 'reason'],
  claim_issued: [],
  claim_withdrawn: ['reason', 'text'],
  council_convened: ['trace'],
  council_heard: ['decision', 'degraded', 'head', 'reasons', 'size', 'unresolved_high'],
  critic_answered: ASKED,
  critic_failed: [...ASKED, 'error_message', 'error_type'],
  critic_incomplete: ASKED,
  execution_resolved: ['by agent', 'reason'],
  executor_answered: ASKED,
  executor_failed: [...ASKED, 'error_message', 'error_type', 'reading'],
  executor_incomplete: ASKED,
  final_statement_signed: ['text'],
  gap_recorded: ['by agent', 'call', 'reason', 'tool'],
  host_session_ended: ['by agent', 'reason'],
  intent_approved: ['reasons'],
  intent_assessed: ['deciding', 'reasons'],
  intent_blocked: ['reason'],
  limit_reached: ['bound'],
  planner_answered: ASKED,
  planner_failed: [...ASKED, 'error_message', 'error_type'],
  planner_incomplete: ASKED,
  proposal_closed: ['reason'],
  proposal_created: [],
  proposal_reviewed: ['reasons'],
  session_initialized: [
    'artifacts',
    'by agent',
    'constraints',
    'evidence_min',
    'objective',
    'seed',
    'tools',
    'workspace',
  ],
  tool_execution_completed: ['duration_ms', 'secrets_removed', 'truncated'],
  tool_execution_failed: ['duration_ms', 'error_message', 'error_type'],
  tool_execution_indeterminate: ['reason'],
  tool_execution_started: ['call'],
  tool_intent_signed: ['call', 'justification', 'quote', 'tool'],
  verification_run_completed: [],
  verification_run_started: [],
}

const withKeys = (open: typeof OPEN) =>
  Object.fromEntries(Object.entries(open).map(([type, names]) => [type, [...names, 'by key'].sort()]))

describe('edition 2 of agents/1', () => {
  it('VER-3 refuses an event with any member changed, except members that no earlier event determines', () => {
    const accepted = acceptedChanges(
      WALKS.map((walk) => stepsOf(walk())),
      agents.refuse,
    )
    expect(accepted).toEqual(withKeys(OPEN))
  })

  it.each(WALKS.map((walk, i) => [i + 1, walk, PINS[i]] as const))(
    'VER-3 refuses every changed or misplaced event of walk %d as before, and decides the same',
    (_, walk, pinned) => {
      expect(pinOf(verdictsOn(walk()), hashOf)).toBe(pinned)
    },
  )

  it.each(WALKS.map((walk, i) => [i + 1, walk, ERASED[i]] as const))(
    'LED-14 excuses the same events of walk %d if an earlier event is erased',
    (_, make, pinned) => {
      const walk = make()
      const verdicts = walk.events.flatMap((_, i) => verdictsWithout(walk, i))
      expect(pinOf(verdicts, hashOf)).toBe(pinned)
    },
  )
})
