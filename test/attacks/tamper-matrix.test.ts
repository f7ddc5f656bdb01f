// For every code that a report can hold, one way of tampering that gives exactly this code, exactly there, and
// nothing else.

import { describe, expect, it } from 'vitest'
import { extract, wholeBundle } from '../../src/clerk/extract.ts'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import { utf8 } from '../../src/ledger/bytes.ts'
import { eventHash, type SealedEvent } from '../../src/ledger/event.ts'
import type { KeyRecord } from '../../src/ledger/registry/registry.ts'
import type { ArtifactAnswer } from '../../src/ledger/verify/inquire.ts'
import {
  CHECKS,
  type Check,
  type Failure,
  type Report,
  SUGGESTIONS,
  type VerifyCode,
} from '../../src/ledger/verify/report.ts'
import type { Protocol } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { openRoom, Recorded } from '../frozen/making/recorded.ts'
import { attachedTask, hostGap } from '../support/agents-attached.ts'
import { agents } from '../support/agents-walk.ts'
import { OUTPUT } from '../support/errand-run.ts'
import { namedKey } from '../support/ports.ts'
import {
  ARTIFACT,
  AT,
  actor,
  atHome,
  changedEvent,
  errandDrafts,
  events,
  judge,
  openScene,
  type PageContext,
  rewrite,
  type SmuggledDraft,
  signEvent,
  smuggle,
  withEvent,
  withEvents,
  withSection,
} from '../support/tamper.ts'

interface Case {
  readonly does: string
  readonly code: VerifyCode
  readonly check: Check
  /** The number of the event in the main trace; null when the whole is concerned. */
  readonly at: number | null
  readonly severity?: 'warning'
  readonly artifact?: string
  readonly tamper: () => Promise<Report>
}

/** Where the gap of an attached session stands: after its opening, its order and the review of it. */
const GAP = 3
const NO_ARTIFACTS: ReadonlyMap<string, ArtifactAnswer> = new Map()
const drafts = errandDrafts()

/** Changes the answer, which is the last event, in a bundle of the home. */
const answer =
  (change: (event: SealedEvent) => SealedEvent): (() => Promise<Report>) =>
  async () => {
    const scene = await openScene(AT.intent)
    return judge(withEvent(await atHome(scene), 'main', AT.answer, change), scene.trust)
  }

/** Appends to a home that has come so far, without asking the protocol. */
const append =
  (
    after: number,
    draft: SmuggledDraft,
    before?: (scene: PageContext) => Promise<unknown>,
  ): (() => Promise<Report>) =>
  async () => {
    const scene = await openScene(after)
    await before?.(scene)
    await smuggle(scene, scene.trace, draft)
    return judge(await atHome(scene), scene.trust)
  }

const exported =
  (
    change: (bundle: Bundle) => Bundle,
    artifacts?: ReadonlyMap<string, ArtifactAnswer>,
  ): (() => Promise<Report>) =>
  async () => {
    const scene = await openScene(AT.claim)
    return judge(change(await extract(scene.kit, scene.trace)), scene.trust, artifacts)
  }

const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte))

const rehash = (event: SealedEvent, header: Uint8Array): SealedEvent => ({
  ...event,
  header,
  hash: eventHash(sha256, header),
  signature: signEvent(namedKey('sam'), header),
})

async function revokeSam({ registrar }: PageContext): Promise<void> {
  const key = registrar.log.state.keys.get(namedKey('sam').id)
  if (key) await registrar.revoke(key, 'lost', null)
}

const FUTURE = { ...drafts[AT.claim], payload: { action: 'claim/1', text: 'x', evidence: ['f'.repeat(64)] } }

const CASES: readonly Case[] = [
  {
    does: 'spells the header in another way, hashed and signed again',
    code: 'SCHEMA_INVALID',
    check: 'schema',
    at: AT.answer,
    tamper: answer((event) => rehash(event, utf8(Buffer.from(event.header).toString().replace(':', ': ')))),
  },
  {
    does: 'sets another time in the header',
    code: 'HASH_MISMATCH',
    check: 'event_hash',
    at: AT.answer,
    tamper: answer((event) => ({
      ...changedEvent(event, { header: { at: '2026-02-01T00:00:00.000Z' } }),
      hash: event.hash,
    })),
  },
  {
    does: 'names another predecessor',
    code: 'CHAIN_BREAK',
    check: 'chain',
    at: AT.answer,
    tamper: answer((event) =>
      changedEvent(event, { header: { prev: 'f'.repeat(64) }, signer: namedKey('sam') }),
    ),
  },
  {
    does: 'begins upon something that nobody sees',
    code: 'CHAIN_BREAK',
    check: 'chain',
    at: AT.opened,
    tamper: async () => {
      const scene = await openScene(AT.asked)
      const change = { header: { prev: 'f'.repeat(64) }, signer: namedKey('paula') }
      return judge(
        withEvent(await atHome(scene), 'main', AT.opened, (event) => changedEvent(event, change)),
        scene.trust,
      )
    },
  },
  {
    does: 'takes the signature away',
    code: 'SIG_MISSING',
    check: 'signature',
    at: AT.answer,
    tamper: answer((event) => ({ ...event, signature: new Uint8Array() })),
  },
  {
    does: 'flips a bit of the signature',
    code: 'SIG_INVALID',
    check: 'signature',
    at: AT.answer,
    tamper: answer((event) => ({ ...event, signature: flip(event.signature) })),
  },
  {
    does: 'signs with a key that nobody registered',
    code: 'KEY_UNKNOWN',
    check: 'key_status',
    at: AT.answer,
    tamper: answer((event) =>
      changedEvent(event, { header: { actor: actor('sam', 'seat', 'nobody') }, signer: namedKey('nobody') }),
    ),
  },
  {
    does: 'names a registry position that never was',
    code: 'KEY_UNKNOWN',
    check: 'key_status',
    at: AT.answer,
    tamper: append(AT.answer, { ...drafts[AT.answer], registry: { size: 7, hash: 'f'.repeat(64) } }),
  },
  {
    does: 'signs with a key that was revoked',
    code: 'KEY_REVOKED',
    check: 'key_status',
    at: AT.answer,
    tamper: append(AT.answer, drafts[AT.answer] ?? {}, revokeSam),
  },
  {
    does: 'signs with the key of another role',
    code: 'KEY_ROLE_MISMATCH',
    check: 'key_role',
    at: AT.approval,
    tamper: append(AT.approval, { ...drafts[AT.approval], actor: actor('eve', 'critic') }),
  },
  {
    does: 'leaves an artifact out',
    code: 'ARTIFACT_MISSING',
    check: 'artifact_existence',
    at: AT.executed,
    artifact: ARTIFACT,
    tamper: exported((bundle) => bundle, NO_ARTIFACTS),
  },
  {
    does: 'names an artifact as omitted',
    code: 'ARTIFACT_OMITTED',
    check: 'artifact_existence',
    at: AT.executed,
    artifact: ARTIFACT,
    severity: 'warning',
    tamper: exported((bundle) => ({ ...bundle, omitted: [ARTIFACT] }), NO_ARTIFACTS),
  },
  {
    does: 'changes an artifact',
    code: 'ARTIFACT_HASH_MISMATCH',
    check: 'artifact_hash',
    at: AT.executed,
    artifact: ARTIFACT,
    tamper: exported((bundle) => bundle, new Map([[ARTIFACT, { state: 'altered', size: OUTPUT.length }]])),
  },
  {
    does: 'drops a payload',
    code: 'PAYLOAD_MISSING',
    check: 'payload_hash',
    at: AT.answer,
    tamper: answer((event) => ({ ...event, payload: null, salt: null })),
  },
  {
    does: 'changes a payload',
    code: 'PAYLOAD_HASH_MISMATCH',
    check: 'payload_hash',
    at: AT.answer,
    tamper: answer((event) => ({
      ...event,
      payload: utf8('{"action":"ask/a/1","seat":"a","text":"MIT"}'),
    })),
  },
  {
    does: 'changes a salt',
    code: 'PAYLOAD_HASH_MISMATCH',
    check: 'payload_hash',
    at: AT.answer,
    tamper: answer((event) => ({ ...event, salt: flip(event.salt ?? new Uint8Array()) })),
  },
  {
    does: 'runs a tool before anyone intended it',
    code: 'ORDER_VIOLATION',
    check: 'protocol_replay',
    at: AT.intent,
    tamper: append(AT.intent, drafts[AT.started] ?? {}),
  },
  {
    does: 'closes before anything was claimed',
    code: 'ORDER_VIOLATION',
    check: 'finalisation',
    at: AT.claim,
    tamper: append(AT.claim, { ...drafts[AT.closed], payload: {} }),
  },
  {
    does: 'lets the executor approve itself',
    code: 'ROLE_POLICY_VIOLATION',
    check: 'protocol_replay',
    at: AT.approval,
    tamper: append(AT.approval, { ...drafts[AT.approval], actor: actor('eve', 'executor') }),
  },
  {
    does: 'runs a tool without approval',
    code: 'APPROVAL_MISSING',
    check: 'protocol_replay',
    at: AT.approval,
    tamper: append(AT.approval, drafts[AT.started] ?? {}),
  },
  {
    does: 'claims upon evidence that nothing produced',
    code: 'CLAIM_UNPROVEN',
    check: 'claim_evidence',
    at: AT.claim,
    tamper: append(AT.claim, FUTURE),
  },
  {
    does: 'forks from a parent that is not there',
    code: 'FORK_PARENT_MISSING',
    check: 'protocol_replay',
    at: 0,
    tamper: async () => {
      const scene = await openScene(AT.claim)
      const fork = scene.ports.newTrace()
      const parent = { trace: scene.trace, seq: 2, hash: 'f'.repeat(64) }
      await smuggle(scene, fork, {
        type: 'trace_forked',
        payload: { parent },
        actor: actor('paula', 'planner'),
      })
      return judge(await wholeBundle(scene.store, fork), scene.trust)
    },
  },
  {
    does: 'rewrites the trace with every key of its agents',
    code: 'CHECKPOINT_INCONSISTENT',
    check: 'checkpoints',
    at: null,
    tamper: async () => {
      const scene = await openScene(AT.intent)
      const bundle = await extract(scene.kit, scene.trace)
      const payload = { action: 'ask/a/1', seat: 'a', text: 'MIT' }
      const forged = rewrite(await events(scene.store, scene.trace), AT.answer, { payload }, scene.ports.keys)
      return judge(withEvents(bundle, 'main', forged), scene.trust)
    },
  },
  {
    does: 'cuts the tail',
    code: 'LOG_TRUNCATED',
    check: 'checkpoints',
    at: null,
    tamper: exported((bundle) =>
      withSection(bundle, 'main', (s) => ({ ...s, events: s.events.slice(0, -1) })),
    ),
  },
  {
    does: 'erases a payload, and says so',
    code: 'REDACTION_LIMITED',
    check: 'payload_hash',
    at: AT.answer,
    severity: 'warning',
    tamper: async () => {
      const scene = await openScene(AT.intent)
      await scene.registrar.redact({ trace: scene.trace, seq: AT.answer, artifact: null }, 'paula', 'private')
      return judge(await atHome(scene), scene.trust)
    },
  },
  {
    does: 'lets a host make a call that is not recorded, and says so',
    code: 'RECORD_GAP',
    check: 'protocol_replay',
    at: GAP,
    severity: 'warning',
    tamper: async () => {
      const room = await openRoom()
      const session = await (await new Recorded(room).open(attachedTask())).run(undefined, false)
      await session.say(hostGap())
      const bundle = await wholeBundle(room.store, session.log.trace)
      return examine(bundle, room.store, room.trust, [agents as Protocol])
    },
  },
  {
    does: 'withholds all content',
    code: 'CONTENT_WITHHELD',
    check: 'payload_hash',
    at: null,
    severity: 'warning',
    tamper: async () => {
      const scene = await openScene(AT.claim)
      const bundle = await extract(scene.kit, scene.trace, { withoutContent: true })
      return judge(bundle, scene.trust, NO_ARTIFACTS)
    },
  },
  {
    does: 'shows a registry that nobody vouched for',
    code: 'TRUST_UNPINNED',
    check: 'trust',
    at: null,
    severity: 'warning',
    tamper: async () => {
      const scene = await openScene(AT.claim)
      return judge(await atHome(scene), { keys: [], checkpoints: [] })
    },
  },
  {
    does: 'is read by someone who trusts a registry key that was revoked',
    code: 'TRUST_REVOKED',
    check: 'trust',
    at: null,
    severity: 'warning',
    tamper: async () => {
      const scene = await openScene(AT.claim)
      const old = (): KeyRecord => scene.registrar.log.state.keys.get(namedKey('registrar').id) as KeyRecord
      await scene.registrar.rotate(old(), scene.ports.key('second registrar').publicKey)
      await scene.registrar.revoke(old(), 'stolen', null)
      return judge(await atHome(scene), scene.trust)
    },
  },
]

describe('tampering', () => {
  for (const { does, code, check, at, severity = 'error', artifact = null, tamper } of CASES) {
    it(`VER-5 ${code}: ${does}`, async () => {
      const report = await tamper()
      const event = at === null ? null : `${report.trace}/${at}`
      const [failure, ...others] = report.failures
      expect(others).toEqual([])
      const message = failure?.message ?? ''
      const expected: Failure = {
        code,
        severity,
        check,
        event,
        artifact,
        message,
        suggested_action: SUGGESTIONS[code],
      }
      expect(failure).toEqual(expected)
      expect(message).toMatch(/^[^\n]{10,200}$/)
      expect(report.status).toBe(severity === 'error' ? 'fail' : 'pass-with-warnings')
      const line = report.checks.find((candidate) => candidate.check === check)
      expect(line?.status).toBe(severity === 'error' ? 'fail' : 'warning')
    })
  }

  it('VER-5 was tried for every code there is', () => {
    expect([...new Set(CASES.map(({ code }) => code))].sort()).toEqual(Object.keys(SUGGESTIONS).sort())
  })

  it('VER-4 leaves no failed check without a failure that says where, what and what to do', async () => {
    for (const { tamper } of CASES) {
      const report = await tamper()
      expect(report.checks.map(({ check }) => check)).toEqual([...CHECKS])
      for (const { check, status } of report.checks) {
        const own = report.failures.filter((failure) => failure.check === check)
        const worst = own.some(({ severity }) => severity === 'error')
          ? 'fail'
          : own.length > 0
            ? 'warning'
            : null
        if (worst === null) expect(['pass', 'skipped']).toContain(status)
        else expect(status).toBe(worst)
      }
      for (const failure of report.failures) {
        expect(Object.keys(failure).sort()).toEqual(
          ['artifact', 'check', 'code', 'event', 'message', 'severity', 'suggested_action'].sort(),
        )
      }
    }
  })

  it('VER-6 gives reports that name the trace, its head and its size', async () => {
    for (const { tamper } of CASES) {
      const report = await tamper()
      expect(report.trace).toMatch(/^[0-9A-Z]{26}$/)
      expect(report.head).toMatch(/^[0-9a-f]{64}$/)
      expect(report.root).toMatch(/^[0-9a-f]{64}$/)
      expect(report.size).toBeGreaterThan(0)
    }
  })
})
