// Compares our verifier with the one in spec/verifier, which follows the specification and shares no code with it: both
// judge the same file, and must agree whether it holds. Protocols other than the registry's allow everything here, since
// the second verifier covers the ledger layer.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isWitanError } from '../../src/ledger/errors.ts'
import { inquire } from '../../src/ledger/verify/inquire.ts'
import { verify } from '../../src/ledger/verify/verify.ts'
import type { Protocol } from '../../src/protocol.ts'
import { readBundle } from '../../src/stores/bundle-file.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { verifySignature } from '../../src/stores/signature-checks.ts'
import { projectRoot } from './sources.ts'

const allowing = (id: string): Protocol => ({
  id,
  initial: null,
  evolve: (state) => state,
  refuse: () => null,
  decide: () => [],
  finished: () => false,
})

const PROTOCOLS = ['errand/1', 'council/1', 'agents/1', 'exchange/1'].map(allowing)

const remembered = new Map<string, boolean>()

/** Null when the file holds at the ledger layer; otherwise codes of what does not. */
export async function ourVerdict(file: Uint8Array, key: string | null): Promise<string | null> {
  const source = (async function* () {
    yield file
  })()
  try {
    const { bundle, artifacts } = await readBundle(source)
    const inquiry = inquire(sha256, bundle, { keys: key === null ? [] : [key], checkpoints: [] })
    const signatures = inquiry.questions.signatures.map(({ publicKey, message, signature }) => {
      const id = createHash('sha256').update(publicKey).update(signature).update(message).digest('base64')
      const known = remembered.get(id) ?? verifySignature(publicKey, message, signature)
      remembered.set(id, known)
      return known
    })
    const report = verify(sha256, inquiry, { signatures, artifacts }, PROTOCOLS)
    if (report.status !== 'fail') return null
    return report.failures.map(({ code, message }) => `${code}: ${message}`).join('; ')
  } catch (error) {
    if (isWitanError(error)) return `${error.code}: ${error.message}`
    throw error
  }
}

/** Reads files as length and bytes, a trusted key before each; answers one line each. */
const DRIVER = `
import struct, sys
sys.path.insert(0, sys.argv[1])
from verify import verify
read, say = sys.stdin.buffer.read, sys.stdout
while True:
    head = read(68)
    if len(head) < 68: break
    key = head[:64].decode().strip()
    why = verify(read(struct.unpack('>I', head[64:])[0]), key or None)
    say.write(('ok' if why is None else 'fail ' + why.replace(chr(10), ' ')) + chr(10)); say.flush()
`

/** The second verifier as a process that judges one file after the other. */
export class SecondVerifier {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting: ((line: string) => void)[] = []
  #rest = ''
  #errors = ''

  constructor() {
    this.#child = spawn('python3', ['-B', '-c', DRIVER, join(projectRoot, 'spec/verifier')])
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) this.#waiting.shift()?.(line)
    })
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text
    })
    this.#child.on('close', () => {
      for (const answer of this.#waiting.splice(0)) answer(`crash ${this.#errors}`)
    })
  }

  /** Null when the file holds; otherwise why not. */
  async verdict(file: Uint8Array, key: string | null): Promise<string | null> {
    const head = Buffer.alloc(68, ' ')
    head.write(key ?? '')
    head.writeUInt32BE(file.length, 64)
    const answer = new Promise<string>((resolve) => this.#waiting.push(resolve))
    this.#child.stdin.write(Buffer.concat([head, file]))
    const line = await answer
    if (line === 'ok') return null
    if (line.startsWith('fail ')) return line.slice(5)
    throw new Error(`the second verifier broke down: ${line}`)
  }

  close(): void {
    this.#child.stdin.end()
  }
}

/** In words where the two disagree about the file; null when they agree. */
export async function disagreement(
  second: SecondVerifier,
  file: Uint8Array,
  key: string | null,
): Promise<string | null> {
  const [ours, theirs] = await Promise.all([ourVerdict(file, key), second.verdict(file, key)])
  if ((ours === null) === (theirs === null)) return null
  return `ours: ${ours ?? 'holds'} — the second: ${theirs ?? 'holds'}`
}
