// The console's server: only on the loopback, under a random name, for as long as the command runs. It
// translates requests into calls of the application and has no logic of its own.

import { once, setMaxListeners } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { type ConsoleNote, readNote, writeNote } from '../../app/console/console-note.ts'
import { openForReading } from '../../app/console/open-home.ts'
import { Runs } from '../../app/console/runs.ts'
import type { ServerTimeouts, Serving } from '../../app/console/serving.ts'
import { WitanError } from '../../ledger/errors.ts'
import { Access, type Refusal } from './access.ts'
import { consoleApp } from './app.ts'
import { newSecret, requestNewLink } from './first-console.ts'
import { readPageFiles } from './page-files.ts'
import { LiveTexts } from './speech.ts'

const PATIENCE: ServerTimeouts = { headers: 10_000, request: 30_000, look: 2_000, beat: 15_000 }
const MOST_CONNECTIONS = 512

/** How long a connection may stay open without a complete request, and the size limit of its head. */
const limitsOf = ({ headers, request, look }: ServerTimeouts) => ({
  headersTimeout: headers,
  requestTimeout: request,
  connectionsCheckingInterval: look,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16_384,
})

const UNREAD_REFUSALS: Readonly<Record<string, readonly [Refusal, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['slow', '408 Request Timeout'],
  HPE_HEADER_OVERFLOW: ['large', '431 Request Header Fields Too Large'],
}
const MALFORMED = ['garbled', '400 Bad Request'] as const

/** Counts what never becomes a request, and answers it as the protocol requires. */
function countUnread(server: Server, access: Access): void {
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    if (code === 'ECONNRESET' || code === 'EPIPE' || !socket.writable) return socket.destroy()
    const [refusal, line] = UNREAD_REFUSALS[code] ?? MALFORMED
    access.count(refusal)
    socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`)
  })
  server.on('drop', () => access.count('crowd'))
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** On the requested port; else on the one used last, so that links stay valid, or any free one. */
async function listenAt(
  server: Server,
  wantedPort: number | null,
  { port: last }: ConsoleNote,
): Promise<number> {
  try {
    return await listen(server, wantedPort ?? last)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    if (wantedPort === null) return listen(server, 0)
    const what = code === 'EACCES' ? 'you may not listen there' : 'another program listens there'
    throw new WitanError(
      'USAGE',
      `port ${wantedPort}: ${what}`,
      'Name another with --port, or 0 for a free one.',
    )
  }
}

export async function serve(serving: Serving): Promise<void> {
  const { home, postgres, signal, isReadOnly, patience = PATIENCE } = serving
  // Every open page listens for the end.
  setMaxListeners(0, signal)
  const note = await readNote(home)
  const other = await requestNewLink(note)
  if (other !== null) {
    serving.ready(other, true)
    return
  }
  const location = { directory: home, postgres }
  const openHome = await openForReading(location)
  const runs = new Runs(location, { from: process.cwd(), config: serving.config })
  try {
    const access = new Access({ isReadOnly })
    const secret = newSecret()
    const files = await readPageFiles()
    const speech = new LiveTexts()
    await speech.listen(openHome)
    const { fetch } = consoleApp({ openHome, access, runs, speech, secret, files, serving, patience })
    const server = createAdaptorServer({
      fetch,
      serverOptions: limitsOf(patience),
      overrideGlobalObjects: false,
    }) as Server
    server.maxConnections = MOST_CONNECTIONS
    countUnread(server, access)
    const port = await listenAt(server, serving.port, note)
    access.host = `${note.name}.localhost:${port}`
    await writeNote(home, { name: note.name, port, secret })
    try {
      serving.ready(access.newLink(), false)
      if (!signal.aborted) await once(signal, 'abort')
    } finally {
      await writeNote(home, { name: note.name, port, secret: null }).catch(() => undefined)
      server.closeAllConnections()
      server.close()
    }
  } finally {
    await runs.close()
    await openHome.close()
  }
}
