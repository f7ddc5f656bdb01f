// Turns the words of a command line into a command and its options. A mistake is a USAGE error that names the
// word and what was probably meant; nothing is ignored.

import { parseArgs } from 'node:util'
import type { WitanError } from '../../ledger/errors.ts'
import { nearest } from '../../ledger/text/nearest-word.ts'
import { type Command, type Option, usage } from './command.ts'
import { COMMANDS, type CommandName, GLOBAL_OPTIONS } from './commands.ts'

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

type Named = Command & { readonly name: CommandName }

export interface Parsed {
  readonly values: Values
  readonly args: readonly string[]
}

export type Words =
  | { readonly kind: 'command'; readonly command: Named; readonly rest: readonly string[] }
  /** Only options, or a word before them whose help was requested. */
  | { readonly kind: 'none'; readonly rest: readonly string[] }
  | { readonly kind: 'group'; readonly name: string; readonly rest: readonly string[] }

const TAKES_VALUE = GLOBAL_OPTIONS.filter((option) => option.value).map((option) => `--${option.name}`)

/** The position of the first word that is neither an option nor the value of one. */
function firstWord(words: readonly string[]): number {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '--') return -1
    if (TAKES_VALUE.includes(word)) i++
    else if (!word.startsWith('-')) return i
  }
  return -1
}

const without = (words: readonly string[], at: number): readonly string[] => words.filter((_, i) => i !== at)

export function findCommand(words: readonly string[]): Words {
  const at = firstWord(words)
  if (at < 0) return { kind: 'none', rest: words }
  const name = words[at] ?? ''
  const rest = without(words, at)
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (command) return { kind: 'command', command, rest }
  const group = COMMANDS.filter((candidate) => candidate.name.startsWith(`${name} `))
  if (group.length === 0) throw unknownCommand(name, topLevelNames(), 'witan')
  const second = firstWord(rest)
  if (second < 0) return { kind: 'group', name, rest }
  const full = `${name} ${rest[second]}`
  const named = group.find((candidate) => candidate.name === full)
  const names = group.map((candidate) => candidate.name.slice(name.length + 1))
  if (!named) throw unknownCommand(rest[second] ?? '', names, `witan ${name}`)
  return { kind: 'command', command: named, rest: without(rest, second) }
}

/** `list`, `show`, …; groups once. */
const topLevelNames = (): readonly string[] => [
  ...new Set([...COMMANDS.map((command) => command.name.split(' ')[0] ?? ''), 'help']),
]

function unknownCommand(word: string, names: readonly string[], under: string): WitanError {
  const meant = nearest(word, names)
  const help = under === 'witan' ? 'See `witan --help`.' : `There are: ${names.join(', ')}.`
  return usage(
    `'${word}' is not a command of ${under}`,
    meant ? `Did you mean \`${under} ${meant}\`? ${help}` : help,
  )
}

const helpOf = (command: Command): string => `See \`witan ${command.name} --help\`.`

/** What is missing is best seen in a line that has it, with the options that were given where there is such a line. */
function exampleOf(command: Command, values: Values = {}): string {
  const optionNames = Object.keys(values)
  const lines = command.examples.map(([line]) => line)
  const line =
    lines.find((one) => optionNames.some((name) => one.includes(`--${name}`) || one.endsWith(`.${name}`))) ??
    lines[0]
  return `${line ? `For example: \`witan ${line}\`. ` : ''}${helpOf(command)}`
}

function optionFault(command: Command, options: readonly Option[], error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const words = typeof message === 'string' ? message : ''
  const option = /'(-[^'\s]*)/.exec(words)?.[1] ?? ''
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const meant = nearest(
      option.replace(/^-+/, ''),
      options.map(({ name }) => name),
    )
    const hint = meant ? `Did you mean --${meant}? ` : ''
    return usage(`witan ${command.name} has no option ${option}`, `${hint}${helpOf(command)}`)
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    const takes = options.find(
      ({ name, short }) => words.includes(`--${name}`) || words.startsWith(`Option '-${short}`),
    )
    const message = takes?.value
      ? `--${takes.name} needs a value: --${takes.name} ${takes.value}`
      : `--${takes?.name ?? option} takes no value`
    return usage(message, `A value that begins with a dash is given as --name=VALUE. ${helpOf(command)}`)
  }
  return error
}

export function parseOptions(command: Command, words: readonly string[]): Parsed {
  const options = [...command.options, ...GLOBAL_OPTIONS]
  const config = Object.fromEntries(
    options.map(({ name, short, value, repeated }) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        multiple: repeated ?? false,
        ...(short && { short }),
      },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: config,
      allowPositionals: true,
      strict: true,
    })
    return { values: values as Values, args: positionals }
  } catch (error) {
    throw optionFault(command, options, error)
  }
}

/** The word may be the file that a result is to be written to. */
function tooMany(command: Command, extra: string, values: Values): WitanError {
  const output = command.options.find(({ name }) => name === 'output')
  const hint = output && values.output === undefined ? `Did you mean -o ${extra}? ` : ''
  return usage(`'${extra}' is one word too many for witan ${command.name}`, `${hint}${helpOf(command)}`)
}

/** Checks what help does not need: that everything required is there and nothing is empty or extra. */
export function checkParsed(command: Command, { values, args }: Parsed): void {
  const required = command.args.filter((argument) => !argument.optional)
  const missing = required[args.length]
  if (missing) {
    const next = missing.choices ? `It is one of: ${missing.choices.join(', ')}.` : exampleOf(command)
    throw usage(`witan ${command.name} needs ${missing.name}`, next)
  }
  const extra = command.args.at(-1)?.repeated ? undefined : args[command.args.length]
  if (extra !== undefined) throw tooMany(command, extra, values)
  for (const [i, argument] of command.args.entries()) checkChoice(argument.name, argument.choices, args[i])
  for (const option of [...command.options, ...GLOBAL_OPTIONS]) {
    const value = values[option.name]
    if (option.required && value === undefined)
      throw usage(`witan ${command.name} needs --${option.name} ${option.value}`, exampleOf(command, values))
    if (option.value === 'FILE' && value === '-')
      throw usage(`--${option.name} is a file, not a stream`, 'Name a file.')
    if ([value].flat().includes('')) throw usage(`--${option.name} is empty`, helpOf(command))
    if (typeof value === 'string') checkChoice(`--${option.name}`, option.choices, value)
  }
}

function checkChoice(name: string, choices: readonly string[] | undefined, value: string | undefined): void {
  if (!choices || value === undefined || choices.includes(value)) return
  throw usage(`${name} cannot be '${value}'`, `It is one of: ${choices.join(', ')}.`)
}
