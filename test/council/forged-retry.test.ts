// Forks that were forged by someone who holds every key of the home, to have a council go on as if it had gone
// otherwise: a verifier finds each, and passes the honest one.

import { describe, expect, it } from 'vitest'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { FORKED } from '../../src/ledger/fork.ts'
import type { Protocol } from '../../src/protocol.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import {
  protocol,
  type Question,
  type ScriptedReply,
  type Sitting,
  seat,
  sit,
} from '../support/council-sitting.ts'
import { namedKey } from '../support/ports.ts'
import { council, findings, seal } from '../support/sealed-council.ts'
import { smuggle } from '../support/tamper.ts'

const FORK = '01KEC000000000000000000009'

const SEATS = ['ann', 'ben', 'cat'].map((name) => seat(name, { roles: ['participant', 'chair'] }))

/** cat gives no opinion, ben no review; ann, who chairs, reports. */
const says = ({ round, seat }: Question): ScriptedReply | undefined =>
  ['R1 cat', 'R2 ben'].includes(`${round} ${seat}`) ? { fails: 'timeout' } : undefined

const seqOf = (sitting: Sitting, type: string, agent: string | null = null): number => {
  const seq = sitting.spoken.findIndex(
    (spoken) => spoken.type === type && (agent === null || spoken.agent === agent),
  )
  if (seq < 0) throw new Error(`there is no ${type} of ${agent}`)
  return seq
}

/** What a verifier finds in a fork of that council after `seq` that makes these events void. */
async function found(
  void_: (parent: Sitting) => { readonly after: number; readonly retry: readonly (number | string)[] },
  given = says,
): Promise<readonly string[]> {
  const scene = await council()
  const parent = sit({ seats: SEATS, chairs: ['ann', 'ben'] }, { says: given })
  await seal(scene, parent)
  const { after, retry } = void_(parent)
  const [hash = ''] = await scene.store.hashes(parent.trace, after, after + 1)
  const named = retry.map((event) => (typeof event === 'number' ? `${parent.trace}/${event}` : event))
  await smuggle(scene, FORK, {
    type: FORKED,
    protocol: 'council/1',
    actor: { agent: 'olga', role: 'convener', key: namedKey('olga').id },
    payload: { parent: { trace: parent.trace, seq: after, hash }, amend: { retry: named } },
  })
  const bundle = await wholeBundle(scene.store, FORK)
  return findings(await examine(bundle, scene.store, scene.trust, [protocol as Protocol]))
}

const beforeClosing = (parent: Sitting): number => seqOf(parent, 'council_closed') - 1
/** Before anyone is asked for a review. */
const afterR1 = (parent: Sitting): number =>
  parent.spoken.findIndex(({ type }) => type.startsWith('review_')) - 4
const REFUSED = [expect.stringMatching(/^SCHEMA_INVALID 0: \S+ is no failure that can be asked again$/)]

describe('a fork that makes failures void', () => {
  it('COU-X-7 passes where they happened', async () => {
    const honest = await found((parent) => ({
      after: beforeClosing(parent),
      retry: [seqOf(parent, 'opinion_failed', 'cat'), seqOf(parent, 'review_failed', 'ben')],
    }))
    expect(honest).toEqual([])
  })

  it.each([
    ['an answer', (parent: Sitting) => seqOf(parent, 'opinion_given', 'ann')],
    ['a review', (parent: Sitting) => seqOf(parent, 'review_given', 'ann')],
    ['the report', (parent: Sitting) => seqOf(parent, 'report_given')],
    ['an event that is no outcome', (parent: Sitting) => seqOf(parent, 'call_started')],
    ['an event that there is not', () => 4_000],
    ['an event of another trace', (parent: Sitting) => `${FORK}/${seqOf(parent, 'opinion_failed', 'cat')}`],
    ['nothing that is an event', () => 'cat'],
  ])('COU-X-7 is found where it names %s', async (_, event) => {
    expect(await found((parent) => ({ after: beforeClosing(parent), retry: [event(parent)] }))).toEqual(
      REFUSED,
    )
  })

  it('COU-X-7 is found where it names a failure of a round that comes after its fork point', async () => {
    const early = await found((parent) => ({
      after: afterR1(parent),
      retry: [seqOf(parent, 'opinion_failed', 'cat'), seqOf(parent, 'review_failed', 'ben')],
    }))
    expect(early).toEqual(REFUSED)
  })

  it('COU-X-7 is found where it names a chair that failed before another reported', async () => {
    const chairFails = ({ round, seat }: Question): ScriptedReply | undefined =>
      `${round} ${seat}` === 'R3 ann' ? { fails: 'timeout' } : undefined
    const faults = await found(
      (parent) => ({ after: beforeClosing(parent), retry: [seqOf(parent, 'report_failed', 'ann')] }),
      chairFails,
    )
    expect(faults).toEqual(REFUSED)
  })

  it('COU-X-7 is found where a failure is named twice, or none', async () => {
    const twice = await found((parent) => {
      const seq = seqOf(parent, 'opinion_failed', 'cat')
      return { after: beforeClosing(parent), retry: [seq, seq] }
    })
    const none = await found((parent) => ({ after: beforeClosing(parent), retry: [] }))
    const words = [expect.stringMatching(/^SCHEMA_INVALID 0: a retry names failures, each once$/)]
    expect([twice, none]).toEqual([words, words])
  })
})
