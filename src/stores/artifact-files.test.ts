import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundleScript, startScript } from '../../test/support/children.ts'
import { type ArtifactFiles, openArtifactFiles } from './artifact-files.ts'
import { ownMark } from './process-mark.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('artifact files', () => {
  let directory: string
  let files: ArtifactFiles
  const at = (...parts: string[]) => join(directory, 'artifacts', ...parts)

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'witan-artifacts-'))
    files = openArtifactFiles(directory)
  })
  afterEach(() => rm(directory, { recursive: true }))

  it('LED-8 stand under the hash of their bytes, for their owner alone', async () => {
    const bytes = Buffer.from('minutes of the council')
    const { hash } = await files.put(bytes)
    expect(hash).toBe(sha256(bytes))
    const path = at(hash.slice(0, 2), hash)
    expect(readFileSync(path)).toEqual(bytes)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    for (const folder of [at(), at('tmp'), at(hash.slice(0, 2))])
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(at('tmp'))).toEqual([])
  })

  it('LED-8 take the same bytes several times at once, in one piece or in many', async () => {
    const bytes = Buffer.alloc(300_000, 'minutes of the council\n')
    const small = bytes.subarray(0, 1_000)
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
    }
    const stored = await Promise.all(
      [small, small, bytes, pieces(), small].map((source) => files.put(source)),
    )
    expect(stored.map(({ size }) => size)).toEqual([1_000, 1_000, 300_000, 300_000, 1_000])
    for (const { hash, size } of stored) {
      const whole = readFileSync(at(hash.slice(0, 2), hash))
      expect([whole.length, sha256(whole)]).toEqual([size, hash])
    }
    expect(readdirSync(at('tmp'))).toEqual([])
  })

  it('LED-8 are repaired when the right bytes are stored again', async () => {
    const { hash } = await files.put(Buffer.from('right'))
    writeFileSync(at(hash.slice(0, 2), hash), 'wrong')
    await files.put(Buffer.from('right'))
    expect(readFileSync(at(hash.slice(0, 2), hash), 'utf8')).toBe('right')
  })

  it('LED-8 remove files of dead writers, and leave those of live writers', async () => {
    mkdirSync(at('tmp'), { recursive: true })
    const { host, pid, started } = ownMark()
    const leave = (name: string, hours: number) => {
      writeFileSync(at('tmp', name), 'half an artifact')
      const when = Date.now() / 1000 - hours * 3600
      utimesSync(at('tmp', name), when, when)
    }
    const random = 'ab'.repeat(8)
    leave(`${host}~${pid}~${started}~${random}`, 5)
    leave(`${host}~${pid}~reused~${random}`, 0)
    leave(`${host}~4194999~1~${random}`, 0)
    leave(`other-host~1~1~${random}`, 2)
    leave(`other-host~2~1~${random}`, 0.5)
    leave('something', 0.5)
    leave('something-old', 2)
    await files.put(Uint8Array.of(1))
    expect(readdirSync(at('tmp')).sort()).toEqual(
      [`${host}~${pid}~${started}~${random}`, `other-host~2~1~${random}`, 'something'].sort(),
    )
  })

  it('LED-14 leave nothing behind when erased, nor does a dead writer of them', async () => {
    const { hash } = await files.put(Buffer.from('secret'.repeat(99_999)))
    const debris = at('tmp', `${ownMark().host}~4194999~1~${'cd'.repeat(8)}`)
    writeFileSync(debris, 'secret')
    for (const _ of ['once', 'again']) await files.erase(hash)
    expect([await files.stat(hash), await files.open(hash), existsSync(debris)]).toEqual([null, null, false])
    for (const odd of ['', '../../x', sha256(Uint8Array.of())]) await files.erase(odd)
  })

  it('LED-8 are plain files: the target of a link is neither read nor overwritten', async () => {
    const mine = join(directory, 'mine.txt')
    writeFileSync(mine, 'of another program')
    const { hash } = await files.put(Buffer.from('minutes'))
    const path = at(hash.slice(0, 2), hash)
    for (const target of [mine, '/dev/zero']) {
      unlinkSync(path)
      symlinkSync(target, path)
      expect([await files.stat(hash), await files.open(hash)]).toEqual([null, null])
    }
    unlinkSync(path)
    symlinkSync(mine, path)
    const debris = at('tmp', `${ownMark().host}~4194999~1~${'cd'.repeat(8)}`)
    symlinkSync(mine, debris)
    await files.erase(hash)
    const gone = [path, debris].map((one) => lstatSync(one, { throwIfNoEntry: false }))
    expect(gone).toEqual([undefined, undefined])
    symlinkSync(mine, path)
    await files.put(Buffer.from('minutes'))
    expect([readFileSync(path, 'utf8'), readFileSync(mine, 'utf8')]).toEqual([
      'minutes',
      'of another program',
    ])
  })

  it('LED-16 are distinguished from a directory in their place, and a directory among leftovers blocks no writer', async () => {
    const { hash } = await files.put(Buffer.from('minutes'))
    const path = at(hash.slice(0, 2), hash)
    unlinkSync(path)
    mkdirSync(path)
    mkdirSync(at('tmp', `${ownMark().host}~4194999~1~${'cd'.repeat(8)}`))
    const again = openArtifactFiles(directory)
    expect([await again.stat(hash), await again.open(hash)]).toEqual([null, null])
    await again.put(Buffer.from('more'))
    await expect(again.put(Buffer.from('minutes'))).rejects.toMatchObject({ code: 'VAULT_CORRUPT' })
  })

  it('report an artifact that is removed while it waits to be read', async () => {
    const { hash } = await files.put(Uint8Array.of(1))
    const waiting = await files.open(hash)
    await files.erase(hash)
    const read = async () => {
      for await (const _ of waiting ?? []) expect.unreachable()
    }
    await expect(read()).rejects.toMatchObject({ code: 'ARTIFACT_NOT_FOUND' })
  })

  it('LED-8 stream two gigabytes in and out without holding them', async () => {
    const script = await bundleScript('test/support/artifact-pipe.ts')
    const bytes = 2 ** 31 + 12_345
    const child = startScript(script, [directory, String(bytes)], ['--max-old-space-size=64'])
    const answer = JSON.parse(await child.line(/^\{/))
    expect(answer).toMatchObject({ same: true, size: bytes, stored: bytes })
    expect(answer.peak).toBeLessThan(200)
  }, 180_000)
})
