// What edition 2 records stays to the letter: prompts are built again by verifiers, so a word that changes makes traces fail
// that someone has at home. A rule of an edition that is not released yet may change; then its pins change with it, knowingly.
import { describe, expect, it } from 'vitest'
import { WALKS } from '../../test/support/agents-scenarios.ts'
import type { Walk } from '../../test/support/agents-walk.ts'
import { hashOf } from '../../test/support/agents-world.ts'
import { canonicalize } from '../ledger/canonical.ts'

/** Of all that is recorded, requests and replies by their hashes. */
const digest = ({ events }: Walk): string =>
  hashOf(
    canonicalize(events.map(({ type, actor, payload }) => ({ type, by: actor.agent, payload })) as never),
  ).slice(0, 12)

const PINS: readonly string[] = [
  '3aa7b14b121c',
  '6b8e7ad30261',
  '15bcae75f6d4',
  '82bcc47e8d1c',
  'b6e527ffc2da',
  'ec24bcb94e14',
  '2b211bf1c2bd',
  'a3094ceceeaf',
  'e82d94500a17',
  'd39ad884854a',
  '799848a06cf6',
  'f020704b9be2',
  '37ac13a1b54e',
  '2eaa702317ab',
  'fd0c4b0c2219',
  '76d332c25eb3',
  '8a8d2f722da1',
  'cfebc07efc9c',
  '439f747c795c',
  'cdfc66acaab0',
  'ad68e4d9309c',
  '43423ae7ac21',
  '7e2c2d9382a0',
  '7115f6757779',
  'b9fe1a357be4',
]

describe('edition 2 of agents/1', () => {
  it.each(WALKS.map((walk, i) => [i + 1, walk, PINS[i]] as const))(
    'VER-3 records walk %d through the lifecycle exactly as before',
    (_, walk, pinned) => {
      expect(digest(walk())).toBe(pinned)
    },
  )
})
