// What an edition accepts, refuses and decides stays: a verifier gives the same verdict on the same events forever. Beside each
// honest event of a council stand the same event with one member changed, the other events at the wrong time, and what is left
// when an event was erased. Pinned are the codes and what they may lack, not the words.
import { describe, expect, it } from 'vitest'
import { COUNCILS } from '../../test/support/council-scenarios.ts'
import { protocol, type Sitting } from '../../test/support/council-sitting.ts'
import { pinOf, variantsOf, verdictOf } from '../../test/support/refused-variants.ts'
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
  plain: ['211/367 7248652a40', '59/324 8326446e97'],
  architecture: ['211/367 7248652a40', '59/324 8326446e97'],
  labelled: ['211/367 7248652a40', '59/324 8326446e97'],
  'told to take a part': ['211/367 7248652a40', '59/324 8326446e97'],
  'skipped rounds': ['134/235 960dab60b7', '36/144 956f7abb9b'],
  'an opinion that lacks something': ['253/427 c9a223789a', '66/400 1fe6ebb3f7'],
  'an opinion in prose': ['253/427 c9a223789a', '66/400 1fe6ebb3f7'],
  'prose that stands': ['253/427 c9a223789a', '66/400 1fe6ebb3f7'],
  'a review that lacks something': ['252/426 ccd905909a', '64/400 db850b918c'],
  'a report that lacks something': ['252/426 b52f08ed74', '63/400 1ca3f5e2c1'],
  'a mended report': ['234/407 0edc94ace7', '64/400 b623cdd66e'],
  'no chair': ['240/400 fbb5c1572b', '63/361 a42f8757f7'],
  'a review of code': ['212/367 167bc6ab91', '59/324 bdeb3cea49'],
  'small windows': ['212/367 167bc6ab91', '59/324 bdeb3cea49'],
  'smaller windows': ['212/367 167bc6ab91', '59/324 bdeb3cea49'],
  'no chair over code': ['241/400 c5a38caba4', '66/361 048dc93a6f'],
  'a refused length': ['255/427 17061082a5', '67/400 d429e0fad8'],
  'a chair that refused a length': ['255/427 89a59802ec', '64/400 16e1d5e046'],
  'in parts': ['419/692 990f6301da', '122/1089 a80008f0a0'],
  'in parts, one of which fails': ['451/725 07cd7c9d97', '121/1089 20881e8b9a'],
  'in parts, one of which lacks something': ['478/769 7a3eb81314', '130/1225 65296be3a9'],
  'who failed asked again': ['118/196 4aecd94f1d', '18/100 ab092e3d9e'],
  'another table after a fork': ['109/196 f4975b6086', '22/100 7c1ee20cb6'],
}

const HELD = Object.entries(COUNCILS)

describe('edition 2 of council/1', () => {
  it.each(HELD.map(([name, held]) => [name, held, PINS[name]?.[0]] as const))(
    'VER-3 refuses every changed or misplaced event as it did, and decides the same: %s',
    (_, held, pinned) => {
      expect(pinOf(verdictsOn(held()), hashOf)).toBe(pinned)
    },
  )

  it.each(HELD.map(([name, held]) => [name, held, PINS[name]?.[1]] as const))(
    'LED-14 excuses the same events where one before them is erased: %s',
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
