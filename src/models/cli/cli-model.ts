// A model behind a vendor's own program: the prompt goes in on stdin, no part of it and no key into
// arguments, and the program works in its own folder with a minimal environment. A vendor's file contains
// only the differences.

import { resolve } from 'node:path'
import { renderPrompt } from '../../ledger/prompt.ts'
import type { RawReply } from '../../ledger/raw-reply.ts'
import { type Fault, wordsThrough } from '../api/faults.ts'
import { type Deadline, startDeadline, timeoutWords, unlessAborted } from '../deadline.ts'
import { redact } from '../hide-secrets.ts'
import {
  type Availability,
  failed,
  type Model,
  type Outcome,
  type Reply,
  type Request,
  UNKNOWN_USAGE,
  type Usage,
} from '../model.ts'
import { NO_TUNING, type Tuning } from '../tuning.ts'
import { endingOf, fault, lastWords, MOST_WORDS } from './faults.ts'
import { type Ran, run } from './process.ts'
import { type Environment, openRoom, type Room } from './work-folder.ts'

/** Which program, as which model, and with which key or login. */
export interface CliOptions {
  /** Its name, as configured. */
  readonly name: string
  /** Null for the program's own choice. */
  readonly model: string | null
  /** Null for the vendor's usual name, looked up on the PATH. */
  readonly program?: string | null
  /** Null for the vendor's own. */
  readonly baseUrl?: string | null
  /** Null when there is none: then the program uses the user's own login. It throws when the key cannot be read. */
  readonly apiKey?: () => Promise<string | null>
  /** Our environment; the program sees little of it. */
  readonly env?: Environment
  /** The seat's settings for answers. */
  readonly tuning?: Tuning
}

/** All that a program needs to know for one call. */
export interface CliCall {
  readonly model: string | null
  readonly baseUrl: string | null
  readonly key: string | null
  readonly env: Environment
  readonly room: Room
  readonly tuning: Tuning
}

export interface Call {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly input: string
}

interface CliReply extends RawReply {
  readonly usage: Usage
  readonly cost: Reply['cost']
  readonly model: string | null
}

export type Reading = CliReply | { readonly fault: Fault; readonly usage?: Usage }

/** Runs the program for something that asks no model. */
export type Ask = (args: readonly string[]) => Promise<Ran>

/** The differences of one vendor's program. */
export interface Cli {
  readonly program: string
  /** The npm package that brings it. */
  readonly package: string
  readonly login: string
  /** What is typed to log in. */
  readonly signIn: string
  readonly versionMs: number
  /** Secrets of our environment that the program needs for the user's own login. */
  readonly secrets: readonly string[]
  prepare(request: Request, prompt: string, errand: CliCall, ask: Ask): Promise<Call>
  read(ran: Ran, errand: CliCall, request: Request): Promise<Reading> | Reading
  /** The environment for questions about the program itself. */
  environment(errand: CliCall): Readonly<Record<string, string>>
  /** Whether the user's own login can be used; null when that is unknown. */
  signedIn(errand: CliCall, ask: Ask): Promise<boolean | null>
}

const install = (cli: Cli): string => `Install it with: npm install -g ${cli.package}`

/** JSON escapes and what a program prints around its answer. */
const OUTPUT_BYTES = { times: 8, more: 1 << 20 }
/** Its own catalog of models is the longest output of a program about itself. */
const ASIDE_BYTES = 8 << 20
const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@+[\]-]{0,199}$/

/**
 * The prompt in the form of these programs: one that begins with a slash would be a command to the program itself,
 * which it would run, and report as the answer.
 */
const plainPrompt = (prompt: string): string =>
  /^\s*[/!#]/.test(prompt) ? `The request follows.\n\n${prompt}` : prompt

function misconfigured({ model, baseUrl }: CliOptions): Fault | null {
  // Passed as one argument to a program that is not a shell; still, a name of another shape may be an attack.
  if (model !== null && !MODEL_NAME.test(model)) {
    return fault('auth', 'model_not_found', `${JSON.stringify(model.slice(0, 200))} cannot be a model's name`)
  }
  if (baseUrl === undefined || baseUrl === null) return null
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const plain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return plain
    ? null
    : fault('network', 'unavailable', 'the base URL must be http(s) and carry no credentials')
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

const isAbsent = (error: Error): boolean => Reflect.get(error, 'code') === 'ENOENT'

const unstartable = (program: string, error: Error): string =>
  isAbsent(error) ? `there is no program ${program}` : `${program} cannot be started: ${error.message}`

/** A failure has one text, which says both what is wrong and what to do. */
function missing(cli: Cli, program: string, error: Error): Fault {
  const why = unstartable(program, error)
  return fault('network', 'unavailable', isAbsent(error) ? `${why}. ${install(cli)}` : why)
}

function readingOf(cli: Cli, program: string, ran: Ran, reading: Reading, most: number): Reading {
  if (ran.unstarted !== null) return { fault: missing(cli, program, ran.unstarted) }
  const large = ran.tooLarge || ('text' in reading && Buffer.byteLength(reading.text) > most)
  if (large) return { fault: fault('parse_error', 'reply_too_large', `the reply is over ${most} bytes`) }
  if ('fault' in reading && ran.signal !== null) {
    return { fault: fault('network', null, `${program} ${endingOf(ran)}: ${lastWords(ran)}`) }
  }
  return reading
}

export function cliModel(cli: Cli, options: CliOptions): Model {
  const { name, model, baseUrl = null, apiKey = async () => null, env = process.env } = options
  const { tuning = NO_TUNING } = options
  const named = options.program ?? cli.program
  // From here, not from the empty folder where the program will run.
  const program = named.includes('/') ? resolve(named) : named
  const wrong = misconfigured(options)
  const hidden = (key: string | null) => [key, ...cli.secrets.map((secret) => env[secret] ?? null)]

  async function errandIn(room: Room, signal: AbortSignal): Promise<CliCall> {
    const key = await unlessAborted(apiKey(), signal)
    return { model, baseUrl, key: key === '' ? null : key, env, room, tuning }
  }

  const asker =
    (errand: CliCall, signal: AbortSignal): Ask =>
    (args) =>
      run(
        {
          program,
          args,
          env: cli.environment(errand),
          cwd: errand.room.cwd,
          input: '',
          maxOutputBytes: ASIDE_BYTES,
        },
        signal,
      )

  async function call(
    request: Request,
    errand: CliCall,
    { signal, noteActivity }: Deadline,
  ): Promise<Reading> {
    const { maxReplyBytes } = request.limits
    const prompt = plainPrompt(renderPrompt(request.parts))
    const prepared = await cli.prepare(request, prompt, errand, asker(errand, signal))
    const maxOutputBytes = maxReplyBytes * OUTPUT_BYTES.times + OUTPUT_BYTES.more
    const ran = await run(
      { program, ...prepared, cwd: errand.room.cwd, maxOutputBytes, onOutput: noteActivity },
      signal,
    )
    const unread = ran.unstarted !== null || ran.tooLarge || signal.aborted
    const reading = unread
      ? { fault: fault('parse_error', null, 'unread') }
      : await cli.read(ran, errand, request)
    return readingOf(cli, program, ran, reading, maxReplyBytes)
  }

  async function once(request: Request): Promise<Outcome> {
    const start = performance.now()
    const { timeoutMs } = request.limits
    const deadline = startDeadline(timeoutMs, request.signal)
    let room: Room | null = null
    let key: string | null = null
    let reading: Reading
    try {
      deadline.signal.throwIfAborted()
      room = await openRoom()
      const errand = await errandIn(room, deadline.signal)
      key = errand.key
      reading = wrong === null ? await call(request, errand, deadline) : { fault: wrong }
    } catch (error) {
      reading = { fault: fault('auth', 'unavailable', wordsThrough(error)) }
    } finally {
      deadline.close()
      await room?.close()
    }
    const latencyMs = performance.now() - start
    if (deadline.ended === 'aborted')
      reading = { fault: fault('network', 'aborted', 'given up by the asker') }
    else if (deadline.ended !== null)
      reading = { fault: fault('timeout', null, timeoutWords(deadline.ended, timeoutMs)) }
    if ('fault' in reading) {
      const message = redact(reading.fault.message, hidden(key)).slice(0, MOST_WORDS * 2)
      return failed({ ...reading.fault, message, usage: reading.usage ?? UNKNOWN_USAGE }, 'cli', latencyMs)
    }
    return { ok: true, ...reading, latencyMs, transport: 'cli' }
  }

  async function checkProgram(room: Room, signal: AbortSignal): Promise<Availability> {
    const deadline = startDeadline(cli.versionMs, signal)
    try {
      const errand = await errandIn(room, deadline.signal)
      const ask = asker(errand, deadline.signal)
      const ran = await ask(['--version'])
      const version = /\d+\.\d+[\w.+-]*/.exec(ran.stdout)?.[0]
      if (ran.unstarted !== null) {
        const type = `npm i -g ${cli.package}`
        return { ready: false, detail: unstartable(program, ran.unstarted), next: install(cli), type }
      }
      if (deadline.ended !== null || version === undefined || ran.code !== 0) {
        const why = deadline.ended === null ? endingOf(ran) : `took over ${cli.versionMs} ms`
        const detail = `${program} --version ${why}: ${lastWords(ran)}`
        return { ready: false, detail, next: `Run ${program} --version yourself. ${install(cli)}` }
      }
      const detail = `${program} ${version}`
      if (errand.key !== null) return { ready: true, detail: `${detail}, with a key`, next: null }
      const signedIn = await cli.signedIn(errand, ask)
      if (signedIn === false) {
        const { login: next, signIn: type } = cli
        return { ready: false, detail: `${detail} is not logged in`, next, type }
      }
      return { ready: true, detail: `${detail}, with its own login`, next: null }
    } finally {
      deadline.close()
    }
  }

  async function available(signal: AbortSignal): Promise<Availability> {
    if (wrong !== null) return { ready: false, detail: wrong.message, next: 'Correct the configuration.' }
    const room = await openRoom()
    try {
      const { detail, ...rest } = await checkProgram(room, signal)
      return { ...rest, detail: redact(detail, hidden(null)) }
    } catch (error) {
      const next = 'See why the key cannot be had.'
      return { ready: false, detail: redact(wordsThrough(error), hidden(null)), next }
    } finally {
      await room.close()
    }
  }

  return { provider: name, model, transport: 'cli', available, ask: once }
}
