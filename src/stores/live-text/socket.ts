// Text under way in a home of one machine: a socket in the home, which its owner alone can open. Watchers listen
// there; who writes connects when somebody does. A reader that does not keep up is told less often, never waited for.

import { once } from 'node:events'
import { chmod, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import {
  type Listener,
  type LiveText,
  type LiveTextSender,
  liveTextIn,
  openLiveTextSender,
} from './live-text.ts'

const NAME = 'live.sock'
const AGAIN_MS = 1_000
const MOST_LINE = 64 * 1024
const MOST_WRITERS = 128
/** What the system has room for in the name of a socket, its end included. */
const LONGEST = 107

/** A path that fits: a directory with a longer one is named by an open descriptor, where the system can do that. */
async function fitting<Result>(
  folder: string,
  name: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= LONGEST) return work(path)
  const handle = await open(folder)
  try {
    return await work(`/proc/self/fd/${handle.fd}/${name}`)
  } finally {
    await handle.close()
  }
}

const connectTo = (path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })

/** Resolves once it may be written to again, or is gone. */
const ready = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const over = (): void => {
      socket.off('drain', over)
      socket.off('close', over)
      resolve()
    }
    socket.once('drain', over)
    socket.once('close', over)
  })

const lineOf = (writing: LiveText): string => `${JSON.stringify(writing)}\n`

export function tellBySocket(home: string): LiveTextSender {
  let socket: Socket | null = null
  let notBefore = 0

  async function join(): Promise<Socket | null> {
    if (Date.now() < notBefore) return null
    notBefore = Date.now() + AGAIN_MS
    const socketServer = await fitting(home, NAME, connectTo).catch(() => null)
    if (socketServer === null) return null
    socketServer.unref()
    socketServer.on('error', () => undefined)
    socketServer.on('close', () => {
      if (socket === socketServer) socket = null
    })
    socketServer.resume()
    return socketServer
  }

  return openLiveTextSender(
    async (changed, all) => {
      const isNew = socket === null
      socket ??= await join()
      if (socket === null) return
      const lines = (isNew ? all() : changed).map(lineOf).join('')
      if (!socket.write(lines)) await ready(socket)
    },
    async () => {
      socket?.destroy()
    },
  )
}

function takeLines(socket: Socket, hear: (writing: LiveText) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('error', () => undefined)
  socket.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MOST_LINE) socket.destroy()
    for (const line of lines) {
      const writing = readLine(line)
      if (writing === null) socket.destroy()
      else hear(writing)
    }
  })
}

function readLine(line: string): LiveText | null {
  try {
    return liveTextIn(JSON.parse(line))
  } catch {
    return null
  }
}

/** Made under another name in a folder of its own, so that no one else can open it at any moment, then put in place. */
async function settle(server: Server, home: string): Promise<void> {
  const folder = await mkdtemp(join(home, '.live-'))
  try {
    await fitting(folder, NAME, async (path) => {
      server.listen(path)
      await once(server, 'listening')
    })
    await chmod(join(folder, NAME), 0o600)
    await rename(join(folder, NAME), join(home, NAME))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function hearSocket(home: string, hear: (writing: LiveText) => void): Promise<Listener> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    takeLines(socket, hear)
  })
  server.maxConnections = MOST_WRITERS
  await settle(server, home)
  server.on('error', () => undefined)
  return {
    async close() {
      await rm(join(home, NAME), { force: true })
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
