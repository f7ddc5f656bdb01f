// Lines that others added below a checkpoint: cosignatures of witnesses (C2SP tlog-cosignature, Ed25519) and
// RFC 3161 timestamps, which have a signature type of our own (0xff and a name, as C2SP signed-note allows).
// A line counts only for a reader who pinned the witness or the authority; to all others it is unknown and
// says nothing.

import { concat, equalBytes, fromBase64, fromHex, type Sha256, toBase64, utf8 } from '../bytes.ts'
import { WitanError } from '../errors.ts'
import { admissibleKey } from '../signing.ts'
import { composeNote, type Note, type NoteSignature, parseNote } from './checkpoint.ts'

const COSIGNATURE = Uint8Array.of(0x04)
const TIMESTAMP = concat(Uint8Array.of(0xff), utf8('rfc3161'))
const NEWLINE = Uint8Array.of(0x0a)

const keyHash = (sha: Sha256, name: string, type: Uint8Array, key: Uint8Array): Uint8Array =>
  sha(utf8(name), NEWLINE, type, key).slice(0, 4)

/** A witness as a reader pins it. */
export interface WitnessKey {
  readonly name: string
  readonly publicKey: Uint8Array
  readonly keyHash: Uint8Array
}

/** A C2SP verifier key of type 0x04; null when the text is none. */
export function readWitnessKey(sha: Sha256, text: string): WitnessKey | null {
  const [name = '', hash = '', ...rest] = text.trim().split('+')
  const data = fromBase64(rest.join('+'))
  if (!/^[^\s+]+$/u.test(name) || data?.length !== 33 || data[0] !== 0x04) return null
  const publicKey = data.slice(1)
  const expected = keyHash(sha, name, COSIGNATURE, publicKey)
  const statedHash = fromHex(hash, 4)
  if (!statedHash || !equalBytes(statedHash, expected) || !admissibleKey(publicKey)) return null
  return { name, publicKey, keyHash: expected }
}

/** When a witness signed, in seconds, and its signature. */
export interface Cosignature {
  readonly time: number
  readonly signature: Uint8Array
}

const TIME_BYTES = 8

/** The cosignature in a line by this witness; null when the line is another's or contains none. */
export function cosignatureBy(witness: WitnessKey, line: NoteSignature): Cosignature | null {
  if (line.name !== witness.name || !equalBytes(line.keyHash, witness.keyHash)) return null
  const { signature } = line
  if (signature.length !== TIME_BYTES + 64) return { time: 0, signature: new Uint8Array() }
  const time = Number(new DataView(signature.buffer, signature.byteOffset, TIME_BYTES).getBigUint64(0))
  return { time, signature: signature.slice(TIME_BYTES) }
}

/** A timestamp below a checkpoint, by the name of its authority. */
export interface TimestampLine {
  readonly name: string
  /** A DER TimeStampToken over the SHA-256 of the note's text. */
  readonly token: Uint8Array
}

export function timestampsOf(sha: Sha256, { signatures }: Note): readonly TimestampLine[] {
  return signatures.flatMap(({ name, keyHash: hash, signature }) =>
    equalBytes(hash, keyHash(sha, name, TIMESTAMP, new Uint8Array())) ? [{ name, token: signature }] : [],
  )
}

export const timestampLine = (sha: Sha256, name: string, token: Uint8Array): NoteSignature => ({
  name,
  keyHash: keyHash(sha, name, TIMESTAMP, new Uint8Array()),
  signature: token,
})

const lineText = ({ name, keyHash: hash, signature }: NoteSignature): string =>
  `— ${name} ${toBase64(concat(hash, signature))}`

const sameLine = (one: NoteSignature, other: NoteSignature): boolean => lineText(one) === lineText(other)

/** The note with these lines below its own; existing lines are not added twice. */
export function withLines(note: string, lines: readonly NoteSignature[]): string {
  const { text, signatures } = parseNote(note)
  const all = [...signatures]
  for (const line of lines) if (!all.some((known) => sameLine(known, line))) all.push(line)
  return composeNote(text, all.map(lineText))
}

/** The answer of a witness: signature lines and nothing else. */
export function readSignatureLines(text: string): readonly NoteSignature[] {
  try {
    return parseNote(`x\n\n${text}`).signatures
  } catch (error) {
    if (error instanceof WitanError) return []
    throw error
  }
}
