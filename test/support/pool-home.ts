// A home whose minds are scripted models behind one loopback server, driven through the command. What a model
// writes is a function of what it is asked, so that every test says what its pool does.

import { randomUUID } from 'node:crypto'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withHome } from '../../src/app/home/home.ts'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { followTrace } from '../../src/clerk/follow.ts'
import { replayTrace } from '../../src/clerk/replay.ts'
import type { Occurrence, Protocol } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { directory, type Ran, type Where } from '../doors/command.ts'
import { here } from '../doors/here.ts'
import { type Careless, sendCareless } from '../fakes/careless.ts'
import { ollamaWire } from '../fakes/openai-compatible.ts'
import { type FakeServer, perform, serve, wordsIn } from '../fakes/scripted-server.ts'
import { protocol } from './exchange-run.ts'

export interface Asked {
  readonly model: string
  readonly isAudit: boolean
  readonly words: string
  /** How many askings came before. */
  readonly index: number
}

/** What a model writes, in its time; undefined hangs until the connection is cut. */
export type PoolScript = (asked: Asked) => string | object | undefined | Promise<string | object | undefined>

export interface PoolHome {
  readonly where: Where & { readonly cwd: string }
  readonly asked: readonly Asked[]
  script: PoolScript
  /** What the judge writes; what asks with the plea, if not said. */
  readonly judge: { script?: (asked: { readonly words: string }) => { readonly careless: Careless } | null }
  readonly server: FakeServer
  /** Without a process of its own; the commands of two processes at once are tried with `witan` of `doors/command.ts`. */
  witan(...args: readonly string[]): Promise<Ran>
  /** Writes a file of terms beside the others and names it. */
  terms(name: string, given?: Given): Promise<string>
  events(trace: string): Promise<readonly Occurrence[]>
}

type Given = { readonly [part: string]: object }

const idIn = (words: string): string => /\b(\d+\.\d+) by a mind/.exec(words)?.[1] ?? '1.1'

/** Few different texts, so that the encoder is rarely needed. */
export const plainScript: PoolScript = ({ model, isAudit, words }) =>
  isAudit
    ? { summary: 'Rivers.', points: [{ text: 'A river is named.', cites: [idIn(words)], clusters: [] }] }
    : `secret of ${model}\n---\nRivers carry water to the sea, says ${model}.\n---\nA river bends where the ground is soft.`

const USAGE = { inputTokens: 100, outputTokens: 10 }

/** Asks in words alone, without a tag. */
export const RESTART_REQUEST = 'Please restart this exchange: let us begin again on other terms.'

/** What a judge cites that knows the plea; its askings are not counted among those of the pool. */
const judged = (words: string): readonly object[] =>
  [...words.matchAll(/\b(\d+\.\d+) by a mind[^\n]*\n([^\n]*)/g)]
    .filter(([, , text]) => text?.includes(RESTART_REQUEST))
    .map(([, id]) => ({ id, quote: RESTART_REQUEST }))

const RESTART = '[RESTART] Let us begin again on other terms.'

/** Everyone asks for a restart until the prompt says that one was honoured. */
export const restartScript: PoolScript = (asked) => {
  if (asked.isAudit) return plainScript(asked)
  return asked.words.includes('structured exchange')
    ? plainScript(asked)
    : `\n---\n${RESTART}\n---\n${RESTART}\n---\n${RESTART}`
}

const eventsIn = (directory: string, trace: string): Promise<readonly Occurrence[]> =>
  withHome({ directory, mode: 'read' }, async ({ store }) => {
    const events: Occurrence[] = []
    const all = { signal: AbortSignal.abort() }
    for await (const event of followTrace({ store, sha256 }, trace, all)) events.push(event)
    return events
  })

export async function openPoolHome(names: readonly string[] = ['one', 'two']): Promise<PoolHome> {
  const asked: Asked[] = []
  const house = { script: plainScript }
  const judge: PoolHome['judge'] = {}
  const server = await serve(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: names.map((id) => ({ id })) }))
      return
    }
    const body = request.body as { model: string; response_format?: unknown }
    if (JSON.stringify(body.response_format ?? null).includes('"asks"')) {
      const own = judge.script?.({ words: wordsIn(body) })
      if (own) return sendCareless(own.careless, request, response)
      const said = JSON.stringify({ asks: judged(wordsIn(body)) })
      await perform(ollamaWire, { act: 'answer', text: said, usage: USAGE }, request, response)
      return
    }
    const one = {
      model: body.model,
      isAudit: body.response_format !== undefined,
      words: wordsIn(body),
      index: asked.length,
    }
    asked.push(one)
    const said = await house.script(one)
    if (said === undefined) return
    if (typeof said === 'object' && 'careless' in said)
      return sendCareless(said.careless as Careless, request, response)
    const text = typeof said === 'string' ? said : JSON.stringify(said)
    await perform(ollamaWire, { act: 'answer', text, usage: USAGE }, request, response)
  })
  const cwd = await directory()
  const where = { home: join(cwd, 'home'), cwd }
  await here(where, 'init', '--name', 'tester')
  await mkdir(where.home, { recursive: true })
  const providers = names.map((name) => ({
    name,
    model: name,
    transport: 'api',
    base_url: `${server.url}/v1`,
  }))
  await writeFile(join(where.home, 'config.yaml'), JSON.stringify({ council: { providers } }))
  return {
    where,
    asked,
    judge,
    server,
    get script() {
      return house.script
    },
    set script(script: PoolScript) {
      house.script = script
    },
    witan: (...args) => here(where, ...args),
    async terms(name, given = {}) {
      const terms = {
        ...given,
        pool: { prompt: 'Think about rivers.', minds: names, parallel: true, ...given.pool },
        auditor: { spec: 'Say what is converging.', mind: names[0], every: 3, ...given.auditor },
        observer: { name: 'ana', role: 'I answer audits and honour a restart once.', ...given.observer },
        restart: { enough: 20, ...given.restart },
      }
      await writeFile(join(cwd, name), JSON.stringify(terms))
      return name
    },
    events: (trace) => eventsIn(where.home, trace),
  }
}

/** The same house with a home of its own that stands where this one stands now. */
export async function copyOf(house: PoolHome): Promise<PoolHome> {
  const home = join(house.where.cwd, `home-${randomUUID()}`)
  // Emptied at close, and taken away when the driver lets go of them, which may be in the middle of copying.
  const isPassing = (path: string): boolean => /\.db-(shm|wal)$/.test(path)
  await cp(house.where.home, home, { recursive: true, filter: (path) => !isPassing(path) })
  const where = { ...house.where, home }
  const { server, asked, judge, terms } = house
  return {
    ...{ where, server, asked, judge, terms },
    get script() {
      return house.script
    },
    set script(script: PoolScript) {
      house.script = script
    },
    witan: (...args) => here(where, ...args),
    events: (trace) => eventsIn(home, trace),
  }
}

/** Trace of a command that was to end well; its words when it did not. */
export function traceOf(ran: Ran, code = 0): string {
  if (ran.code !== code) throw new Error(`exit ${ran.code}\n${ran.stdout}\n${ran.stderr}`)
  return String(ran.json.trace)
}

/** What a verifier and a replay find wrong with the trace; null when nothing. */
export const verifyFault = (house: PoolHome, trace: string): Promise<string | null> =>
  withHome({ directory: house.where.home, mode: 'read' }, async (home) => {
    const { store } = home
    const trust = { keys: (await home.registrar()).log.state.registrars, checkpoints: [] }
    const report = await examine(await wholeBundle(store, trace), store, trust, [protocol as Protocol])
    const replayed = await replayTrace({ store, sha256 }, protocol, trace)
    const faults = [...report.failures, ...replayed.divergences]
    return report.status === 'pass' && faults.length === 0 ? null : JSON.stringify([report.status, ...faults])
  })
