// C2SP tlog-checkpoint within C2SP signed-note. What is written here can be read here, and only the one
// form that the specifications allow is accepted: no control characters, no second base64 form, no leading
// zero. Parsing proves nothing; the text counts only after a signature by a trusted key has been verified.

import { concat, equalBytes, fromBase64, fromHex, type Sha256, toBase64, toHex, utf8 } from '../bytes.ts'
import { WitanError } from '../errors.ts'
import { admissibleKey } from '../signing.ts'

/** A signature below a note, with the name that it claims. */
export interface NoteSignature {
  readonly name: string
  /** Four bytes that help to find the key; they prove nothing. */
  readonly keyHash: Uint8Array
  readonly signature: Uint8Array
}

export interface Note {
  /** What was signed, with its final newline. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

export interface TreeHead {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
  readonly extensions: readonly string[]
}

export interface Checkpoint extends TreeHead, Note {}

export interface VerifierKey {
  readonly name: string
  readonly keyHash: Uint8Array
  readonly publicKey: Uint8Array
}

const MAX_BYTES = 1_000_000
const ED25519 = 0x01
const NEWLINE = Uint8Array.of(0x0a)
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/
const LONE_SURROGATE = /\p{Surrogate}/u
const SPACE_OR_PLUS = /[\p{White_Space}+]/u
const DECIMAL = /^(?:0|[1-9][0-9]{0,15})$/

export function checkpointText(head: TreeHead): string {
  const { origin, size, root, extensions } = head
  if (!Number.isSafeInteger(size) || size < 0) throw invalid(`${size} is not a tree size`)
  if (root.length !== 32) throw invalid(`the root hash has ${root.length} bytes, not 32`)
  const lines = [origin, String(size), toBase64(root), ...extensions]
  for (const line of lines) {
    if (line === '' || line.includes('\n')) throw invalid('every value of a checkpoint is one non-empty line')
    checkCharacters(line)
  }
  return `${lines.join('\n')}\n`
}

/** The first four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ key). Total, since verifiers ask it about claimed keys. */
export const noteKeyHash = (sha: Sha256, name: string, publicKey: Uint8Array): Uint8Array =>
  sha(utf8(name), NEWLINE, Uint8Array.of(ED25519), publicKey).slice(0, 4)

/** A signature line without its newline. */
export function noteSignature(
  sha: Sha256,
  name: string,
  publicKey: Uint8Array,
  signature: Uint8Array,
): string {
  checkName(name)
  checkKey(publicKey)
  if (signature.length !== 64) throw invalid(`an Ed25519 signature has 64 bytes, not ${signature.length}`)
  return `— ${name} ${toBase64(concat(noteKeyHash(sha, name, publicKey), signature))}`
}

export function composeNote(text: string, lines: readonly string[]): string {
  const note = `${text}\n${lines.map((line) => `${line}\n`).join('')}`
  // A line with a newline of its own, or a text without one, would be read back as something else.
  const parsed = parseNote(note)
  if (parsed.text !== text || parsed.signatures.length !== lines.length) {
    throw invalid('the text and the signature lines run into each other')
  }
  return note
}

export function parseNote(note: string): Note {
  if (note.length > MAX_BYTES || utf8(note).length > MAX_BYTES) throw invalid('it is larger than 1 MB')
  checkCharacters(note)
  if (!note.endsWith('\n')) throw invalid('it does not end in a newline')
  const blank = note.lastIndexOf('\n\n')
  if (blank < 0) throw invalid('no blank line parts the text from the signatures')
  const lines = note.slice(blank + 2, -1)
  if (lines === '') throw invalid('no signature follows the last blank line')
  return { text: note.slice(0, blank + 1), signatures: lines.split('\n').map(parseSignature) }
}

export function parseCheckpoint(note: string): Checkpoint {
  const { text, signatures } = parseNote(note)
  const [origin, sizeLine, rootLine, ...extensions] = text.slice(0, -1).split('\n')
  if (origin === undefined || sizeLine === undefined || rootLine === undefined) {
    throw invalid('a checkpoint has at least three lines: origin, size and root')
  }
  if (origin === '') throw invalid('the origin is empty')
  const size = Number(sizeLine)
  if (!DECIMAL.test(sizeLine) || !Number.isSafeInteger(size)) {
    throw invalid('line 2 is not a tree size: a decimal number up to 2^53 - 1 without leading zeros')
  }
  const root = fromBase64(rootLine)
  if (root?.length !== 32) throw invalid('line 3 is not a root hash: 32 bytes in canonical base64')
  if (extensions.includes('')) throw invalid('an extension line is empty')
  return { origin, size, root, extensions, text, signatures }
}

/** The key as others pin it: name+hash+base64. */
export function verifierKey(sha: Sha256, name: string, publicKey: Uint8Array): string {
  checkName(name)
  checkKey(publicKey)
  const hash = toHex(noteKeyHash(sha, name, publicKey))
  return `${name}+${hash}+${toBase64(concat(Uint8Array.of(ED25519), publicKey))}`
}

export function parseVerifierKey(sha: Sha256, text: string): VerifierKey {
  const [name, hash, ...rest] = text.split('+')
  if (name === undefined || hash === undefined || rest.length === 0) {
    throw invalid('a verifier key has the form name+hash+base64')
  }
  checkName(name)
  // The base64 alphabet holds a plus of its own.
  const data = fromBase64(rest.join('+'))
  if (data === null) throw invalid('the verifier key is not in canonical base64')
  if (data[0] !== ED25519 || data.length !== 33) throw invalid('the verifier key is not of type Ed25519')
  const publicKey = data.slice(1)
  if (!admissibleKey(publicKey)) throw invalid('the verifier key is malformed or of low order')
  const keyHash = fromHex(hash, 4)
  if (keyHash === null || !equalBytes(keyHash, noteKeyHash(sha, name, publicKey))) {
    throw invalid('the hash in the verifier key does not belong to its name and key')
  }
  return { name, keyHash, publicKey }
}

function parseSignature(line: string, index: number): NoteSignature {
  const where = `signature line ${index + 1}`
  const [dash, name, base64, ...rest] = line.split(' ')
  if (dash !== '—' || name === undefined || base64 === undefined || rest.length > 0) {
    throw invalid(`${where} does not have the form "— name base64"`)
  }
  checkName(name)
  const bytes = fromBase64(base64)
  if (bytes === null) throw invalid(`${where} is not in canonical base64`)
  if (bytes.length < 5) throw invalid(`${where} is too short to hold a key hash and a signature`)
  return { name, keyHash: bytes.slice(0, 4), signature: bytes.slice(4) }
}

function checkName(name: string): void {
  if (name === '' || SPACE_OR_PLUS.test(name)) {
    throw invalid('a key name is non-empty and holds neither spaces nor plus signs')
  }
  checkCharacters(name)
}

function checkKey(publicKey: Uint8Array): void {
  if (publicKey.length !== 32) throw invalid(`an Ed25519 key has 32 bytes, not ${publicKey.length}`)
}

function checkCharacters(text: string): void {
  if (CONTROL.test(text)) throw invalid('it holds a control character other than newline')
  if (LONE_SURROGATE.test(text)) throw invalid('it is not well-formed Unicode')
}

const invalid = (reason: string): WitanError =>
  new WitanError('NOTE_INVALID', `Not a valid signed note: ${reason}.`, 'Get the note from its source again.')
