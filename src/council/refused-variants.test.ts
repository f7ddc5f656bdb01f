// What an edition accepts, refuses and decides stays: a verifier gives the same verdict on the same events forever. Beside each
// honest event of a council stand the same event with one member changed, the other events at the wrong time, and what is left
// when an event was erased. Pinned are the codes and what they may lack, not the words.
import { describe, expect, it } from 'vitest'
import { COUNCILS } from '../../test/support/council-scenarios.ts'
import { protocol, type Sitting } from '../../test/support/council-sitting.ts'
import { acceptedChanges, pinOf, variantsOf, verdictOf } from '../../test/support/refused-variants.ts'
import { toHex, utf8 } from '../ledger/bytes.ts'
import { sha256 } from '../stores/digest.ts'

const hashOf = (text: string): string => toHex(sha256(utf8(text)))

const actionsOf = (state: typeof protocol.initial): string =>
  protocol
    .decide(state)
    .map(({ id, call }) => `${id} ${call}`)
    .join('; ')

function verdictsOn({ steps }: Sitting): readonly string[] {
  const samples = [...new Map(steps.map(({ event }) => [event.type, event])).values()]
  return steps.flatMap(({ state, event }) => [
    actionsOf(state),
    ...[...variantsOf(event), ...samples].map((tried) => verdictOf(protocol.refuse(state, tried))),
  ])
}

/** With one event erased: what is refused of all that follows, and on account of what it is excused. */
function verdictsWithout({ steps }: Sitting, erased: number): readonly string[] {
  let state = steps[0]?.state ?? protocol.initial
  return steps.map(({ event }, i) => {
    const verdict = i > erased ? verdictOf(protocol.refuse(state, event)) : ''
    state = protocol.evolve(state, i === erased ? { ...event, payload: null } : event)
    return verdict
  })
}

/** Of changed and misplaced events, and of what follows an erased one. */
const PINS: Readonly<Record<string, readonly [string, string]>> = {
  plain: ['216/367 6e7aa5e267', '59/324 8326446e97'],
  architecture: ['216/367 6e7aa5e267', '59/324 8326446e97'],
  labelled: ['216/367 6e7aa5e267', '59/324 8326446e97'],
  'told to take a part': ['216/367 6e7aa5e267', '59/324 8326446e97'],
  'skipped rounds': ['138/235 9851ddc1fc', '36/144 956f7abb9b'],
  'an opinion that lacks something': ['258/427 4e7583e420', '66/400 1fe6ebb3f7'],
  'an opinion in prose': ['258/427 4e7583e420', '66/400 1fe6ebb3f7'],
  'prose that stands': ['258/427 4e7583e420', '66/400 1fe6ebb3f7'],
  'a review that lacks something': ['257/426 8b8a783c57', '64/400 db850b918c'],
  'a report that lacks something': ['257/426 7f9274b9b6', '63/400 1ca3f5e2c1'],
  'a mended report': ['239/407 d74f62c611', '64/400 b623cdd66e'],
  'no chair': ['245/400 42eccb7e9d', '63/361 a42f8757f7'],
  'a review of code': ['216/367 6e7aa5e267', '59/324 bdeb3cea49'],
  'small windows': ['216/367 6e7aa5e267', '59/324 bdeb3cea49'],
  'smaller windows': ['216/367 6e7aa5e267', '59/324 bdeb3cea49'],
  'no chair over code': ['245/400 42eccb7e9d', '66/361 048dc93a6f'],
  'a refused length': ['259/427 9a40dd98d1', '67/400 d429e0fad8'],
  'a chair that refused a length': ['259/427 3cbdfb0e87', '64/400 16e1d5e046'],
  'in parts': ['426/692 6b5ee58dbd', '122/1089 a80008f0a0'],
  'in parts, one of which fails': ['457/725 94edc20e24', '121/1089 20881e8b9a'],
  'in parts, one of which lacks something': ['485/769 cf9e939264', '130/1225 65296be3a9'],
  'who failed asked again': ['122/196 8f8d0bb72c', '18/100 ab092e3d9e'],
  'another table after a fork': ['113/196 12e2655b23', '22/100 7c1ee20cb6'],
}

/** What a call to a model took, and what it was asked: a verifier compares these with what was recorded beside them. */
const ASKED = [
  ...['artifacts', 'attempts', 'cost', 'input_tokens', 'latency_ms', 'model', 'output_tokens', 'transport'],
]

/** What no earlier event settles, by type, beside the key: keys are judged by the registry. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  call_started: ['by agent', 'clerk', 'input'],
  council_closed: ['by agent'],
  council_opened: ['by agent', 'constraints', 'focus', 'labelled', 'portions', 'question', 'seed'],
  opinion_failed: ASKED.filter((name) => name !== 'cost'),
  opinion_given: ASKED,
  opinion_incomplete: ASKED,
  opinion_joined: [],
  report_assembled: ['by agent'],
  report_failed: ASKED.filter((name) => name !== 'cost'),
  report_given: ASKED,
  report_incomplete: ASKED,
  review_given: ASKED,
  review_incomplete: ASKED,
  short_circuit_decided: ['by agent'],
  trace_forked: ['by agent'],
}

const HELD = Object.entries(COUNCILS)

const withKeys = (open: typeof OPEN) =>
  Object.fromEntries(Object.entries(open).map(([type, names]) => [type, [...names, 'by key'].sort()]))

describe('edition 2 of council/1', () => {
  it('VER-3 refuses an event with any member changed, except members that no earlier event determines', () => {
    const accepted = acceptedChanges(
      HELD.map(([, held]) => held().steps),
      protocol.refuse,
    )
    expect(accepted).toEqual(withKeys(OPEN))
  })

  it.each(HELD.map(([name, held]) => [name, held, PINS[name]?.[0]] as const))(
    'VER-3 refuses every changed or misplaced event as before, and decides the same: %s',
    (_, held, pinned) => {
      expect(pinOf(verdictsOn(held()), hashOf)).toBe(pinned)
    },
  )

  it.each(HELD.map(([name, held]) => [name, held, PINS[name]?.[1]] as const))(
    'LED-14 excuses the same events if an earlier event is erased: %s',
    (_, held, pinned) => {
      const sitting = held()
      expect(
        pinOf(
          sitting.steps.flatMap((_, i) => verdictsWithout(sitting, i)),
          hashOf,
        ),
      ).toBe(pinned)
    },
  )
})
