// Notes are read strictly or not at all, and what is written is what the reference implementation of signed notes
// writes: its published key, text and signature are reproduced to the byte.

import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64, type Sha256, toBase64, toHex, utf8 } from '../bytes.ts'
import { isWitanError } from '../errors.ts'
import { noteMessage } from '../signing.ts'
import {
  checkpointText,
  composeNote,
  noteKeyHash,
  noteSignature,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  verifierKey,
} from './checkpoint.ts'

const sha: Sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

// From the package documentation of golang.org/x/mod/sumdb/note.
const VKEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'
const SEED = 'gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM='
const TEXT =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
const LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM='
// From the text of C2SP tlog-checkpoint.
const CHECKPOINT = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`

const root = sha(utf8('root'))
const SIGNED = `\n${LINE}\n`

function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (isWitanError(error, 'NOTE_INVALID')) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

const der = (prefix: string, raw: Uint8Array): Buffer => Buffer.concat([Buffer.from(prefix, 'hex'), raw])

describe('signed notes', () => {
  it('LED-12 are those of the reference implementation, to the byte', () => {
    const { name, keyHash, publicKey } = parseVerifierKey(sha, VKEY)
    expect([name, toHex(keyHash)]).toStrictEqual(['PeterNeumann', 'c74f20a3'])
    expect(verifierKey(sha, name, publicKey)).toBe(VKEY)
    expect(toHex(noteKeyHash(sha, name, publicKey))).toBe('c74f20a3')
    const seed = fromBase64(SEED) ?? new Uint8Array()
    const key = createPrivateKey({
      key: der('302e020100300506032b657004220420', seed),
      format: 'der',
      type: 'pkcs8',
    })
    const line = noteSignature(sha, name, publicKey, sign(null, noteMessage(TEXT), key))
    expect(line).toBe(LINE)
    expect(composeNote(TEXT, [line])).toBe(`${TEXT}\n${LINE}\n`)
  })

  it('LED-12 are split at the last blank line into the signed text and the signatures', () => {
    const text = `A first line.\n\n${TEXT}`
    const note = parseNote(composeNote(text, [LINE, LINE]))
    expect(note.text).toBe(text)
    expect(note.signatures).toHaveLength(2)
    const { text: signed, signatures } = parseNote(`${TEXT}\n${LINE}\n`)
    const { publicKey } = parseVerifierKey(sha, VKEY)
    const key = createPublicKey({
      key: der('302a300506032b6570032100', publicKey),
      format: 'der',
      type: 'spki',
    })
    for (const { name, keyHash, signature } of signatures) {
      expect([name, toHex(keyHash)]).toStrictEqual(['PeterNeumann', 'c74f20a3'])
      expect(verify(null, noteMessage(signed), key, signature)).toBe(true)
    }
  })

  it('LED-12 keep signatures of other types and lengths for anyone who knows their keys', () => {
    const other = `— witness.example/w1 ${toBase64(new Uint8Array(80))}`
    expect(
      parseNote(composeNote(TEXT, [LINE, other])).signatures.map((s) => s.signature.length),
    ).toStrictEqual([64, 76])
  })

  it('LED-12 are refused with the reason when anything is out of form', () => {
    const cases: [string, string][] = [
      ['', 'does not end in a newline'],
      [TEXT, 'no blank line'],
      [`${TEXT}\n`, 'no signature follows'],
      [`${TEXT}\n${LINE}`, 'does not end in a newline'],
      [`${TEXT}\n${LINE}\n\n`, 'no signature follows'],
      [`${TEXT}${LINE}\n`, 'no blank line'],
      [`tab\there\n${SIGNED}`, 'control character'],
      [`return\r\n${SIGNED}`, 'control character'],
      [`\u0000\n${SIGNED}`, 'control character'],
      [`\ud800\n${SIGNED}`, 'well-formed Unicode'],
      [`${TEXT}\n${LINE.replace('—', '-')}\n`, 'signature line 1 does not have the form'],
      [`${TEXT}\n${LINE}\n${LINE} \n`, 'signature line 2 does not have the form'],
      [`${TEXT}\n${LINE.replace('— ', '—  ')}\n`, 'signature line 1 does not have the form'],
      [`${TEXT}\n— PeterNeumann\n`, 'signature line 1 does not have the form'],
      [`${TEXT}\n${LINE.replace('PeterNeumann', 'Peter+Neumann')}\n`, 'neither spaces nor plus'],
      [`${TEXT}\n${LINE.replace('PeterNeumann', 'Peter\u00a0Neumann')}\n`, 'neither spaces nor plus'],
      [`${TEXT}\n${LINE.replace('AM=', 'AN=')}\n`, 'signature line 1 is not in canonical base64'],
      [`${TEXT}\n${LINE.replace('AM=', 'AM')}\n`, 'signature line 1 is not in canonical base64'],
      [`${TEXT}\n— PeterNeumann x08gow==\n`, 'signature line 1 is too short'],
      [`${'x'.repeat(1_000_000)}\n${SIGNED}`, 'larger than 1 MB'],
      [`${'é'.repeat(500_000)}\n${SIGNED}`, 'larger than 1 MB'],
    ]
    for (const [note, reason] of cases)
      expect(
        refusal(() => parseNote(note)),
        note.slice(-80),
      ).toContain(reason)
  })

  it('LED-12 are not composed from parts that would be read back as others', () => {
    expect(refusal(() => composeNote(TEXT, []))).toContain('no signature follows')
    expect(refusal(() => composeNote('no newline', [LINE]))).toContain('no blank line')
    expect(refusal(() => composeNote(TEXT, [`${LINE}\n${LINE}`]))).toContain('run into each other')
    expect(refusal(() => composeNote(TEXT, [`x\n\n${LINE}`]))).toContain('run into each other')
    const key = new Uint8Array(32)
    expect(refusal(() => noteSignature(sha, 'a b', key, new Uint8Array(64)))).toContain('neither spaces')
    expect(refusal(() => noteSignature(sha, '', key, new Uint8Array(64)))).toContain('non-empty')
    expect(refusal(() => noteSignature(sha, 'a', key, new Uint8Array(63)))).toContain('64 bytes, not 63')
    expect(refusal(() => noteSignature(sha, 'a', new Uint8Array(31), new Uint8Array(64)))).toContain(
      '32 bytes',
    )
  })
})

describe('checkpoints', () => {
  it('LED-12 read the example of the specification', () => {
    const { origin, size, extensions, text, ...rest } = parseCheckpoint(CHECKPOINT)
    expect({ origin, size, extensions }).toStrictEqual({
      origin: 'example.com/behind-the-sofa',
      size: 20852163,
      extensions: [],
    })
    expect(checkpointText({ origin, size, root: rest.root, extensions })).toBe(text)
  })

  it('LED-12 come back as they were written', () => {
    const line = fc.string({ minLength: 1 }).filter((text) => !/[\p{Cc}]/u.test(text))
    const head = fc.record(
      {
        origin: line,
        size: fc.maxSafeNat(),
        root: fc.uint8Array({ minLength: 32, maxLength: 32 }),
        extensions: fc.array(line, { maxLength: 3 }),
      },
      { noNullPrototype: true },
    )
    fc.assert(
      fc.property(head, (written) => {
        const text = checkpointText(written)
        const { origin, size, root: back, extensions, ...note } = parseCheckpoint(composeNote(text, [LINE]))
        expect({ origin, size, root: back, extensions }).toStrictEqual(written)
        expect(note.text).toBe(text)
      }),
    )
  })

  it('LED-12 are refused with the reason when a line is out of form', () => {
    const base64 = toBase64(root)
    const cases: [string, string][] = [
      [`origin\n1\n`, 'at least three lines'],
      [`\n1\n${base64}\n`, 'origin is empty'],
      [`origin\n01\n${base64}\n`, 'line 2'],
      [`origin\n-1\n${base64}\n`, 'line 2'],
      [`origin\n+1\n${base64}\n`, 'line 2'],
      [`origin\n1e3\n${base64}\n`, 'line 2'],
      [`origin\n 1\n${base64}\n`, 'line 2'],
      [`origin\n\n${base64}\n`, 'line 2'],
      [`origin\n9007199254740992\n${base64}\n`, 'line 2'],
      [`origin\n1\n${base64.slice(0, -1)}\n`, 'line 3'],
      [`origin\n1\n${toBase64(root.subarray(1))}\n`, 'line 3'],
      [`origin\n1\n${base64} \n`, 'line 3'],
      [`origin\n1\n${base64}\n\nafter\n`, 'extension line is empty'],
    ]
    for (const [text, reason] of cases)
      expect(
        refusal(() => parseCheckpoint(text + SIGNED)),
        text,
      ).toContain(reason)
    expect(parseCheckpoint(`origin\n9007199254740991\n${base64}\n${SIGNED}`).size).toBe(2 ** 53 - 1)
    expect(parseCheckpoint(`origin\n0\n${base64}\n${SIGNED}`).size).toBe(0)
  })

  it('LED-12 are not written from values that could not be read back', () => {
    const head = { origin: 'o', size: 1, root, extensions: [] }
    expect(refusal(() => checkpointText({ ...head, origin: '' }))).toContain('non-empty line')
    expect(refusal(() => checkpointText({ ...head, origin: 'a\n2' }))).toContain('non-empty line')
    expect(refusal(() => checkpointText({ ...head, extensions: [''] }))).toContain('non-empty line')
    expect(refusal(() => checkpointText({ ...head, extensions: ['a\tb'] }))).toContain('control character')
    expect(refusal(() => checkpointText({ ...head, size: -1 }))).toContain('not a tree size')
    expect(refusal(() => checkpointText({ ...head, size: 2 ** 53 }))).toContain('not a tree size')
    expect(refusal(() => checkpointText({ ...head, root: new Uint8Array(31) }))).toContain('31 bytes')
  })
})

describe('verifier keys', () => {
  it('LED-12 are refused when any character is changed or missing', () => {
    for (let at = 0; at < VKEY.length; at++) {
      const next = String.fromCharCode(VKEY.charCodeAt(at) + 1)
      expect(refusal(() => parseVerifierKey(sha, VKEY.slice(0, at) + next + VKEY.slice(at + 1)))).not.toBe('')
      expect(refusal(() => parseVerifierKey(sha, VKEY.slice(0, at)))).not.toBe('')
    }
  })

  it('LED-12 may hold a plus in their base64, and are never of low order', () => {
    const plus = 'TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6'
    const { name, publicKey } = parseVerifierKey(sha, plus)
    expect(verifierKey(sha, name, publicKey)).toBe(plus)
    const weak = verifierKey(sha, 'weak', new Uint8Array(32))
    expect(refusal(() => parseVerifierKey(sha, weak))).toContain('low order')
    expect(refusal(() => verifierKey(sha, 'short', new Uint8Array(31)))).toContain('32 bytes')
  })
})
