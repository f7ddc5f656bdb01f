// Help for people, from the table of commands. Eighty columns.

import { wrap } from '../../render/plain.ts'
import type { Argument, Command, Option } from './command.ts'
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts'

const WIDTH = 80

const wrapped = (text: string, indent: number): string => wrap(text, indent, WIDTH)

function rows(pairs: readonly (readonly [string, string])[], most = 26): string[] {
  const width = Math.min(most, Math.max(...pairs.map(([term]) => term.length)))
  const indent = width + 4
  return pairs.map(([term, about]) => {
    const text = wrapped(about, indent)
    return term.length > width
      ? `  ${term}\n${' '.repeat(indent)}${text}`
      : `  ${term.padEnd(width)}  ${text}`
  })
}

const argumentText = ({ name, optional, repeated }: Argument): string => {
  const text = repeated ? `${name}…` : name
  return optional ? `[${text}]` : text
}

const optionText = ({ name, short, value }: Option): string =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`

const optionUsage = ({ name, short, value, repeated }: Option): string =>
  `${short ? `-${short}` : `--${name}`} ${value}${repeated ? '…' : ''}`

function usageLine(command: Command): string {
  const required = command.options.filter((option) => option.required).map(optionUsage)
  return ['witan', command.name, ...command.args.map(argumentText), ...required].join(' ')
}

export function commandHelp(command: Command): string {
  const options = [...command.options, ...GLOBAL_OPTIONS].map((option): [string, string] => [
    optionText(option),
    option.about + (option.repeated ? ' (may be repeated)' : ''),
  ])
  return [
    `Usage: ${usageLine(command)} [options]`,
    '',
    `${command.about.charAt(0).toUpperCase()}${command.about.slice(1)}.`,
    ...(command.notes ? command.notes.split('\n').map((line) => wrapped(line, 0)) : []),
    '',
    'Options:',
    ...rows(options),
    '',
    'Examples:',
    ...command.examples.flatMap(([line, does]) => [`  witan ${line}`, `      ${does}`]),
    '',
  ].join('\n')
}

export function groupHelp(name: string): string {
  const members = COMMANDS.filter((command) => command.name.startsWith(`${name} `))
  return [
    `Usage: witan ${name} COMMAND [options]`,
    '',
    ...rows(
      members.map((command) => [usageLine(command).slice('witan '.length), command.about] as const),
      34,
    ),
    '',
    'Examples:',
    ...members.slice(0, 2).map((command) => `  witan ${command.examples[0]?.[0] ?? command.name}`),
    '',
  ].join('\n')
}

const GROUPS = ['Councils', 'Agents', 'Exchanges', 'What was recorded', 'Many machines', 'This home'] as const

const COUNCILS = ['demo', 'ask', 'review', 'council', 'retry', 'report', 'open', 'eval', 'outcome']
const RECORDED = 'list find costs show verify export resume fork abort replay prove redact'.split(' ')

function groupOf(name: string): (typeof GROUPS)[number] {
  const [first = ''] = name.split(' ')
  if (['agents', 'attach', 'detach', 'gateway'].includes(first)) return 'Agents'
  if (first === 'exchange') return 'Exchanges'
  if (COUNCILS.includes(first)) return 'Councils'
  if (['wait', 'queue', 'worker', 'schedule'].includes(first)) return 'Many machines'
  return RECORDED.includes(first) ? 'What was recorded' : 'This home'
}

export const overview = (): string =>
  [
    'Usage: witan COMMAND [options]',
    '',
    'Runs deliberations between language models, tools and people under written',
    'protocols, and keeps signed traces of them that anyone can verify.',
    '',
    ...GROUPS.flatMap((title) => {
      const members = COMMANDS.filter(({ name }) => groupOf(name) === title)
      return [`${title}:`, ...rows(members.map(({ name, about }) => [name, about] as const)), '']
    }),
    'Options of every command:',
    ...rows(GLOBAL_OPTIONS.map((option) => [optionText(option), option.about] as const)),
    '',
    'Exit codes:',
    '  0 done  1 internal error  2 usage, configuration or untrusted file',
    '  3 verification failed  4 quorum not met  5 refused  6 aborted',
    '  7 not found or unreadable  8 waiting for someone  9 gate closed',
    '  130 interrupted',
    '',
    'Examples:',
    '  witan ask "Shall we move to SQLite?" --context README.md',
    '  witan review',
    '  witan verify report.witan --trust ana.vkey',
    '  witan help export',
    '',
  ].join('\n')

/** Someone who came by npx may have no `witan` on the path yet, and could not run what we print. */
export const npxHint = (env = process.env): readonly string[] =>
  env.npm_command === 'exec' ? ['', 'Where it says witan, type npx witan.'] : []

const ORIENTATION = `Witan runs deliberations between models, tools and people, and keeps signed
traces that anyone can verify.

  witan demo                   see a whole council now, without a key;
                               also: witan demo agents, witan demo exchange
  witan ask "QUESTION"         ask a council of models a question
  witan review                 review what you changed
  witan agents run TASK        let agents act: every step signed and proven
  witan exchange chat --demo   watch a pool of models, and steer it
  witan doctor                 list which models are ready
  witan list                   list your traces
  witan init                   create a home for keys, traces and settings
  witan verify FILE            verify a trace that someone gave you
  witan find WORDS             find where something was said
  witan --help                 everything else
`

export const orientation = (): string => `${[ORIENTATION.trimEnd(), ...npxHint()].join('\n')}\n`
