// A model server on the loopback that takes its time: it streams signs of life for a while, then answers, or never does.
// Each kind of pause is what real vendors send: comments that keep a connection open, reasoning, pieces of the answer.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Drip {
  /** How often something is sent before the answer; without end where it is null. */
  readonly times: number | null
  readonly everyMs: number
  readonly as: 'pings' | 'reasoning' | 'words'
  /** Which words, each time. */
  readonly words?: string
  /** Continues until this says otherwise, where it is given. */
  readonly while?: () => boolean
}

export interface DrippingServer {
  readonly url: string
  /** How many answers were asked for. */
  readonly asked: number
  dispose(): Promise<void>
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'c-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'fake-1',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`

const SIGN: Readonly<Record<Drip['as'], string>> = {
  pings: ': still here\n\n',
  reasoning: chunk({ role: 'assistant', reasoning_content: 'hm ' }),
  words: chunk({ role: 'assistant', content: ' ' }),
}

async function stream(response: ServerResponse, drip: Drip | 'silent', text: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  if (drip === 'silent') return
  const isOn = (sent: number): boolean => drip.while?.() ?? (drip.times === null || sent < drip.times)
  for (let sent = 0; isOn(sent); sent++) {
    if (response.destroyed) return
    response.write(
      drip.words === undefined ? SIGN[drip.as] : chunk({ role: 'assistant', content: drip.words }),
    )
    await pause(drip.everyMs)
  }
  response.write(chunk({ content: text }))
  response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
}

/** `script` says what becomes of each asking by its number, from 0, and what was asked. */
export async function startDrippingServer(
  script: (nth: number, body: string) => { readonly drip: Drip | 'silent'; readonly text: string },
): Promise<DrippingServer> {
  let asked = 0
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: [{ id: 'fake-1' }] }))
      return
    }
    const { drip, text } = script(asked++, Buffer.concat(pieces).toString('utf8'))
    await stream(response, drip, text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get asked() {
      return asked
    },
    dispose: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
