// A real timestamp authority on the loopback: `openssl ts` answers each request with a certificate of its own CA.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CONFIG = `
[ca]
basicConstraints = critical, CA:TRUE
[tsa]
basicConstraints = CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa_config]
default_tsa = tsa_section
[tsa_section]
serial = serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ordering = no
tsa_name = no
ess_cert_id_chain = no
`

interface Reply {
  readonly status: number
  readonly body: Buffer
}

export interface TestAuthority {
  readonly url: string
  /** The certificate of its CA, which a reader pins. */
  readonly pem: string
  /** A timestamp for this query. */
  stamp(query: Buffer): Buffer
  /** What it answers next, instead of a timestamp. */
  answerWith(reply: Reply | ((query: Buffer) => Reply) | null): void
  close(): void
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** With RSA keys, as most public authorities have, or elliptic ones; its certificate ends after so many days. */
export async function startAuthority(algorithm: 'rsa' | 'ec' = 'rsa', days = 30): Promise<TestAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'witan-tsa-'))
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'x.cnf'), CONFIG)
  writeFileSync(join(folder, 'serial'), '01\n')
  const key = algorithm === 'rsa' ? ['rsa:2048'] : ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const request = ['req', '-new', '-newkey', ...key, '-nodes']
  openssl(...request, '-x509', '-days', '30', '-subj', '/CN=Test Root', '-keyout', 'ca.key', '-out', 'ca.pem')
  openssl(...request, '-subj', '/CN=Test Time', '-keyout', 'tsa.key', '-out', 'tsa.csr')
  const sign = ['x509', '-req', '-in', 'tsa.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial']
  openssl(...sign, '-days', String(days), '-extfile', 'x.cnf', '-extensions', 'tsa', '-out', 'tsa.pem')
  const stamp = (query: Buffer): Buffer => {
    writeFileSync(join(folder, 'query.tsq'), query)
    const signer = ['-signer', 'tsa.pem', '-inkey', 'tsa.key', '-chain', 'ca.pem']
    const config = ['-config', 'x.cnf', '-section', 'tsa_section']
    openssl('ts', '-reply', ...config, '-queryfile', 'query.tsq', ...signer, '-out', 'reply.tsr')
    return readFileSync(join(folder, 'reply.tsr'))
  }
  let instead: Parameters<TestAuthority['answerWith']>[0] = null
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const query = Buffer.concat(chunks)
    const honest = () => ({ status: 200, body: stamp(query) })
    const { status, body } = typeof instead === 'function' ? instead(query) : (instead ?? honest())
    response.writeHead(status, { 'content-type': 'application/timestamp-reply' }).end(body)
  })
  const port = await listening(server)
  return {
    url: `http://127.0.0.1:${port}/tsr`,
    pem: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    stamp,
    answerWith(reply) {
      instead = reply
    },
    close() {
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
