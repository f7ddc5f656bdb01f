// Time and history by others: a real `openssl ts` stamps a checkpoint, a C2SP witness cosigns the registry; both travel with
// the bundle, count for who pinned them, and for no one else; and a line that does not hold is refused.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newHome, type Where, witan } from '../doors/command.ts'
import { startAuthority, type TestAuthority } from '../support/authority.ts'
import { fileOf, piecesOf } from '../support/mutants.ts'
import { startWitness, type TestWitness } from '../support/witness.ts'

const missing = inject('missingPrograms')

interface Found {
  readonly status: string
  readonly attested?: readonly { kind: string; by: string; time: string; size: number }[]
  readonly failures: readonly { code: string; message: string }[]
  readonly digest: string
}

let where: Where & { readonly cwd: string }
let authority: TestAuthority
let witness: TestWitness
const at = (name: string): string => join(where.cwd, name)
const stranger = {
  get home() {
    return at('nowhere')
  },
  get cwd() {
    return where.cwd
  },
}

const verified = async (who: Where, ...args: readonly string[]): Promise<Found> => {
  const { stdout, stderr } = await witan(who, 'verify', ...args, '--json')
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

let settings = ''
const settle = (text: string): void => writeFileSync(join(where.home, 'config.yaml'), text)

/** A trace that no one attests as it finishes. */
const ask = async (): Promise<void> => {
  settle('# nobody\n')
  const { code, stderr } = await witan(where, 'ask', 'Shall we?', '--seats', 'embedded')
  if (code !== 0) throw new Error(stderr)
  settle(settings)
}

beforeAll(async () => {
  if (missing.length > 0) return
  where = await newHome()
  authority = await startAuthority()
  witness = await startWitness(readFileSync(join(where.home, 'registry.vkey'), 'utf8'))
  writeFileSync(join(where.home, 'tsa.pem'), authority.pem)
  writeFileSync(at('witness.vkey'), witness.vkey)
  settings = [
    `timestamps: [{name: time.test, url: "${authority.url}", certificate: tsa.pem}]`,
    `witnesses: [{url: "${witness.url}", key: "${witness.vkey}"}]`,
    '',
  ].join('\n')
  await ask()
})
afterAll(() => {
  authority?.close()
  witness?.close()
})

describe.skipIf(missing.length > 0)('a checkpoint that others attest', () => {
  it('VER-12 is timestamped by an authority and cosigned by a witness, and the report says who attested it and since when', async () => {
    const done = await witan(where, 'attest', 'last')
    expect([done.stderr, done.code]).toEqual([done.stderr, 0])
    expect(done.stdout).toMatch(/timestamped by time\.test at 20/)
    expect(done.stdout).toMatch(/history seen by witness\.example\/w1 at 20/)
    const report = await verified(where, 'last')
    expect(report.status).toBe('pass')
    expect(report.attested).toMatchObject([
      { kind: 'timestamp', by: 'Test Time' },
      { kind: 'witness', by: 'witness.example/w1' },
    ])
    const { stdout } = await witan(where, 'verify', 'last')
    expect(stdout).toMatch(/time {6}no later than 20\S+Z, by Test Time/)
    expect(stdout).toMatch(/history {3}seen by 1 witness: witness\.example\/w1/)
    expect(witness.statuses).toEqual([200])
  })

  it('VER-12 is so in the file too, offline, for readers who pin them; to others the report is as it was', async () => {
    await witan(where, 'export', 'last', '-o', 'a.witan')
    const trust = ['--trust', join(where.home, 'registry.vkey')]
    const bare = await verified(stranger, 'a.witan', ...trust)
    expect([bare.status, bare.attested]).toEqual(['pass', undefined])
    const pinned = [...trust, '--trust', join(where.home, 'tsa.pem'), '--trust', witness.vkey]
    const report = await verified(stranger, 'a.witan', ...pinned)
    expect([report.status, report.failures]).toEqual(['pass', []])
    expect(report.attested?.map(({ kind }) => kind)).toEqual(['timestamp', 'witness'])
    const sizes = new Set(report.attested?.map(({ size }) => size))
    expect([...sizes]).toEqual([7])
    // Who dates it does not say whose it is.
    const { stdout } = await witan(stranger, 'verify', 'a.witan', '--trust', witness.vkey)
    expect(stdout).toMatch(/trusted {3}no: nothing ties it to anyone\n/)
  })

  it('VER-12 asks a witness for what is new only, and stamps nothing twice', async () => {
    await ask()
    const first = await witan(where, 'attest', 'last', '--json')
    expect(first.json).toMatchObject({ failed: [], timestamps: [{ by: 'time.test' }] })
    const again = await witan(where, 'attest', 'last', '--json')
    expect(again.json).toMatchObject({ failed: [], timestamps: [] })
    expect(witness.statuses).toEqual([200, 200, 200])
  })

  it('VER-12 is attested as the trace finishes, where the settings say so; no one who is silent fails a run', async () => {
    const ran = await witan(where, 'ask', 'Shall we?', '--seats', 'embedded')
    expect([ran.code, ran.stderr]).toEqual([0, ran.stderr])
    const { attested } = await verified(where, 'last')
    expect(attested?.map(({ kind }) => kind)).toEqual(['timestamp', 'witness'])
    settle(settings.replace(authority.url, 'http://127.0.0.1:9/tsr'))
    const silent = await witan(where, 'ask', 'Shall we?', '--seats', 'embedded')
    expect(silent.code).toBe(0)
    expect(silent.stderr).toMatch(/was not attested by time\.test[\s\S]*next: witan attest 01/)
    settle(settings)
  })

  it('VER-12 goes on from the size that a witness names when it is another than was recorded', async () => {
    const other = await startWitness(readFileSync(join(where.home, 'registry.vkey'), 'utf8'), 'w2')
    try {
      const file = join(where.home, 'config.yaml')
      const before = readFileSync(file, 'utf8')
      writeFileSync(file, `witnesses: [{url: "${other.url}", key: "${other.vkey}"}]\n`)
      expect((await witan(where, 'attest', 'last')).code).toBe(0)
      other.forget()
      expect((await witan(where, 'attest', 'last')).code).toBe(0)
      writeFileSync(file, before)
      expect(other.statuses).toEqual([200, 409, 200])
    } finally {
      other.close()
    }
  })

  it('VER-12 is refused where a line of a pinned outsider does not hold', async () => {
    const pinned = ['--trust', join(where.home, 'registry.vkey'), '--trust', join(where.home, 'tsa.pem')]
    const file = readFileSync(at('a.witan'))
    const changes: Readonly<Record<string, (note: string) => string>> = {
      'the time of a cosignature': (note) => changedLine(note, 'witness.example/w1', 11),
      'the signature of a cosignature': (note) => changedLine(note, 'witness.example/w1', 40),
      'the imprint in a timestamp': (note) => changedLine(note, 'time.test', 100),
      'the signature of a timestamp': (note) => changedLine(note, 'time.test', -3),
    }
    for (const [what, change] of Object.entries(changes)) {
      const pieces = piecesOf(file).map((piece) => {
        const { checkpoint, earlier } = piece.line as { checkpoint?: string; earlier?: { note: string } }
        const line = {
          ...piece.line,
          ...(checkpoint && { checkpoint: change(checkpoint) }),
          ...(earlier && { earlier: { ...earlier, note: change(earlier.note) } }),
        }
        return { ...piece, line }
      })
      writeFileSync(at('changed.witan'), fileOf(pieces))
      const report = await verified(stranger, 'changed.witan', ...pinned, '--trust', witness.vkey)
      expect([what, report.status, report.attested]).toEqual([what, 'fail', []])
      expect(report.failures.map(({ code }) => code)).toContain('CHECKPOINT_INCONSISTENT')
    }
  })

  it('VER-11 VER-12 is accepted by `openssl ts`, which refuses it changed', async () => {
    const note = String(
      piecesOf(readFileSync(at('a.witan'))).find(({ line }) => line.section === 'main')?.line.checkpoint,
    )
    const end = note.lastIndexOf('\n\n')
    const line =
      note
        .slice(end + 2)
        .split('\n')
        .find((one) => one.startsWith('— time.test ')) ?? ''
    const token = Buffer.from(line.split(' ')[2] ?? '', 'base64').subarray(4)
    const accepts = (text: string, bytes: Buffer): boolean => {
      writeFileSync(at('text.txt'), text)
      writeFileSync(at('token.der'), bytes)
      const args = [
        'ts',
        '-verify',
        '-data',
        'text.txt',
        '-in',
        'token.der',
        '-token_in',
        '-CAfile',
        join(where.home, 'tsa.pem'),
      ]
      return spawnSync('openssl', args, { cwd: where.cwd }).status === 0
    }
    const text = note.slice(0, end + 1)
    expect(accepts(text, token)).toBe(true)
    const flip = (place: number): Buffer => {
      const copy = Buffer.from(token)
      copy[place] = (copy[place] ?? 0) ^ 1
      return copy
    }
    for (const place of [60, 90, 100, 120, token.length - 1, token.length - 40, token.length - 200])
      expect(accepts(text, flip(place)), String(place)).toBe(false)
    for (const other of [`${text}\n`, text.slice(1), text.replace('7', '8')])
      expect(accepts(other, token)).toBe(false)
  })

  it('VER-12 leaves what is not given or not theirs alone, and says why', async () => {
    await ask()
    authority.answerWith({ status: 503, body: Buffer.from('busy') })
    const busy = await witan(where, 'attest', 'last', '--json')
    expect(busy.json).toMatchObject({ timestamps: [], failed: [{ by: 'time.test', why: 'it answered 503' }] })
    expect(busy.code).toBe(7)
    authority.answerWith({ status: 200, body: Buffer.alloc(100_000) })
    expect((await witan(where, 'attest', 'last')).stdout).toContain('more than 64 KiB')
    authority.answerWith(null)
    const other = await startAuthority('ec')
    try {
      const file = join(where.home, 'config.yaml')
      const before = readFileSync(file, 'utf8')
      writeFileSync(file, before.replace(authority.url, other.url))
      expect((await witan(where, 'attest', 'last')).stdout).toContain(
        'not by the certificate in the settings',
      )
      writeFileSync(join(where.home, 'other.pem'), other.pem)
      writeFileSync(file, before.replace(authority.url, other.url).replace('tsa.pem', 'other.pem'))
      expect((await witan(where, 'attest', 'last')).stdout).toMatch(/timestamped by time\.test/)
      expect((await verified(where, 'last')).attested).toMatchObject([
        { kind: 'timestamp' },
        { kind: 'witness' },
      ])
      writeFileSync(file, '# nobody\n')
      const none = await witan(where, 'attest', 'last')
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no authority and no witness')])
    } finally {
      other.close()
    }
  })
})

/** The note with one byte of a line changed, counted from the beginning of its bytes or from their end. */
function changedLine(note: string, name: string, place: number): string {
  return note.replace(new RegExp(`^— ${name} (.*)$`, 'm'), (_, base64: string) => {
    const bytes = Buffer.from(base64, 'base64')
    const index = place < 0 ? bytes.length + place : place
    bytes[index] = (bytes[index] ?? 0) ^ 1
    return `— ${name} ${bytes.toString('base64')}`
  })
}
