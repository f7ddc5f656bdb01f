// Asks outsiders to attest a checkpoint: authorities for RFC 3161 timestamps, witnesses for C2SP
// cosignatures. Only a hash or the checkpoint itself is sent, never an event. Answers are checked against
// pinned keys before they are kept, and are limited in size and time.

import { randomBytes } from 'node:crypto'
import { equalBytes, toBase64, utf8 } from '../../ledger/bytes.ts'
import { cosignatureMessage } from '../../ledger/signing.ts'
import { cosignatureBy, readSignatureLines, timestampLine } from '../../ledger/tree/attestations.ts'
import type { NoteSignature } from '../../ledger/tree/checkpoint.ts'
import { consistencyProof } from '../../ledger/tree/merkle.ts'
import { readTimestampReply, timestampQuery } from '../../ledger/tree/timestamp-request.ts'
import { readTimestampToken } from '../../ledger/tree/timestamp-token.ts'
import type { TraceCheckpoint } from '../../ledger/tree/tree-head.ts'
import { sha256 } from '../../stores/digest.ts'
import { verifySignature } from '../../stores/signature-checks.ts'
import { checkTimestamp, readCertificates } from '../../stores/timestamp-checks.ts'
import type { Authority, Witness } from './pinned.ts'

/** The result of a request: the line to put below the checkpoint and its time, or why there is none. */
export type Asked = { readonly line: NoteSignature; readonly time: string } | { readonly why: string }

const PATIENCE_MS = 10_000
const MOST_BYTES = 64 << 10

interface Reply {
  readonly status: number
  readonly bytes: Uint8Array
}

/**
 * The bytes of an answer. Node's `fetch` forgets its signal when garbage is collected, so that a body which never
 * ends would be read forever: the signal is observed here too.
 */
async function readBytes(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<Uint8Array> {
  const reader = body?.getReader()
  const chunks: Uint8Array[] = []
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // An abort after everything was read does not matter.
  ended.catch(() => undefined)
  try {
    for (let size = 0; reader; ) {
      const { done, value } = await Promise.race([reader.read(), ended])
      if (done) break
      size += value.length
      if (size > MOST_BYTES) throw new Error('it answered more than 64 KiB')
      chunks.push(value)
    }
    return Buffer.concat(chunks)
  } finally {
    reader?.cancel().catch(() => undefined)
  }
}

async function post(url: string, type: string, body: Uint8Array): Promise<Reply> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': type },
    body: Buffer.from(body),
    redirect: 'error',
    signal,
  })
  return { status: response.status, bytes: await readBytes(response.body, signal) }
}

/** Why a request failed, as text; the cause says more than "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it could not be asked'
  if (error.name === 'TimeoutError') return 'it did not answer within 10 s'
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

async function asking(work: () => Promise<Asked>): Promise<Asked> {
  try {
    return await work()
  } catch (error) {
    return { why: reasonOf(error) }
  }
}

/** A timestamp of the checkpoint's text by this authority. */
export const askTimestamp = ({ name, url, pem }: Authority, { text }: TraceCheckpoint): Promise<Asked> =>
  asking(async () => {
    const nonce = randomBytes(8)
    nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 1
    const query = timestampQuery(sha256(utf8(text)), nonce)
    const { status, bytes } = await post(url, 'application/timestamp-query', query)
    const token = status === 200 ? readTimestampReply(bytes) : null
    if (!token)
      return { why: status === 200 ? 'it refused, or answered no timestamp' : `it answered ${status}` }
    const answeredNonce = readTimestampToken(token)?.nonce
    if (!answeredNonce || !equalBytes(answeredNonce, nonce))
      return { why: 'it answered a timestamp of another request' }
    const answer = checkTimestamp({ text, token }, readCertificates(pem))
    if (answer.state === 'foreign') return { why: 'its timestamp is not by the certificate in the settings' }
    if (answer.state === 'bad') return { why: `its timestamp does not hold: ${answer.why}` }
    return { line: timestampLine(sha256, name, token), time: answer.time }
  })

const requestOf = (old: number, proof: readonly Uint8Array[], note: string): Uint8Array =>
  utf8([`old ${old}`, ...proof.map(toBase64), '', note].join('\n'))

/** Once with the known size, and again with the size that the witness names. */
const MOST_TRIES = 3

/** A cosignature of the checkpoint by this witness. `leaves` are those of the tree, `known` what it saw last. */
export const askWitness = (
  { url, key }: Witness,
  checkpoint: TraceCheckpoint,
  leaves: readonly Uint8Array[],
  known: number,
): Promise<Asked> =>
  asking(async () => {
    let old = known
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const proof = old === 0 ? [] : consistencyProof(sha256, leaves, old)
      const body = requestOf(old, proof, checkpoint.note)
      const { status, bytes } = await post(`${url.replace(/\/$/, '')}/add-checkpoint`, 'text/plain', body)
      const text = Buffer.from(bytes).toString('utf8')
      if (status === 409 && /^(0|[1-9][0-9]{0,15})\n$/.test(text) && Number(text) !== old) {
        if (Number(text) > leaves.length)
          return { why: `it saw ${Number(text)} events, and here are ${leaves.length}` }
        old = Number(text)
        continue
      }
      if (status !== 200) return { why: `it answered ${status}` }
      return ownLine(readSignatureLines(text), key, checkpoint)
    }
    return { why: 'it names another size each time' }
  })

/** The line by the pinned key; lines by others are ignored. */
function ownLine(lines: readonly NoteSignature[], key: Witness['key'], { text }: TraceCheckpoint): Asked {
  for (const line of lines) {
    const signed = cosignatureBy(key, line)
    if (!signed) continue
    const holds = verifySignature(key.publicKey, cosignatureMessage(text, signed.time), signed.signature)
    return holds
      ? { line, time: new Date(signed.time * 1000).toISOString() }
      : { why: 'its cosignature does not fit the checkpoint' }
  }
  return { why: 'it answered no cosignature by the key in the settings' }
}
