// Runs a command within the test: parsed, performed and reported as `main` would, without the seconds that a process
// takes to start. What depends on a process (signals, streams, exit, environment) is tried with a real one.

import { failureOf } from '../../src/app/failure.ts'
import { type Call, exitOf, type Outcome, parseCount, usage } from '../../src/doors/cli/command.ts'
import { checkParsed, findCommand, parseOptions } from '../../src/doors/cli/parse.ts'
import { VERBS } from '../../src/doors/cli/verbs.ts'
import { failureJson, failureText } from '../../src/render/failure.ts'
import { NO_PAINT, plainJson } from '../../src/render/plain.ts'
import type { Ran, Where } from './command.ts'

const ran = (code: number, stdout: string, stderr: string): Ran => ({
  code,
  stdout,
  stderr,
  get json() {
    return JSON.parse(stdout)
  },
})

/** What opens another entrance is tried with a real process. */
const notHere = () => Promise.reject(new Error('no server is started within a test'))
const NO_OTHERS = { serveMcp: notHere, serveGateway: notHere, serveWorker: notHere, serveConsole: notHere }

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

async function perform(words: readonly string[], home: string, told: string[]): Promise<Outcome> {
  const found = findCommand(words)
  if (found.kind !== 'command') throw usage('no such command', 'See `witan --help`.')
  const { command, rest } = found
  const parsed = parseOptions(command, rest)
  checkParsed(command, parsed)
  const { values, args } = parsed
  const text = (name: string): string | null => (typeof values[name] === 'string' ? values[name] : null)
  const call: Call = {
    args,
    home,
    postgres: null,
    text,
    flag: (name) => values[name] === true,
    texts: (name) => [values[name] ?? []].flat().map(String),
    count: (name) => (text(name) === null ? null : parseCount(text(name) ?? '', `--${name}`)),
    paint: NO_PAINT,
    width: 80,
    progress: () => undefined,
    ...(values.json !== true && { tell: (line: string) => void told.push(line) }),
  }
  const { run } = await VERBS[command.name](NO_OTHERS)
  return run(call)
}

/** Where the command stands: each file of tests is a process of its own, and its commands follow one another. */
export async function here({ home, cwd }: Where, ...words: readonly string[]): Promise<Ran> {
  const json = words.includes('--json')
  const told: string[] = []
  if (cwd !== undefined && process.cwd() !== cwd) process.chdir(cwd)
  try {
    const { value, lines, hints = [], exit = 0 } = await perform(words, home, told)
    return json
      ? ran(exit, linesOf([plainJson(value)]), '')
      : ran(exit, linesOf(lines), linesOf([...told, ...hints]))
  } catch (error) {
    const failure = failureOf(error)
    const exit = exitOf(failure.code)
    return json
      ? ran(exit, linesOf([failureJson(failure)]), '')
      : ran(exit, '', linesOf([...told, failureText(failure)]))
  }
}
