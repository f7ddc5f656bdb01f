// One story of stolen keys, told by the built command: a home works, everything in it is copied by a thief, its owner
// notices, rotates and revokes. What each reader then sees of each bundle is pinned as a table.

import { createReadStream } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../src/app/home/home.ts'
import { readTrust } from '../src/browser/trust-text.ts'
import { artifactsIn } from '../src/clerk/extract.ts'
import type { Bundle } from '../src/ledger/bundle/bundle.ts'
import type { ArtifactAnswer, Trust } from '../src/ledger/verify/inquire.ts'
import type { Protocol } from '../src/protocol.ts'
import { readBundle, writeBundle } from '../src/stores/bundle-file.ts'
import { type Json, type Ran, type Where, witan } from './doors/command.ts'
import { type AgentsHome, agentsHome, READING, runTask, traceOf } from './support/agents-home.ts'

interface Key {
  readonly id: string
  readonly agent: string
  readonly status: string
}

async function done(running: Promise<Ran>): Promise<Ran> {
  const ran = await running
  if (ran.code !== 0) throw new Error(`${ran.code}: ${ran.stderr}`)
  return ran
}

const keysIn = async (home: Where): Promise<readonly Key[]> =>
  (await done(witan(home, 'keys', 'list', '--json'))).json.keys as readonly Key[]

const inForce = async (home: Where): Promise<readonly Key[]> =>
  (await keysIn(home)).filter(({ status }) => status === 'in force')

async function bundleIn(file: string): Promise<Bundle> {
  return (await readBundle(createReadStream(file), () => new Set())).bundle
}

async function write(bundle: Bundle, home: Where, file: string): Promise<void> {
  const store = await openStore({ directory: home.home, mode: 'read' })
  const chunks: Uint8Array[] = []
  for await (const chunk of writeBundle(bundle, artifactsIn(bundle), store)) chunks.push(chunk)
  await store.close()
  await writeFile(file, Buffer.concat(chunks))
}

let owner: AgentsHome
let thief: AgentsHome
const at = (name: string): string => join(owner.cwd, name)
const exportTo = (home: Where, trace: string, file: string, ...more: readonly string[]): Promise<Ran> =>
  done(witan(home, 'export', trace, '-o', at(file), ...more))

/** Rotates every key that the thief has, then revokes the old ones. */
async function recover(): Promise<void> {
  const stolen = await inForce(owner)
  for (const { agent } of stolen) await done(witan(owner, 'keys', 'rotate', agent))
  for (const { id } of stolen) await done(witan(owner, 'keys', 'revoke', id, '--reason', 'disk stolen'))
}

beforeAll(async () => {
  owner = await agentsHome()
  const first = traceOf(await done(runTask(owner, READING)))
  await exportTo(owner, first, 'before.witan')
  await cp(at('home/registry.vkey'), at('old.vkey'))
  await exportTo(owner, 'registry', 'early.witan', '--checkpoint-out', at('early.note'))

  thief = { ...owner, home: at('stolen') }
  await cp(owner.home, thief.home, { recursive: true })
  const forged = traceOf(await done(runTask(thief, READING)))
  await exportTo(thief, forged, 'thief-backdated.witan')

  await recover()
  const later = traceOf(await done(runTask(owner, READING)))
  await exportTo(owner, later, 'after.witan')
  await exportTo(owner, 'registry', 'registry.witan', '--checkpoint-out', at('late.note'))

  const published = await bundleIn(at('registry.witan'))
  const stolen = await bundleIn(at('thief-backdated.witan'))
  const grafted = { ...stolen, registry: published.main, main: { ...stolen.main, checkpoint: null } }
  await write(grafted, thief, at('thief-grafted.witan'))

  await done(witan(thief, 'keys', 'rotate', 'registrar'))
  await exportTo(thief, traceOf(await done(runTask(thief, READING))), 'thief-after.witan')
}, 180_000)

const BUNDLES = ['before', 'after', 'thief-backdated', 'thief-after', 'thief-grafted'] as const
type Row = Readonly<Record<(typeof BUNDLES)[number], string>>

/**
 * before, after: honest, exported before the theft and after the revocation. thief-backdated: made by the thief in the
 * copy, its registry ends before the rotation. thief-after: the thief went on there with a successor of their own.
 * thief-grafted: the thief's trace under the true registry as its owner published it afterwards.
 */
const READERS: readonly (readonly [reader: string, pin: string | null, row: Row])[] = [
  [
    'the old key, and cannot tell the thief from the owner but by the revocation',
    'old.vkey',
    {
      before: 'pass key',
      after: 'pass-with-warnings key TRUST_REVOKED',
      'thief-backdated': 'pass key',
      'thief-after': 'pass key',
      'thief-grafted': 'fail key KEY_REVOKED TRUST_REVOKED',
    },
  ],
  [
    'the new key, and takes nothing of the thief',
    'home/registry.vkey',
    {
      before: 'fail untrusted TRUST_UNPINNED',
      after: 'pass key',
      'thief-backdated': 'fail untrusted TRUST_UNPINNED',
      'thief-after': 'fail untrusted TRUST_UNPINNED',
      'thief-grafted': 'fail key KEY_REVOKED',
    },
  ],
  [
    'a checkpoint from before the theft, and is warned of everything made since',
    'early.note',
    {
      before: 'pass checkpoint',
      after: 'pass-with-warnings checkpoint CHECKPOINT_INCONSISTENT',
      'thief-backdated': 'pass-with-warnings checkpoint CHECKPOINT_INCONSISTENT',
      'thief-after': 'pass-with-warnings checkpoint CHECKPOINT_INCONSISTENT',
      'thief-grafted': 'fail checkpoint KEY_REVOKED',
    },
  ],
  [
    'a checkpoint from after the revocation, and takes nothing of the thief',
    'late.note',
    {
      before: 'fail untrusted CHECKPOINT_INCONSISTENT TRUST_UNPINNED',
      after: 'pass checkpoint',
      'thief-backdated': 'fail untrusted CHECKPOINT_INCONSISTENT TRUST_UNPINNED',
      'thief-after': 'fail untrusted CHECKPOINT_INCONSISTENT TRUST_UNPINNED',
      'thief-grafted': 'fail checkpoint KEY_REVOKED',
    },
  ],
  [
    'nothing, and is told so',
    null,
    {
      before: 'pass-with-warnings untrusted TRUST_UNPINNED',
      after: 'pass-with-warnings untrusted TRUST_UNPINNED',
      'thief-backdated': 'pass-with-warnings untrusted TRUST_UNPINNED',
      'thief-after': 'pass-with-warnings untrusted TRUST_UNPINNED',
      'thief-grafted': 'fail untrusted KEY_REVOKED TRUST_UNPINNED',
    },
  ],
]

const HOME: Row = {
  before: 'pass key',
  after: 'pass key',
  'thief-backdated': 'fail untrusted CHECKPOINT_INCONSISTENT',
  'thief-after': 'fail untrusted CHECKPOINT_INCONSISTENT',
  'thief-grafted': 'fail untrusted KEY_REVOKED CHECKPOINT_INCONSISTENT',
}

const wordsOf = (report: Json): string => {
  const codes = (report.failures as readonly { code: string }[]).map(({ code }) => code)
  return [report.status, report.trusted_by ?? 'untrusted', ...new Set(codes)].join(' ')
}

async function tableOf(verdict: (file: string) => Promise<Json>): Promise<Json> {
  const row: Record<string, string> = {}
  for (const bundle of BUNDLES) row[bundle] = wordsOf(await verdict(at(`${bundle}.witan`)))
  return row
}

/** The page's own code, which is typed for browsers: what of it is used here, said once more. */
interface Page {
  readonly PROTOCOLS: readonly Protocol[]
  readonly signatureChecker: () => Promise<unknown>
  readonly examine: (
    bundle: Bundle,
    artifacts: ReadonlyMap<string, ArtifactAnswer>,
    trust: Trust,
    tools: { readonly protocols: readonly Protocol[]; readonly check: unknown },
    progress: () => void,
  ) => Promise<{ readonly digest: string }>
}

const pagePart = (name: string): Promise<Page> => import(`../src/browser/${name}.ts`)

/** As the self-verifying page judges the same file, with what was pasted into its form. */
async function digestInPage(file: string, pasted: string): Promise<string> {
  const { bundle, artifacts } = await readBundle(createReadStream(file), (b) => new Set(artifactsIn(b)))
  const [{ examine, PROTOCOLS }, { signatureChecker }] = (await Promise.all(
    (['examine', 'signatures'] as const).map(pagePart),
  )) as [Page, Page]
  const tools = { protocols: PROTOCOLS, check: await signatureChecker() }
  return (await examine(bundle, artifacts, readTrust(pasted), tools, () => undefined)).digest
}

describe('after a theft of every key, rotation and revocation', () => {
  for (const [reader, pin, row] of READERS) {
    it(`LED-10 VER-9 a reader holds ${reader}`, async () => {
      const elsewhere = { ...owner, home: '/nowhere' }
      const pasted = pin ? await readFile(at(pin), 'utf8') : ''
      const table = await tableOf(async (file) => {
        const { json } = await witan(
          elsewhere,
          'verify',
          file,
          ...(pin ? ['--trust', at(pin)] : []),
          '--json',
        )
        expect(await digestInPage(file, pasted)).toBe(json.digest)
        return json
      })
      expect(table).toEqual(row)
    })
  }

  it('LED-10 VER-9 the home itself takes none of what the thief made for its own, no matter what it is told to trust', async () => {
    const verdict = async (file: string): Promise<Json> => (await witan(owner, 'verify', file, '--json')).json
    expect(await tableOf(verdict)).toEqual(HOME)
    for (const thiefs of ['thief-backdated', 'thief-after', 'thief-grafted']) {
      const told = await witan(owner, 'verify', at(`${thiefs}.witan`), '--trust', at('old.vkey'), '--json')
      expect(told.json).toMatchObject({ status: 'fail', trusted_by: null })
    }
    const [shown] = (await witan(owner, 'verify', at('thief-backdated.witan'))).stdout.split('\n')
    expect(shown).toMatch(/^FAIL/)
  })

  it('LED-10 registry.vkey follows the registrar, and the home goes on verifying by it', async () => {
    const [old, now] = await Promise.all(
      ['old.vkey', 'home/registry.vkey'].map((file) => readFile(at(file), 'utf8')),
    )
    expect(now).not.toBe(old)
    expect(now?.split('+')[0]).toBe(old?.split('+')[0])
    const keys = await keysIn(owner)
    expect(readTrust(now ?? '').keys).toEqual([keys.findLast(({ agent }) => agent === 'registrar')?.id])
    for (const trace of ['registry', 'last'])
      expect((await witan(owner, 'verify', trace, '--json')).json).toMatchObject({ status: 'pass' })
  })

  it('LED-10 a theft found to be older still is said by a second revocation, which reaches further back', async () => {
    const [clerk] = (await keysIn(owner)).filter(({ agent }) => agent === 'clerk')
    const revoke = (...more: readonly string[]): Promise<Ran> =>
      witan(owner, 'keys', 'revoke', clerk?.id ?? '', '--reason', 'older than thought', ...more)
    const again = await revoke()
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('--compromised-since')])
    expect((await revoke('--compromised-since', '3')).code).toBe(0)
    // The finished trace was checkpointed after size 3, so nothing by the clerk counts any more: honest or not.
    expect(wordsOf((await witan(owner, 'verify', at('before.witan'), '--json')).json)).toBe(
      'fail key KEY_REVOKED',
    )
    expect((await witan(owner, 'verify', 'registry', '--json')).json).toMatchObject({ status: 'pass' })
  })
})

describe('a key that was lost', () => {
  it('LED-10 of a seat is replaced under the same name; of the registrar, what was recorded stays verifiable', async () => {
    const home = await agentsHome()
    const trace = traceOf(await done(runTask(home, READING)))
    await done(witan(home, 'keys', 'add', 'ana', '--role', 'critic'))
    const [seat, registrar] = ['executor', 'registrar'].map((name) => ({ name, files: [] as string[] }))
    for (const file of await readdir(join(home.home, 'keys'))) {
      for (const lost of [seat, registrar]) if (file.startsWith(`${lost?.name}.`)) lost?.files.push(file)
    }
    await Promise.all((seat?.files ?? []).map((file) => rm(join(home.home, 'keys', file))))
    const rotated = await witan(home, 'keys', 'rotate', 'executor')
    expect([rotated.code, rotated.stderr]).toEqual([7, expect.stringContaining('witan keys revoke executor')])
    await done(witan(home, 'keys', 'revoke', 'executor', '--reason', 'disk died'))
    await done(witan(home, 'keys', 'add', 'executor', '--role', 'executor'))
    expect((await runTask(home, READING)).code).toBe(0)

    await Promise.all((registrar?.files ?? []).map((file) => rm(join(home.home, 'keys', file))))
    const refused = await witan(home, 'keys', 'rotate', 'registrar')
    expect([refused.code, refused.stderr]).toEqual([7, expect.stringContaining('KEY_NOT_FOUND')])
    expect((await witan(home, 'verify', trace, '--json')).json).toMatchObject({
      status: 'pass',
      trusted_by: 'key',
    })
  })
})
