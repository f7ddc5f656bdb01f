// What an edition accepts, refuses and decides stays: a verifier gives the same verdict on the same events forever. Each walk is
// folded step by step; beside each honest event stand the same event with one member changed, the other events of the walk at
// the wrong time, and what is left when an event was erased. Pinned are the codes and what they may lack, not the words.
import { describe, expect, it } from 'vitest'
import { WALKS } from '../../test/support/agents-scenarios.ts'
import { agents, type Walk } from '../../test/support/agents-walk.ts'
import { hashOf } from '../../test/support/agents-world.ts'
import { pinOf, variantsOf, verdictOf } from '../../test/support/refused-variants.ts'
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
  '2599/3266 46fc1752b9',
  '1293/1745 e18301b1f5',
  '1025/1298 f12ff80517',
  '1107/1372 2141b893d8',
  '586/721 d79da72bd2',
  '1622/2034 33f73a732e',
  '848/1154 94bbeb5f10',
  '832/1023 bc2ffa0faf',
  '69/114 6085ad438e',
  '354/441 82bee9b76a',
  '534/679 3495c752c7',
  '514/656 4b1845f445',
  '14/30 32d9b32ffe',
  '30/50 3bd0eb7ed2',
  '144/196 dcde6ddb17',
  '496/611 a603197f1e',
  '547/671 e65ff265dd',
  '711/860 167f99ea47',
  '702/894 8bf6b1dc05',
  '702/894 1b6e552d6f',
  '214/333 d27a464f46',
  '702/894 3fbcefe739',
  '815/1010 7c6c6cec84',
  '455/565 993e439c21',
  '332/440 67c43ef8ec',
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

describe('edition 2 of agents/1', () => {
  it.each(WALKS.map((walk, i) => [i + 1, walk, PINS[i]] as const))(
    'VER-3 refuses every changed or misplaced event of walk %d as it did, and decides the same',
    (_, walk, pinned) => {
      expect(pinOf(verdictsOn(walk()), hashOf)).toBe(pinned)
    },
  )

  it.each(WALKS.map((walk, i) => [i + 1, walk, ERASED[i]] as const))(
    'LED-14 excuses the same events of walk %d where one before them is erased',
    (_, make, pinned) => {
      const walk = make()
      const verdicts = walk.events.flatMap((_, i) => verdictsWithout(walk, i))
      expect(pinOf(verdicts, hashOf)).toBe(pinned)
    },
  )
})
