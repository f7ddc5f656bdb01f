// The command: finds out what is requested, loads only the code for it (what every command needs is bundled:
// each file that has to be found costs more than its content), and prints the result. Results go to stdout,
// everything about them to stderr. The exit code is set before anything is printed, so that a reader who
// closes the pipe early changes nothing.

import type { Config } from '../../app/config/config.ts'
import { bySettings } from '../../app/outside/by-settings.ts'
import { WitanError } from '../../ledger/errors.ts'
import { plain, plainJson } from '../../render/plain.ts'
import { textFor, writeAtOnce } from './answer-at-once.ts'
import {
  answered,
  type Call,
  type Command,
  EXIT,
  type ExitCode,
  exitOf,
  type Outcome,
  paintFor,
  parseCount,
  usage,
} from './command.ts'
import { checkParsed, findCommand, type Parsed, parseOptions } from './parse.ts'
import { type OtherEntrances, VERBS } from './verbs.ts'

interface Manner {
  readonly json: boolean
  readonly quiet: boolean
}

const write = (stream: NodeJS.WriteStream, lines: readonly string[]): void => {
  if (lines.length > 0) stream.write(`${lines.join('\n')}\n`)
}

async function readSettings(file: string, home: string, manner: Manner): Promise<Config> {
  const [{ readConfig }, { terminalPerson }] = await Promise.all([
    import('../../app/config/config.ts'),
    import('./terminal.ts'),
  ])
  return readConfig(file, home, { person: terminalPerson(manner) })
}

async function makeCall(command: Command, { values, args }: Parsed, manner: Manner): Promise<Call> {
  const { homeDirectory } = await import('../../app/home/home.ts')
  const text = (name: string): string | null => {
    const value = values[name]
    return typeof value === 'string' ? value : null
  }
  const home = homeDirectory(text('home'))
  const config = text('config')
  const settings = config === null ? null : await readSettings(config, home, manner)
  const talks = process.stderr.isTTY === true && !manner.json && !manner.quiet
  return {
    args,
    home,
    postgres: settings?.postgres ?? null,
    text,
    flag: (name) => values[name] === true,
    texts: (name) => [values[name] ?? []].flat().map(String),
    count: (name) => {
      const value = text(name)
      return value === null ? null : parseCount(value, `--${name} of witan ${command.name}`)
    },
    paint: await paintFor(process.stdout),
    width: Math.max(process.stdout.columns || 80, 40),
    progress: (words) => {
      if (talks) process.stderr.write(`\r\u001b[2K${words}`)
    },
  }
}

function report(outcome: Outcome, { json, quiet }: Manner): void {
  if (process.stderr.isTTY && !json && !quiet) process.stderr.write('\r\u001b[2K')
  process.exitCode = outcome.exit ?? 0
  if (outcome.isSilent) return
  const lines = quiet ? (outcome.brief ?? outcome.lines) : outcome.lines
  write(process.stdout, json ? [plainJson(outcome.value)] : lines)
  if (!json && !quiet) write(process.stderr, outcome.hints ?? [])
}

async function fail(error: unknown, json: boolean): Promise<ExitCode> {
  const words = await Promise.all([import('../../app/failure.ts'), import('../../render/failure.ts')]).catch(
    () => null,
  )
  if (!words) {
    // Too many open files, or the program was replaced while it ran: not even the error texts can be loaded.
    process.exitCode = EXIT.notFound
    write(process.stderr, [
      `error FILE_UNREADABLE: ${plain(String(error))}`,
      'next: If Witan was just updated, run the command again; else raise the limit of open files.',
    ])
    return EXIT.notFound
  }
  const [{ failureOf }, { failureJson, failureText }] = words
  const failure = failureOf(error)
  const exit = exitOf(failure.code)
  process.exitCode = exit
  if (json) write(process.stdout, [failureJson(failure)])
  else
    write(process.stderr, [
      `${process.stderr.isTTY ? '\r\u001b[2K' : ''}${failureText(failure, process.stderr.isTTY ? process.stderr.columns || undefined : undefined)}`,
    ])
  if (process.env.WITAN_DEBUG === '1' && error instanceof Error) write(process.stderr, [String(error.stack)])
  return exit
}

/** A file that is being written is removed; appended events stay. */
function stopOnSignals(json: boolean): void {
  const clean = async (): Promise<void> => (await import('../../app/home/files.ts')).removeUnfinished()
  process.on('SIGINT', async () => {
    if (answered()) return
    await clean()
    const next = 'Nothing was lost: what was recorded is kept. Run the same command again.'
    process.exit(await fail(new WitanError('INTERRUPTED', 'stopped by Ctrl-C', next), json))
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, async () => {
      await clean()
      process.kill(process.pid, signal)
    })
  }
}

/**
 * A reader that takes only the first lines of our output is no error; if no one reads it, the exit code still
 * tells the result. Opening these streams takes time, and help works without them.
 */
function openStreams(): void {
  if (process.stdout.listenerCount('error') > 0) return
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    void fail(error, false).then((code) => process.exit(code))
  })
  process.stderr.on('error', () => undefined)
}

/** What stdout did not accept at once. */
export function printRest(rest: Uint8Array): void {
  if (rest.length === 0) return
  openStreams()
  process.stdout.write(rest)
}

async function perform(words: readonly string[], others: OtherEntrances): Promise<void> {
  const target = findCommand(words)
  if (target.kind === 'none') {
    const option = target.rest.find((word) => word.startsWith('-'))
    throw usage(`no command was given${option ? ` with ${option}` : ''}`, 'See `witan --help`.')
  }
  if (target.kind === 'group')
    throw usage(`witan ${target.name} needs a command`, `See \`witan ${target.name} --help\`.`)
  const { command, rest } = target
  const parsed = parseOptions(command, rest)
  checkParsed(command, parsed)
  const manner = { json: parsed.values.json === true, quiet: parsed.values.quiet === true }
  const { reachOutside } = await import('../../app/home/home.ts')
  reachOutside(bySettings)
  const { run } = await VERBS[command.name](others)
  report(await run(await makeCall(command, parsed, manner)), manner)
}

export async function main(words: readonly string[], others: OtherEntrances): Promise<void> {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  const json = own.includes('--json')
  try {
    const text = textFor(words)
    if (text !== null) return printRest(writeAtOnce(text))
    openStreams()
    stopOnSignals(json)
    await perform(words, others)
  } catch (error) {
    openStreams()
    await fail(error, json)
  }
}
