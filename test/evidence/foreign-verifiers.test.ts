// Programs that share no code with Witan judge its evidence: they accept what was exported, by the commands of the guide,
// and refuse each of ten changes to it.

import { spawnSync } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Followed, followGuide } from '../support/guide.ts'

const missing = inject('missingPrograms')

let guide: Followed
const at = (name: string): string => join(guide.folder, name)
const bytesOf = (name: string): Buffer => readFileSync(at(name))
const textOf = (name: string): string => readFileSync(at(name), 'utf8')

const flipped = (bytes: Buffer, index: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[index] = (copy[index] ?? 0) ^ 1
  return copy
}

const L = Buffer.from('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010', 'hex')

/** The same signature with S + L, which a lenient verifier would take for another valid one. */
function malleated(signature: Buffer): Buffer {
  const copy = Buffer.from(signature)
  let carry = 0
  for (let i = 0; i < 32; i++) {
    const sum = (copy[32 + i] ?? 0) + (L[i] ?? 0) + carry
    copy[32 + i] = sum & 0xff
    carry = sum >> 8
  }
  return copy
}

const rawKey = (pem: Buffer | string): Buffer =>
  Buffer.from(createPublicKey(pem).export({ format: 'jwk' }).x ?? '', 'base64url')

const strangers = generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString()

/** What was signed, by which key (PEM), and the signature. */
interface Signed {
  readonly message: Buffer
  readonly signature: Buffer
  readonly key: string
}

/** Eleven ways to change something signed; `other` is another event with its own signature. */
const tampered = (signed: Signed, other: Signed): Readonly<Record<string, Signed>> => {
  const { message, signature } = signed
  return {
    'its first bytes': { ...signed, message: flipped(message, 3) },
    'its middle': { ...signed, message: flipped(message, message.length >> 1) },
    'its last byte': { ...signed, message: flipped(message, message.length - 1) },
    'cut by a byte': { ...signed, message: message.subarray(0, -1) },
    'longer by a byte': { ...signed, message: Buffer.concat([message, Buffer.from('\n')]) },
    'no signature but zeros': { ...signed, signature: Buffer.alloc(64) },
    'R of the signature': { ...signed, signature: flipped(signature, 0) },
    'S of the signature': { ...signed, signature: flipped(signature, 40) },
    'S beyond its range': { ...signed, signature: malleated(signature) },
    'the signature of another': { ...signed, signature: other.signature },
    "a stranger's key": { ...signed, key: strangers },
  }
}

interface Envelope {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }]
}

const envelopes = (name: string): Envelope[] =>
  textOf(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

function signedBy({ payload, payloadType, signatures }: Envelope): Signed {
  const body = Buffer.from(payload, 'base64')
  const head = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `)
  const [{ keyid, sig }] = signatures
  const message = Buffer.concat([head, body])
  return { message, signature: Buffer.from(sig, 'base64'), key: textOf(`keys/${keyid}.pem`) }
}

beforeAll(async () => {
  if (missing.length === 0) guide = await followGuide()
})
afterAll(() => {
  if (missing.length === 0) rmSync(guide.folder, { recursive: true, force: true })
})

describe.skipIf(missing.length > 0)('evidence in the hands of other programs', () => {
  it('VER-11 is accepted by each of them, by the commands that the guide shows', () => {
    expect([guide.output, guide.code]).toEqual([guide.output, 0])
    expect(guide.output.match(/Signature Verified Successfully/g)).toHaveLength(2)
    for (const said of [
      'Sigstore accepts every event',
      'Go accepts checkpoint and place',
      'Signature Verified',
      'every payload is the one that its header commits to',
    ])
      expect(guide.output).toContain(said)
  })

  describe('OpenSSL', () => {
    const accepts = ({ message, signature, key }: Signed): boolean => {
      writeFileSync(at('t.pem'), key)
      writeFileSync(at('t.bin'), message)
      writeFileSync(at('t.sig'), signature)
      const args = ['-verify', '-pubin', '-inkey', 't.pem', '-rawin', '-in', 't.bin', '-sigfile', 't.sig']
      const { stdout, status } = spawnSync('openssl', ['pkeyutl', ...args], {
        cwd: guide.folder,
        encoding: 'utf8',
      })
      return status === 0 && stdout.includes('Verified Successfully')
    }

    it('VER-11 accepts every event and the statement', () => {
      for (const one of [...envelopes('events.jsonl'), ...envelopes('statement.jsonl')])
        expect(accepts(signedBy(one))).toBe(true)
    })

    it('VER-11 refuses an event that was changed in any of ten ways', () => {
      const [first, second] = envelopes('events.jsonl').map(signedBy) as [Signed, Signed]
      const passed = Object.entries(tampered(first, second)).filter(([, one]) => accepts(one))
      expect(passed.map(([name]) => name)).toEqual([])
    })
  })

  describe('@sigstore/verify', () => {
    const root = {
      mediaType: '',
      tlogs: [],
      certificateAuthorities: [],
      ctlogs: [],
      timestampAuthorities: [],
    }
    const accepts = (bundle: unknown, key?: string): boolean => {
      const find = (id: string) => ({
        publicKey: createPublicKey(key ?? textOf(`keys/${id}.pem`)),
        validFor: () => true,
      })
      const none = { ctlogThreshold: 0, tlogThreshold: 0, timestampThreshold: 0 }
      try {
        new Verifier(toTrustMaterial(root, find), none).verify(toSignedEntity(bundleFromJSON(bundle)))
        return true
      } catch {
        return false
      }
    }

    it('VER-11 refuses a bundle that was changed in any of ten ways', () => {
      const [first, second] = textOf('sigstore.jsonl')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(accepts(first)).toBe(true)
      const envelope: Envelope = first.dsseEnvelope
      const payload = Buffer.from(envelope.payload, 'base64')
      const signature = Buffer.from(envelope.signatures[0].sig, 'base64')
      const other = second.dsseEnvelope.signatures[0].sig
      const signedWith = (sig: string) => ({ signatures: [{ ...envelope.signatures[0], sig }] })
      const changes: Readonly<Record<string, object>> = {
        'its first bytes': { payload: flipped(payload, 3).toString('base64') },
        'its last byte': { payload: flipped(payload, payload.length - 1).toString('base64') },
        'cut by a byte': { payload: payload.subarray(0, -1).toString('base64') },
        'longer by a byte': { payload: Buffer.concat([payload, Buffer.from(' ')]).toString('base64') },
        'its type': { payloadType: 'application/vnd.in-toto+json' },
        'R of the signature': signedWith(flipped(signature, 0).toString('base64')),
        'S of the signature': signedWith(flipped(signature, 40).toString('base64')),
        'S beyond its range': signedWith(malleated(signature).toString('base64')),
        'the signature of another': signedWith(other),
      }
      const passed = Object.entries(changes).filter(([, change]) =>
        accepts({ ...first, dsseEnvelope: { ...envelope, ...change } }),
      )
      expect(passed.map(([name]) => name)).toEqual([])
      expect(accepts(first, strangers)).toBe(false)
    })
  })

  describe("Go's sumdb note and tlog", () => {
    const accepts = (vkey: string, proof: string): boolean => {
      writeFileSync(at('t.vkey'), vkey)
      writeFileSync(at('t.tlog-proof'), proof)
      return spawnSync('./check', ['t.vkey', 't.tlog-proof'], { cwd: guide.folder }).status === 0
    }

    it('VER-11 refuse a proof that was changed in any of ten ways', () => {
      const [vkey, proof] = [textOf('registry.vkey'), textOf('first.tlog-proof')]
      expect(accepts(vkey, proof)).toBe(true)
      const lines = proof.split('\n')
      const line = (index: number, change: (text: string) => string): string =>
        lines.map((text, i) => (i === index ? change(text) : text)).join('\n')
      const blank = lines.indexOf('')
      const swapByte = (index: number, from: number) => (text: string) => {
        const start = text.slice(0, from)
        return start + flipped(Buffer.from(text.slice(from), 'base64'), index).toString('base64')
      }
      const name = vkey.split('+')[0] ?? ''
      const signature = lines[lines.length - 2] ?? ''
      const theirs = Buffer.concat([Buffer.from([1]), rawKey(strangers)])
      const mark = createHash('sha256').update(`${name}\n`).update(theirs).digest('hex').slice(0, 8)
      const foreign = `${name}+${mark}+${theirs.toString('base64')}`
      const proofs: Readonly<Record<string, string>> = {
        'the header': line(1, swapByte(9, 6)),
        'the index': line(2, () => 'index 1'),
        'the first hash of the path': line(3, swapByte(0, 0)),
        'the last hash of the path': line(blank - 1, swapByte(31, 0)),
        'a hash left out': lines.filter((_, i) => i !== 3).join('\n'),
        'a hash twice': lines.flatMap((text, i) => (i === 3 ? [text, text] : [text])).join('\n'),
        'the origin': line(blank + 1, (text) => text.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
        'the size': line(blank + 2, (text) => String(Number(text) + 1)),
        'the root': line(blank + 3, swapByte(5, 0)),
        'the commitment to signatures': line(blank + 4, swapByte(5, 11)),
        'the signature': proof.replace(signature, swapByte(20, signature.lastIndexOf(' ') + 1)(signature)),
        'no signature at all': `${lines.slice(0, blank + 5).join('\n')}\n`,
      }
      const passed = Object.entries(proofs).filter(([, changed]) => accepts(vkey, changed))
      expect(passed.map(([what]) => what)).toEqual([])
      expect(accepts(foreign, proof)).toBe(false)
    })
  })

  describe('signify', () => {
    const frame = (bytes: Buffer): string =>
      `untrusted comment: x\n${Buffer.concat([Buffer.from('Edwitan-01'), bytes]).toString('base64')}\n`
    const accepts = ({ message, signature, key }: Signed): boolean => {
      writeFileSync(at('t.pub'), frame(rawKey(key)))
      writeFileSync(at('t.sig'), frame(signature))
      writeFileSync(at('t.txt'), message)
      const args = ['-V', '-q', '-p', 't.pub', '-x', 't.sig', '-m', 't.txt']
      return spawnSync('signify-openbsd', args, { cwd: guide.folder }).status === 0
    }

    it('VER-11 refuses a checkpoint that was changed in any of ten ways', () => {
      const statement = envelopes('statement.jsonl')[0] as Envelope
      const key = textOf(`keys/${statement.signatures[0].keyid}.pem`)
      const signature = Buffer.from(textOf('checkpoint.sig').split('\n')[1] ?? '', 'base64').subarray(10)
      const checkpoint: Signed = { message: bytesOf('checkpoint.txt'), signature, key }
      expect(accepts(checkpoint)).toBe(true)
      const passed = Object.entries(tampered(checkpoint, signedBy(statement))).filter(([, one]) =>
        accepts(one),
      )
      // It takes the other spelling of a signature; the guide says so. The ten others it refuses.
      expect(passed.map(([name]) => name)).toEqual(['S beyond its range'])
    })
  })
})
