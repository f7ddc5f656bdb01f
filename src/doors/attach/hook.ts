// `witan hook`, started by a host for each of its calls. It fails closed: only exit code 0 lets a gated call pass, and that is
// set at the very end. A denial, and every fault on the way, is exit code 2 with words on stderr, which all three hosts
// take for a no; the command in their settings turns any other end into that too. Who only records never blocks: what
// could not be recorded is remembered as a gap.

import { spawn } from 'node:child_process'
import { attachmentFor, HOSTS, type HostName } from '../../app/attach/attachments.ts'
import { type HookAnswer, type HookRequest, handleHook } from '../../app/attach/hook.ts'
import { rememberUnrecorded } from '../../app/attach/unrecorded.ts'
import { homeDirectory, reachOutside } from '../../app/home/home.ts'
import { openOrFound } from '../../app/home/signers.ts'
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
/** Not 2, which needs words beside it to be taken for a no. */
const UNFINISHED = 3
const MOST_INPUT = 64 * 1024 * 1024
/** The host gives up some seconds later. */
const BEYOND_WAITING_MS = 8_000

const given = (words: readonly string[], name: string): string | null => {
  const at = words.indexOf(name)
  return at < 0 ? null : (words[at + 1] ?? null)
}

function askedBy(words: readonly string[]): Asked {
  const host = HOSTS.find((name) => name === words[0])
  const attachment = given(words, '--as')
  if (!host || attachment === null)
    throw new Error('usage: witan hook HOST --gate|--record --as ID [--home DIR] [--socket FILE]')
  return {
    ...{ host, gates: !words.includes('--record'), attachment },
    home: homeDirectory(given(words, '--home')),
    terms: given(words, '--terms'),
    socket: given(words, '--socket'),
  }
}

async function inputText(): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    size += chunk.length
    if (size > MOST_INPUT) throw new Error(`the host sent more than ${MOST_INPUT} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function startBeside(...args: readonly string[]): void {
  const program = process.argv[1]
  if (program === undefined) return
  spawn(process.execPath, [program, ...args], { cwd: '/', detached: true, stdio: 'ignore' }).unref()
}

/** In a process of its own: hosts give their last hook a second or two. */
const concludeLater = (trace: string, home: string): void =>
  startBeside('agents', 'close', trace, '--because', 'ended', '--home', home)

async function stay(words: readonly string[]): Promise<void> {
  const [home, socket] = [homeDirectory(given(words, '--home')), given(words, '--socket')]
  if (socket === null) throw new Error('usage: witan hook resident --home DIR --socket FILE')
  reachOutside(bySettings)
  const { serveResident } = await import('./resident.ts')
  await serveResident(home, socket, (trace) => concludeLater(trace, home))
}

async function answerTo(
  { attachment: id, home: directory, terms }: Asked,
  request: HookRequest,
): Promise<HookAnswer> {
  // A home is made before anything is noted in it.
  if (terms !== null) await (await openOrFound({ directory })).close()
  const attachment = await attachmentFor(directory, id, terms)
  const watchdog = setTimeout(
    () => deny('Witan did not answer in time; the call is denied.'),
    attachment.wait * 1_000 + BEYOND_WAITING_MS,
  )
  reachOutside(bySettings)
  const home = await openOrFound({ directory })
  try {
    return await handleHook(home, attachment, request)
  } finally {
    clearTimeout(watchdog)
    await home.close()
  }
}

function deny(reason: string): never {
  process.stderr.write(`${plain(reason)}\n`)
  process.exit(DENIED)
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export async function main(words: readonly string[]): Promise<void> {
  if (words[0] === 'resident') return stay(words)
  const gates = !words.includes('--record')
  process.exitCode = gates ? UNFINISHED : 0
  let request: HookRequest | null = null
  try {
    const asked = askedBy(words)
    request = readPayload(asked.host, await inputText(), versionIn(asked.host, process.env))
    const answer: HookAnswer = request ? await answerTo(asked, request) : { kind: 'pass' }
    if (answer.kind === 'ended') concludeLater(answer.trace, asked.home)
    else if (asked.socket !== null)
      startBeside('hook', 'resident', '--home', asked.home, '--socket', asked.socket)
    if (answer.kind === 'deny') return deny(answer.reason)
    process.exitCode = 0
  } catch (error) {
    const said = request?.said
    const reason = wordsOf(error)
    if (gates && said?.kind !== 'after' && said?.kind !== 'end')
      return deny(`Witan cannot record this call, so it is denied: ${reason}`)
    if (request && said?.kind === 'before') {
      const { tool, call } = said.call
      await rememberUnrecorded(request.session, { tool, call, reason }).catch(() => undefined)
    }
    process.stderr.write(`${plain(`witan hook: ${reason}`)}\n`)
    process.exitCode = gates ? 1 : 0
  }
}
