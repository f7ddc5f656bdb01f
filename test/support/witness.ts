// A small C2SP witness on the loopback: it knows one log by its vkey, keeps the newest size and root, checks signature and
// consistency as the protocol asks, and cosigns. It shares no code with the client that it judges.

import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const sha = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const node = (left: Uint8Array, right: Uint8Array): Buffer => sha(Buffer.from([1]), left, right)

/** RFC 6962, 2.1.4.2, read from its text: the two roots that a proof leads to. */
function consistent(m: number, n: number, old: Buffer, root: Buffer, proof: readonly Buffer[]): boolean {
  if (m === n) return proof.length === 0 && old.equals(root)
  if (m === 0) return proof.length === 0
  const isPower = (m & (m - 1)) === 0
  const path = isPower ? [old, ...proof] : [...proof]
  let [fn, sn] = [m - 1, n - 1]
  while (fn & 1) [fn, sn] = [fn >> 1, sn >> 1]
  const first = path.shift()
  if (!first) return false
  let [fr, sr] = [first, first]
  for (const hash of path) {
    if (sn === 0) return false
    if (fn & 1 || fn === sn) {
      fr = node(hash, fr)
      sr = node(hash, sr)
      while (!(fn & 1) && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1]
    } else sr = node(sr, hash)
    ;[fn, sn] = [fn >> 1, sn >> 1]
  }
  return sn === 0 && fr.equals(old) && sr.equals(root)
}

const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

export interface TestWitness {
  readonly url: string
  readonly vkey: string
  /** How requests ended, in order. */
  readonly statuses: readonly number[]
  /** As after a loss of its data: it has seen nothing. */
  forget(): void
  close(): void
}

/** `vkey` is that of the only log it knows; its origin is `name/name`. */
export async function startWitness(vkey: string, name = 'witness.example/w1'): Promise<TestWitness> {
  const [log = '', , base64 = ''] = vkey.trim().split(/\+(.*?)\+(.*)/s)
  const raw = Buffer.from(vkey.trim().split('+').slice(2).join('+') || base64, 'base64').subarray(1)
  const logKey = createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' })
  const logId = sha(Buffer.from(`${log}\n`), Buffer.from([1]), raw).subarray(0, 4)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const own = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const ownId = sha(Buffer.from(`${name}\n`), Buffer.from([4]), own).subarray(0, 4)
  const statuses: number[] = []
  let seen = { size: 0, root: Buffer.alloc(0) }

  function answer(body: string): { status: number; body: string } {
    const [head = '', note = ''] = body.split(/\n\n([\s\S]*)/)
    const [oldLine = '', ...proof] = head.split('\n')
    const old = /^old (0|[1-9][0-9]*)$/.exec(oldLine)?.[1]
    const end = note.lastIndexOf('\n\n')
    const text = note.slice(0, end + 1)
    const [origin, size, root = ''] = text.split('\n')
    if (old === undefined || end < 0 || proof.length > 63) return { status: 400, body: '' }
    if (origin !== `${log}/${log}`) return { status: 404, body: '' }
    const signed = note
      .slice(end + 2)
      .trimEnd()
      .split('\n')
      .some((line) => {
        const [, by, signature = ''] = line.split(' ')
        const bytes = Buffer.from(signature, 'base64')
        return (
          by === log &&
          bytes.subarray(0, 4).equals(logId) &&
          verify(null, Buffer.from(text), logKey, bytes.subarray(4))
        )
      })
    if (!signed) return { status: 403, body: '' }
    if (Number(old) > Number(size)) return { status: 400, body: '' }
    if (Number(old) !== seen.size) return { status: 409, body: `${seen.size}\n` }
    const hashes = proof.map((line) => Buffer.from(line, 'base64'))
    const fresh = Buffer.from(root, 'base64')
    if (!consistent(seen.size, Number(size), seen.root, fresh, hashes)) return { status: 422, body: '' }
    seen = { size: Number(size), root: fresh }
    const time = Math.floor(Date.now() / 1000)
    const stamp = Buffer.alloc(8)
    stamp.writeBigUInt64BE(BigInt(time))
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), privateKey)
    return { status: 200, body: `— ${name} ${Buffer.concat([ownId, stamp, signature]).toString('base64')}\n` }
  }

  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const isCall = incoming.method === 'POST' && incoming.url === '/add-checkpoint'
    const { status, body } = isCall ? answer(Buffer.concat(chunks).toString()) : { status: 404, body: '' }
    statuses.push(status)
    response.writeHead(status, status === 409 ? { 'content-type': 'text/x.tlog.size' } : {}).end(body)
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    vkey: `${name}+${ownId.toString('hex')}+${Buffer.concat([Buffer.from([4]), own]).toString('base64')}`,
    statuses,
    forget() {
      seen = { size: 0, root: Buffer.alloc(0) }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
