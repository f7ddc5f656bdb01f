import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errand } from '../../test/protocols/errand.ts'
import { countOf, type Kit, minutes, openKit, verifyAtHome } from '../../test/support/clerk-kit.ts'
import { completeErrand, OUTPUT, openErrand, runClerk } from '../../test/support/errand-run.ts'
import { checkFile, toFile } from '../../test/support/verification.ts'
import { openSqliteStore } from '../stores/sqlite.ts'
import { extract, isRedacted } from './extract.ts'
import { forkTrace } from './fork.ts'
import { TraceLog } from './trace-log.ts'

const HASH = 'c'.repeat(64)
const event = (trace: string, seq: number) => ({ trace, seq, artifact: null })
const artifact = (trace: string, hash: string) => ({ trace, seq: null, artifact: hash })

async function seqOf({ store }: Kit, trace: string, type: string): Promise<number> {
  return (await minutes(store, trace)).findIndex((line) => line.startsWith(type))
}

async function reports(kit: Kit, trace: string) {
  const { store, registrar, ports } = kit
  const file = await toFile(await extract({ store, registrar, sha256: ports.sha256 }, trace), store)
  const trust = { keys: [ports.key('registrar').id], checkpoints: [] }
  return [await verifyAtHome(kit, trace), await checkFile(file, trust)]
}

async function expectLimited(kit: Kit, trace: string): Promise<void> {
  for (const report of await reports(kit, trace)) {
    expect(report.status).toBe('pass-with-warnings')
    expect(new Set(report.failures.map(({ code }) => code))).toEqual(new Set(['REDACTION_LIMITED']))
  }
}

describe('erasing recorded content', () => {
  it('LED-14 erases a payload and leaves a trace that verifies as limited by that alone', async () => {
    const kit = await openKit()
    const { trace } = await completeErrand(kit.ports, kit.registrar)
    const seq = await seqOf(kit, trace, 'answer_given ask/b')
    await kit.registrar.redact(event(trace, seq), 'ana', 'a name slipped in')
    for await (const { payload, salt } of kit.store.read(trace, seq, seq + 1)) {
      expect([payload, salt]).toEqual([null, null])
    }
    expect(isRedacted(kit.registrar, { trace, seq })).toBe(true)
    expect(isRedacted(kit.registrar, { trace, seq: seq + 1 })).toBe(false)
    await expectLimited(kit, trace)
  })

  it('LED-14 erases the bytes of an artifact, and the claim that relied on them is no longer proven', async () => {
    const kit = await openKit()
    const { trace, state } = await completeErrand(kit.ports, kit.registrar)
    const hash = state.inner.executed[0] ?? ''
    await kit.registrar.redact(artifact(trace, hash), 'ana', 'personal data')
    expect(await kit.store.openArtifact(hash)).toBeNull()
    expect(isRedacted(kit.registrar, { artifact: hash })).toBe(true)
    await expectLimited(kit, trace)
    const [report] = await reports(kit, trace)
    expect(report?.failures.map(({ check }) => check)).toContain('claim_evidence')
  })

  it('LED-14 lets an erased approval satisfy no guard: the check of the tool is limited by the redaction, never passed', async () => {
    const kit = await openKit()
    const { trace } = await completeErrand(kit.ports, kit.registrar)
    await kit.registrar.redact(event(trace, await seqOf(kit, trace, 'intent_approved')), 'ana', 'why not')
    await expectLimited(kit, trace)
    const started = await seqOf(kit, trace, 'call_started tool')
    const [report] = await reports(kit, trace)
    expect(report?.failures.map((failure) => failure.event)).toContain(`${trace}/${started}`)
  })

  it('LED-14 runs no tool if its approval was erased before', async () => {
    const kit = await openKit()
    const log = await openErrand(kit.ports, kit.registrar)
    await runClerk(kit.ports, kit.registrar, log)
    const actor = kit.registrar.actor('carl', 'critic')
    await log.append([{ type: 'intent_approved', actor, payload: { action: 'approve/1' } }])
    await kit.registrar.redact(event(log.trace, log.size - 1), 'ana', 'given in error')
    const end = await runClerk(kit.ports, kit.registrar, new TraceLog(kit.ports, errand, log.trace))
    expect(end).toMatchObject({ status: 'waiting', parked: [{ id: 'approve/1' }] })
    expect(await seqOf(kit, log.trace, 'call_started tool')).toBe(-1)
  })

  it('LED-14 leaves the bytes in no file of a home', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'witan-redaction-'))
    const store = await openSqliteStore({ directory })
    try {
      const kit = await openKit(store)
      const { trace, state } = await completeErrand(kit.ports, kit.registrar)
      const stands = async (text: string): Promise<string[]> => {
        const names = await readdir(directory, { recursive: true, withFileTypes: true })
        const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name))
        const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes(text)))
        return files.filter((_, i) => found[i])
      }
      expect(await stands('answer of b')).not.toEqual([])
      expect(await stands(OUTPUT)).not.toEqual([])
      const seq = await seqOf(kit, trace, 'answer_given ask/b')
      await kit.registrar.redact(event(trace, seq), 'ana', 'private')
      await kit.registrar.redact(artifact(trace, state.inner.executed[0] ?? ''), 'ana', 'private')
      expect(await stands('answer of b')).toEqual([])
      expect(await stands(OUTPUT)).toEqual([])
      await expectLimited(kit, trace)
    } finally {
      await store.close()
      await rm(directory, { recursive: true })
    }
  })
})

describe('an erasure that is interrupted or refused', () => {
  it('LED-14 is completed by the same command, with one record of it', async () => {
    const kit = await openKit()
    const { trace } = await completeErrand(kit.ports, kit.registrar)
    const seq = await seqOf(kit, trace, 'answer_given ask/a')
    const erase = kit.store.erase.bind(kit.store)
    kit.store.erase = async () => {
      throw new Error('the power failed')
    }
    await expect(kit.registrar.redact(event(trace, seq), 'ana', 'private')).rejects.toThrow('power')
    kit.store.erase = erase
    await kit.registrar.redact(event(trace, seq), 'ana', 'private')
    await kit.registrar.redact(event(trace, seq), 'bob', 'again')
    expect(countOf(await minutes(kit.store, kit.registrar.trace), /^redaction_recorded/)).toBe(1)
    await expectLimited(kit, trace)
  })

  it('LED-14 is refused for content that does not exist, and for content that other events are judged by', async () => {
    const kit = await openKit()
    const { ports, registrar, store } = kit
    const { trace } = await completeErrand(ports, registrar)
    const fork = await forkTrace(
      ports,
      errand,
      { parent: trace, seq: 3 },
      registrar.actor('paula', 'planner'),
    )
    const foreign = await store.putArtifact(Buffer.from('named by nobody'))
    const refusals = [
      [event(ports.newTrace(), 0), 'TRACE_NOT_FOUND'],
      [event(trace, 99), 'EVENT_NOT_FOUND'],
      [event(trace, -1), 'EVENT_NOT_FOUND'],
      [artifact(trace, HASH), 'ARTIFACT_NOT_FOUND'],
      [artifact(trace, foreign.hash), 'ARTIFACT_NOT_FOUND'],
      [event(registrar.trace, 1), 'NOT_REDACTABLE'],
      [event(fork.trace, 0), 'NOT_REDACTABLE'],
      [event(trace, await seqOf(kit, trace, 'call_started tool')), 'NOT_REDACTABLE'],
      [{ trace, seq: null, artifact: null }, 'USAGE'],
    ] as const
    const before = (await store.head(registrar.trace))?.size
    for (const [target, code] of refusals) {
      await expect(registrar.redact(target, 'ana', 'private')).rejects.toMatchObject({ code })
    }
    expect((await store.head(registrar.trace))?.size).toBe(before)
  })
})
