// The resident process: answers hooks over a socket in the home, which only its user can reach, so that a
// call need not start a process that folds its session. Started by the first hook that finds none, ends after
// a long idle time or when another replaced it; while it runs, idle sessions are closed. Its answer is a
// status: 204 lets the call pass, 403 denies it with the reason as text. Anything else is no answer, which
// the command in the host's settings treats as a refusal.

import { rename, stat, unlink } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { HOSTS, IDLE_HOURS } from '../../app/attach/attachments.ts'
import type { HookRequest } from '../../app/attach/hook.ts'
import { LiveHooks } from '../../app/attach/live-hooks.ts'
import { rememberUnrecorded } from '../../app/attach/unrecorded.ts'
import { plain } from '../../render/plain.ts'
import { readPayload, versionIn } from './payload.ts'

const MOST_INPUT = 64 * 1024 * 1024
const HOUR_MS = 60 * 60_000
const LOOK_MS = 1_000
/** How long it stays without a call: while sessions are open, until they can be closed. */
const IDLE_LIMIT_MS = { alone: 15 * 60_000, withSessions: IDLE_HOURS * HOUR_MS }

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_INPUT) throw new Error(`the host sent more than ${MOST_INPUT} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What is done in processes of their own. */
export interface BackgroundTasks {
  conclude(trace: string): void
  closeIdle(): void
}

/** Null when the call may continue; otherwise why not. */
async function answerTo(
  hooks: LiveHooks,
  request: IncomingMessage,
  { conclude }: BackgroundTasks,
): Promise<string | null> {
  const [, name, mode, id = ''] = (request.url ?? '').split('/')
  const gates = mode !== 'record'
  let parsedRequest: HookRequest | null = null
  try {
    const host = HOSTS.find((one) => one === name)
    if (!host) throw new Error(`no host is called ${name}`)
    const version = versionIn(host, { AI_AGENT: String(request.headers['x-agent'] ?? '') })
    parsedRequest = readPayload(host, await readBody(request), version)
    const answer = parsedRequest ? await hooks.handle(id, parsedRequest) : { kind: 'pass' as const }
    if (answer.kind === 'ended') conclude(answer.trace)
    return answer.kind === 'deny' ? answer.reason : null
  } catch (error) {
    const reason = wordsOf(error)
    const hostEvent = parsedRequest?.hostEvent
    if (gates && (hostEvent === undefined || hostEvent.kind === 'before'))
      return `Witan cannot record this call, so it is denied: ${reason}`
    if (parsedRequest && hostEvent?.kind === 'before') {
      const { tool, call } = hostEvent.call
      await rememberUnrecorded(parsedRequest.session, { tool, call, reason }).catch(() => undefined)
    }
    return null
  }
}

function reply(response: ServerResponse, denied: string | null): void {
  if (denied === null) response.writeHead(204).end()
  else response.writeHead(403, { 'content-type': 'text/plain' }).end(plain(denied))
}

/** Until it is idle or replaced. */
export async function serveResident(
  home: string,
  socket: string,
  backgroundTasks: BackgroundTasks,
): Promise<void> {
  const hooks = new LiveHooks(home)
  let open = 0
  let last = Date.now()
  const server = createServer((request, response) => {
    open++
    void answerTo(hooks, request, backgroundTasks).then((denied) => {
      reply(response, denied)
      open--
      last = Date.now()
    })
  })
  // Complete from the first moment: the socket gets its name only when it listens. If two start at once the later one
  // has the name.
  const draft = `${socket}.${process.pid}`
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(draft, resolve)
  })
  const own = (await stat(draft)).ino
  await rename(draft, socket)
  const isNamed = async (): Promise<boolean> => (await stat(socket).catch(() => null))?.ino === own
  const isNeeded = (): boolean =>
    open > 0 || Date.now() - last < IDLE_LIMIT_MS[hooks.hasSessions ? 'withSessions' : 'alone']
  for (let swept = 0; (await isNamed()) && isNeeded(); ) {
    if (Date.now() - swept >= HOUR_MS) {
      swept = Date.now()
      backgroundTasks.closeIdle()
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  if (await isNamed()) await unlink(socket).catch(() => undefined)
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  server.close()
  if (hooks.hasSessions) backgroundTasks.closeIdle()
  await hooks.close()
}
