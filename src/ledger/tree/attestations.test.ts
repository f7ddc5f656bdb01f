import { describe, expect, it } from 'vitest'
import { namedKey } from '../../../test/support/ports.ts'
import { sha256 } from '../../stores/digest.ts'
import { concat, toBase64, toHex, utf8 } from '../bytes.ts'
import {
  cosignatureBy,
  readSignatureLines,
  readWitnessKey,
  timestampLine,
  timestampsOf,
  withLines,
} from './attestations.ts'
import { parseNote } from './checkpoint.ts'

const publicKey = Uint8Array.from(namedKey('witness').publicKey)
const hashOf = (name: string, key: Uint8Array, type = 4) =>
  sha256(utf8(`${name}\n`), Uint8Array.of(type), key).slice(0, 4)
const keyText = (name: string, key: Uint8Array, type = 4) =>
  `${name}+${toHex(hashOf(name, key, type))}+${toBase64(concat(Uint8Array.of(type), key))}`
const NOTE = `origin\n3\nroot\n\n— origin ${toBase64(new Uint8Array(68).fill(1))}\n`

describe('the key of a witness', () => {
  it('is read by its name, its hash and its type, and no other', () => {
    const text = keyText('w.example', publicKey)
    expect(readWitnessKey(sha256, ` ${text}\n`)).toEqual({
      ...{ name: 'w.example', publicKey, keyHash: hashOf('w.example', publicKey) },
    })
    const [name, hash, data] = text.split('+') as [string, string, string]
    for (const wrong of [
      ...[
        '',
        name,
        `${name}+${hash}`,
        `other+${hash}+${data}`,
        `${name}+00000000+${data}`,
        `${name}+zz+${data}`,
      ],
      ...[`+${hash}+${data}`, keyText('w x', publicKey), keyText(name, publicKey, 1)],
      ...[keyText(name, publicKey.slice(1)), keyText(name, new Uint8Array(32)), `${text}!`],
    ])
      expect(readWitnessKey(sha256, wrong), wrong).toBeNull()
  })

  it('finds its own cosignature, with the time that was signed', () => {
    const witness = readWitnessKey(sha256, keyText('w', publicKey))
    if (!witness) throw new Error('no key')
    const line = {
      name: 'w',
      keyHash: witness.keyHash,
      signature: concat(Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 2), new Uint8Array(64).fill(7)),
    }
    expect(cosignatureBy(witness, line)).toEqual({ time: 258, signature: new Uint8Array(64).fill(7) })
    expect(cosignatureBy(witness, { ...line, name: 'v' })).toBeNull()
    expect(cosignatureBy(witness, { ...line, keyHash: new Uint8Array(4) })).toBeNull()
    // Made to look like its own, and none: that is for the verifier to say.
    const short = cosignatureBy(witness, { ...line, signature: line.signature.slice(1) })
    expect(short).toEqual({ time: 0, signature: new Uint8Array() })
  })
})

describe('lines below a note', () => {
  const line = timestampLine(sha256, 'tsa', utf8('token'))

  it('are added once each, below those that it has', () => {
    const once = withLines(NOTE, [line])
    expect(once.startsWith(NOTE)).toBe(true)
    expect(withLines(once, [line])).toBe(once)
    const other = timestampLine(sha256, 'tsa', utf8('another'))
    expect(parseNote(withLines(once, [line, other])).signatures.map(({ name }) => name)).toEqual([
      ...['origin', 'tsa', 'tsa'],
    ])
    expect(withLines(NOTE, [])).toBe(NOTE)
  })

  it('are timestamps only under the hash that says so', () => {
    const note = parseNote(withLines(NOTE, [line, { ...line, keyHash: new Uint8Array(4), name: 'x' }]))
    expect(timestampsOf(sha256, note)).toEqual([{ name: 'tsa', token: utf8('token') }])
  })

  it('of an answer are read on their own, and none from other text', () => {
    const text = withLines(NOTE, [line]).slice(NOTE.length)
    expect(readSignatureLines(text)).toMatchObject([{ name: 'tsa', signature: utf8('token') }])
    for (const other of ['', 'not found\n', `${text}more`]) expect(readSignatureLines(other)).toEqual([])
  })
})
