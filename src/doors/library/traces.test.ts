// What the root of the package offers for traces: the same as the command, on the same home.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayOnce } from '../../../test/doors/errand-home.ts'
import { here } from '../../../test/doors/here.ts'
import {
  doctor,
  exportTrace,
  failureOf,
  type HomeLocation,
  inHome,
  listTraces,
  proveEvent,
  proveSince,
  readEvent,
  readTrace,
  redact,
  replay,
  verifyTrace,
} from './index.ts'

let folder = ''
let at: HomeLocation = { directory: '' }
const inFolder = (name: string): string => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-library-traces-'))
  at = { directory: inFolder('home') }
  await (await inHome(at.directory)).close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const command = async (...words: string[]) => (await here({ home: at.directory }, ...words, '--json')).json

describe('the traces of a home, for programs', () => {
  it('APP-5 are listed, read, verified and replayed as the command does', async () => {
    const [listed] = await listTraces(at)
    expect((await command('list')).traces).toMatchObject([{ trace: listed?.trace, size: listed?.size }])
    const content = await readTrace(at, 'registry')
    expect(content).toMatchObject({ trace: listed?.trace, protocol: 'registry/1', isBare: false })
    expect(content.events).toHaveLength(listed?.size ?? 0)
    expect(await verifyTrace(at, 'registry')).toEqual(await command('verify', 'registry'))
    expect(await replay(at, 'registry')).toEqual(await command('replay', 'registry'))
  })

  it('APP-5 are exported and proved in files that anyone can verify', async () => {
    const [file, checkpoint] = [inFolder('registry.witan'), inFolder('checkpoint')]
    const exported = await exportTrace(at, 'registry', { file, checkpointFile: checkpoint })
    expect(await readFile(checkpoint, 'utf8')).toBe(exported.checkpoint)
    const stranger: HomeLocation = { directory: inFolder('elsewhere') }
    const trust = [join(at.directory, 'registry.vkey')]
    expect(await verifyTrace(stranger, file, { trust })).toMatchObject({ status: 'pass', trusted_by: 'key' })
    expect(await verifyTrace(stranger, file)).toMatchObject({ status: 'pass-with-warnings' })
    const one = await proveEvent(at, 'registry', 0, { file: inFolder('event.witan') })
    expect(one).toMatchObject({ seq: 0, since: null, size: exported.size })
    const growth = await proveSince(at, 'registry', checkpoint, { file: inFolder('growth.witan') })
    expect(growth).toMatchObject({ seq: null, since: exported.size })
    for (const proof of [one, growth])
      expect((await verifyTrace(stranger, proof.file, { trust })).status).not.toBe('fail')
    const again = exportTrace(at, 'registry', { file }).catch(failureOf)
    expect(await again).toMatchObject({ code: 'FILE_EXISTS' })
  })

  it('APP-5 lose erased content, and say who erased it', async () => {
    const trace = await sayOnce(at.directory, { note: 'a secret' })
    expect((await readEvent(at, trace, 0)).payload).toMatchObject({ note: 'a secret' })
    const done = await redact(at, trace, { seq: 0, reason: 'asked to', by: 'paula' })
    expect(done).toMatchObject({ trace, seq: 0, before: null, also_erased: [] })
    const { payload, redaction } = await readEvent(at, trace, 0)
    expect([payload, redaction]).toMatchObject([null, { by: 'paula', reason: 'asked to' }])
  })

  it('APP-5 include the doctor', async () => {
    const found = await doctor({ home: at.directory, from: folder, env: {} })
    expect(found).toMatchObject({ files: [join(at.directory, 'config.yaml')], asked: null })
  })
})
