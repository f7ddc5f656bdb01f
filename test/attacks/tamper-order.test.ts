// Checks are made in one order, and at one event the first that fails silences the rest: shown for each check alone,
// for every two of them, and for all that follow any one.

import { describe, expect, it } from 'vitest'
import { utf8 } from '../../src/ledger/bytes.ts'
import { eventHash } from '../../src/ledger/event.ts'
import type { ArtifactAnswer } from '../../src/ledger/verify/inquire.ts'
import { CHECKS, type Report } from '../../src/ledger/verify/report.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { OUTPUT } from '../support/errand-run.ts'
import { namedKey } from '../support/ports.ts'
import {
  ARTIFACT,
  AT,
  actor,
  atHome,
  changedEvent,
  headerOf,
  judge,
  openScene,
  signEvent,
  smuggle,
  withEvent,
} from '../support/tamper.ts'
import { faults } from '../support/verification.ts'

const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte))

/** The checks that one event can fail, with the code that each gives to the event made below. */
const ORDER = [
  ['schema', 'SCHEMA_INVALID'],
  ['event_hash', 'HASH_MISMATCH'],
  ['chain', 'CHAIN_BREAK'],
  ['signature', 'SIG_INVALID'],
  ['key_status', 'KEY_REVOKED'],
  ['key_role', 'KEY_ROLE_MISMATCH'],
  ['artifact_existence', 'ARTIFACT_MISSING'],
  ['artifact_hash', 'ARTIFACT_HASH_MISMATCH'],
  ['payload_hash', 'PAYLOAD_HASH_MISMATCH'],
  ['protocol_replay', 'ORDER_VIOLATION'],
] as const

type Violated = (typeof ORDER)[number][0]

/** An execution, the last event of its trace, that fails exactly these checks. */
async function failing(checks: readonly Violated[]): Promise<Report> {
  const fails = (check: Violated): boolean => checks.includes(check)
  const scene = await openScene(AT.executed)
  const { registrar, ports } = scene
  await registrar.register('gone', ['executor'], ports.key('gone').publicKey)
  const gone = registrar.log.state.keys.get(namedKey('gone').id)
  if (gone) await registrar.revoke(gone, 'lost', null)

  const other = 'e'.repeat(64)
  const descriptor = (hash: string, size: number) => ({
    hash,
    size,
    name: 'output.txt',
    media_type: 'text/plain',
  })
  const artifacts = [descriptor(ARTIFACT, OUTPUT.length), descriptor(other, 1)]
  const answers = new Map<string, ArtifactAnswer>()
  answers.set(ARTIFACT, { state: fails('artifact_hash') ? 'altered' : 'intact', size: OUTPUT.length })
  if (!fails('artifact_existence')) answers.set(other, { state: 'intact', size: 1 })

  const key = fails('key_status') ? namedKey('gone') : namedKey('eve')
  const agent = fails('key_status') && !fails('key_role') ? 'gone' : 'eve'
  const role = fails('key_role') && !fails('key_status') ? 'critic' : 'executor'
  const action = fails('protocol_replay') ? 'tool/other/1' : 'tool/fetch/1'
  await smuggle(scene, scene.trace, {
    type: 'tool_execution_completed',
    actor: { agent, role, key: key.id },
    payload: { action, artifacts },
  })
  const bundle = withEvent(await atHome(scene), 'main', AT.executed, (event) => {
    const prev = fails('chain') ? 'f'.repeat(64) : headerOf(event).prev
    let made = changedEvent(event, { header: { prev }, signer: key })
    if (fails('payload_hash')) made = { ...made, salt: flip(event.salt ?? new Uint8Array()) }
    if (fails('signature')) made = { ...made, signature: flip(made.signature) }
    if (fails('event_hash')) made = { ...made, hash: 'd'.repeat(64) }
    if (!fails('schema')) return made
    const header = utf8(`${Buffer.from(made.header).toString().slice(0, -1)},"x":1}`)
    const hash = fails('event_hash') ? made.hash : eventHash(sha256, header)
    return { ...made, header, hash, signature: fails('signature') ? made.signature : signEvent(key, header) }
  })
  return judge(bundle, scene.trust, answers)
}

describe('the order of checks', () => {
  it('VER-2 is this one', () => {
    expect(CHECKS).toEqual([
      'schema',
      'event_hash',
      'chain',
      'signature',
      'key_status',
      'key_role',
      'artifact_existence',
      'artifact_hash',
      'payload_hash',
      'protocol_replay',
      'claim_evidence',
      'finalisation',
      'checkpoints',
      'trust',
    ])
  })

  it('VER-2 finds each fault by itself', async () => {
    expect(faults(await failing([]))).toEqual([])
    for (const [check, code] of ORDER) expect(faults(await failing([check])), check).toEqual([`${code} 6`])
  })

  it('VER-5 reports of two faults at one event only the earlier, whichever two', async () => {
    for (const [i, [first, code]] of ORDER.entries()) {
      for (const [second] of ORDER.slice(i + 1))
        expect(faults(await failing([first, second])), `${first}, ${second}`).toEqual([`${code} 6`])
    }
  })

  it('VER-5 reports of all faults at one event the first', async () => {
    for (const [i, [, code]] of ORDER.entries())
      expect(faults(await failing(ORDER.slice(i).map(([check]) => check)))).toEqual([`${code} 6`])
  })

  it('VER-2 asks for evidence only after the protocol let the claim stand', async () => {
    const payload = { action: 'claim/1', text: 'x', evidence: [] }
    const scene = await openScene(AT.claim)
    await smuggle(scene, scene.trace, { type: 'claim_issued', actor: actor('carl', 'critic'), payload })
    expect(faults(judge(await atHome(scene), scene.trust))).toEqual(['ROLE_POLICY_VIOLATION 7'])
  })
})
