// `witan hook`, started by a host for each of its calls. It fails closed: only exit code 0 lets a gated call
// pass, and that is set at the very end. A denial, and every error, is exit code 2 with a text on stderr,
// which all three hosts treat as a refusal; the command in their settings turns any other end into that too.
// Recording alone never blocks: what could not be recorded is noted as a gap.

import { attachmentFor, HOSTS, type HostName, IDLE_HOURS } from '../../app/attach/attachments.ts'
import { type HookAnswer, type HookRequest, handleHook } from '../../app/attach/hook.ts'
import { rememberUnrecorded } from '../../app/attach/unrecorded.ts'
import { homeDirectory, reachOutside } from '../../app/home/home.ts'
import { openOrCreateHome } from '../../app/home/signers.ts'
import { bySettings } from '../../app/outside/by-settings.ts'
import { plain } from '../../render/plain.ts'
import { readPayload, versionIn } from './payload.ts'

interface Asked {
  readonly host: HostName
  readonly gates: boolean
  readonly attachment: string
  readonly home: string
  /** What counts for all users; null where the home knows it. */
  readonly terms: string | null
  /** Where a resident process listens for the calls after this one. */
  readonly socket: string | null
}

const DENIED = 2
/** Not 2, which only counts as a refusal with a text beside it. */
const UNFINISHED = 3
const MOST_INPUT = 64 * 1024 * 1024
/** The host gives up some seconds later. */
const BEYOND_WAITING_MS = 8_000

const optionIn = (words: readonly string[], name: string): string | null => {
  const at = words.indexOf(name)
  return at < 0 ? null : (words[at + 1] ?? null)
}

function askedBy(words: readonly string[]): Asked {
  const host = HOSTS.find((name) => name === words[0])
  const attachment = optionIn(words, '--as')
  if (!host || attachment === null)
    throw new Error('usage: witan hook HOST --gate|--record --as ID [--home DIR] [--socket FILE]')
  return {
    ...{ host, gates: !words.includes('--record'), attachment },
    home: homeDirectory(optionIn(words, '--home')),
    terms: optionIn(words, '--terms'),
    socket: optionIn(words, '--socket'),
  }
}

function textOf(stdin: Buffer): string {
  if (stdin.length > MOST_INPUT) throw new Error(`the host sent more than ${MOST_INPUT} bytes`)
  return stdin.toString('utf8')
}

/** Starts `witan` in a process of its own and does not wait for it. */
type SpawnDetached = (...words: readonly string[]) => Promise<void>

const spawnDetachedWith =
  (program: string): SpawnDetached =>
  async (...words) => {
    const { spawn } = await import('node:child_process')
    spawn(process.execPath, [program, ...words], { cwd: '/', detached: true, stdio: 'ignore' }).unref()
  }

/** Hosts give their last hook only a second or two. */
const concludeLater = (spawnDetached: SpawnDetached, trace: string, home: string): Promise<void> =>
  spawnDetached('agents', 'close', trace, '--because', 'ended', '--home', home)

/** Sessions whose host died or never came back. */
const closeIdleLater = (spawnDetached: SpawnDetached, home: string): Promise<void> =>
  spawnDetached('agents', 'close', '--idle', `${IDLE_HOURS}h`, '--home', home)

async function stayResident(words: readonly string[], spawnDetached: SpawnDetached): Promise<void> {
  const [home, socket] = [homeDirectory(optionIn(words, '--home')), optionIn(words, '--socket')]
  if (socket === null) throw new Error('usage: witan hook resident --home DIR --socket FILE')
  reachOutside(bySettings)
  const { serveResident } = await import('./resident.ts')
  await serveResident(home, socket, {
    conclude: (trace) => void concludeLater(spawnDetached, trace, home),
    closeIdle: () => void closeIdleLater(spawnDetached, home),
  })
}

async function answerTo(
  { attachment: id, home: directory, terms }: Asked,
  request: HookRequest,
): Promise<HookAnswer> {
  // The home is made before anything is noted in it.
  if (terms !== null) await (await openOrCreateHome({ directory })).close()
  const attachment = await attachmentFor(directory, id, terms)
  const watchdog = setTimeout(
    () => deny('Witan did not answer in time; the call is denied.'),
    attachment.wait * 1_000 + BEYOND_WAITING_MS,
  )
  reachOutside(bySettings)
  try {
    const home = await openOrCreateHome({ directory })
    try {
      return await handleHook(home, attachment, request)
    } finally {
      await home.close()
    }
  } finally {
    clearTimeout(watchdog)
  }
}

function deny(reason: string): never {
  process.stderr.write(`${plain(reason)}\n`)
  process.exit(DENIED)
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The resident process. `program`: the file that runs `witan`. */
export const runResident = (words: readonly string[], program: string): Promise<void> =>
  stayResident(words, spawnDetachedWith(program))

/** `stdin`: what the host wrote there. */
export async function main(words: readonly string[], program: string, stdin: Buffer): Promise<void> {
  const spawnDetached = spawnDetachedWith(program)
  const gates = !words.includes('--record')
  process.exitCode = gates ? UNFINISHED : 0
  let request: HookRequest | null = null
  try {
    const asked = askedBy(words)
    request = readPayload(asked.host, textOf(stdin), versionIn(asked.host, process.env))
    const isStart = request?.hostEvent.kind === 'start'
    const answer: HookAnswer = request && !isStart ? await answerTo(asked, request) : { kind: 'pass' }
    if (answer.kind === 'ended') await concludeLater(spawnDetached, answer.trace, asked.home)
    else if (asked.socket !== null)
      await spawnDetached('hook', 'resident', '--home', asked.home, '--socket', asked.socket)
    else if (isStart) await closeIdleLater(spawnDetached, asked.home)
    if (answer.kind === 'deny') return deny(answer.reason)
    process.exitCode = 0
  } catch (error) {
    const hostEvent = request?.hostEvent
    const reason = wordsOf(error)
    if (gates && (hostEvent === undefined || hostEvent.kind === 'before'))
      return deny(`Witan cannot record this call, so it is denied: ${reason}`)
    if (request && hostEvent?.kind === 'before') {
      const { tool, call } = hostEvent.call
      await rememberUnrecorded(request.session, { tool, call, reason }).catch(() => undefined)
    }
    process.stderr.write(`${plain(`witan hook: ${reason}`)}\n`)
    process.exitCode = gates ? 1 : 0
  }
}
