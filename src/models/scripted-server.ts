// A model server on the loopback that answers from a script, with an OpenAI-compatible API. Its requests take
// the same path as those to every other model: request, stream, reader. It does not keep the process alive
// and serves only this machine.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonSchema } from './model.ts'

/** The input of the script. */
export interface ScriptAsked {
  readonly model: string
  readonly prompt: string
  readonly schema: JsonSchema | null
}

/** The answer, and how long writing it takes. */
export interface ScriptAnswer {
  readonly text: string
  readonly ms: number
}

export type Script = (asked: ScriptAsked) => ScriptAnswer

interface Body {
  readonly model: string
  readonly messages: readonly { readonly content: unknown }[]
  readonly response_format?: { readonly json_schema?: { readonly schema?: JsonSchema } }
}

const STEP_MS = 60
const MOST_BYTES = 8 << 20

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MOST_BYTES) throw new RangeError('the request is too long')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Body
}

const wordsIn = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { readonly text?: unknown }) => String(part.text ?? '')).join('')
}

async function stream(response: ServerResponse, model: string, { text, ms }: ScriptAnswer): Promise<void> {
  const chunk = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({
      id: 'scripted',
      object: 'chat.completion.chunk',
      created: 0,
      model,
      choices: [{ index: 0, delta, finish_reason: null, ...more }],
    })}\n\n`
  const steps = Math.max(Math.round(ms / STEP_MS), 1)
  const chars = [...text]
  const each = Math.ceil(chars.length / steps)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let at = 0; at < chars.length && !response.destroyed; at += each) {
    response.write(chunk({ content: chars.slice(at, at + each).join('') }))
    if (ms > 0) await pause(STEP_MS)
  }
  const bill = JSON.stringify({ id: 'scripted', model, choices: [], usage: { cost: 0 } })
  response.end(`${chunk({}, { finish_reason: 'stop' })}data: ${bill}\n\ndata: [DONE]\n\n`)
}

/** Its address, for as long as this process lives. */
export async function serveScript(script: Script): Promise<string> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { model, messages, response_format } = await readBody(request)
      const prompt = messages.map(({ content }) => wordsIn(content)).join('\n\n')
      const schema = response_format?.json_schema?.schema ?? null
      await stream(response, model, script({ model, prompt, schema }))
    }
    answer().catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: String(error) } }))
    })
  })
  server.on('connection', (socket) => socket.unref())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the scripted server has no port')
  return `http://127.0.0.1:${address.port}/v1`
}
