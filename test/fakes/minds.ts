// Models for sessions behind one loopback server on the wire of Ollama. Who is asked is read off the shape that is asked
// for, as a model would see it; each plays its script, and its last answer repeats.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Act } from '../contracts/scenarios.ts'
import { type Careless, sendCareless } from './careless.ts'
import { ollamaWire } from './openai-compatible.ts'
import { type FakeServer, perform, serve, wordsIn } from './scripted-server.ts'

export type Part = 'planner' | 'executor' | 'critic'

export interface Asked {
  readonly part: Part
  /** All that was said to it. */
  readonly words: string
  /** Ids of the artifacts that it was shown, in order. */
  readonly artifacts: readonly string[]
}

type Answer = object | ((asked: Asked) => object)
export type MindScripts = { readonly [part in Part]?: readonly Answer[] }

export interface Minds extends FakeServer {
  readonly asked: readonly Asked[]
  /** Makes this server the provider `ollama` of a home; further settings follow as they are. */
  settings(home: string, more?: string): Promise<void>
}

interface Wire {
  readonly response_format?: { readonly json_schema?: { readonly schema?: unknown } }
  readonly messages?: unknown
}

function partOf(body: unknown): Part {
  const shape = JSON.stringify((body as Wire).response_format?.json_schema?.schema ?? {})
  if (shape.includes('"verdict"')) return 'critic'
  return shape.includes('"give_up"') ? 'executor' : 'planner'
}

const shownIn = (words: string): readonly string[] =>
  [...words.matchAll(/label="artifact ([0-9a-f]{64}), bytes/g)].map(([, id = '']) => id)

const isCareless = (said: object): said is { readonly careless: Careless } => 'careless' in said

export async function serveMinds(scripts: MindScripts): Promise<Minds> {
  const asked: Asked[] = []
  const server = await serve(async (request, response) => {
    if (!ollamaWire.path.test(request.path)) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: [{ id: 'fake-1' }] }))
      return
    }
    const part = partOf(request.body)
    const words = wordsIn((request.body as Wire).messages)
    const one = { part, words, artifacts: shownIn(words) }
    asked.push(one)
    const script = scripts[part] ?? []
    const nth = asked.filter((other) => other.part === part).length - 1
    const answer = script[Math.min(nth, script.length - 1)] ?? {}
    const said = typeof answer === 'function' ? answer(one) : answer
    if (isCareless(said)) return sendCareless(said.careless, request, response)
    const text = JSON.stringify(said)
    const act: Act = { act: 'answer', text, usage: { inputTokens: 100, outputTokens: 20 } }
    await perform(ollamaWire, act, request, response)
  })
  return {
    ...server,
    asked,
    settings: (home, more = '') =>
      writeFile(
        join(home, 'config.yaml'),
        `council:\n  providers: [{name: ollama, model: fake-1, transport: api, base_url: "${server.url}/v1"}]\n${more}`,
      ),
  }
}
