// What a call of a tool would do, for the person who is asked about it: the file, the command or the address
// first, then what happens to it. Unknown tools are shown with their input. Every word may be a model's: any
// place that shows it neutralises it.

import type { Json } from '../ledger/canonical.ts'

type Members = { readonly [name: string]: Json }

const membersOf = (input: Json | null): Members =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Members) : {}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

const PLAIN_WORD = /^[\w@%+=:,./-]+$/

/** As one would type it into a shell. */
const typed = (word: string): string => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

function pathOf({ path, root }: Members): string {
  const named = textOf(root)
  return named === '' || named === 'workspace' ? textOf(path) : `${named}/${textOf(path)}`
}

export interface CallInWords {
  /** The file, the command line or the address. */
  readonly target: string
  /** Begins a sentence about the target in one word: `read`, `write`, `run`, `GET`. */
  readonly verb: string
  /** Further facts for a person: name and text. */
  readonly more: readonly (readonly [name: string, words: string])[]
  /** Whether target and facts contain the whole input, so that the input need not be shown as well. */
  readonly isWhole: boolean
}

const FILE_VERBS: Readonly<Record<string, string>> = {
  'files.read': 'read',
  'files.list': 'list',
  'files.write': 'write',
  'files.patch': 'change',
}

/** Tools of attached agent programs; each names the path in one of a few ways. */
const HOST_FILE_VERBS: Readonly<Record<string, string>> = {
  ...{
    Read: 'read',
    LS: 'list',
    Write: 'write',
    Edit: 'change',
    MultiEdit: 'change',
    NotebookEdit: 'change',
  },
  ...{ read_file: 'read', list_directory: 'list', write_file: 'write', replace: 'change' },
}
const HOST_PATHS = ['file_path', 'absolute_path', 'notebook_path', 'dir_path', 'path']
const HOST_SHELLS = ['Bash', 'shell', 'exec_command', 'run_shell_command']

const only = (members: Members, ...names: readonly string[]): boolean =>
  Object.keys(members).every((name) => names.includes(name))

function command(members: Members): CallInWords | null {
  const { command: argv, script } = members
  const line = Array.isArray(argv)
    ? argv.map((word) => typed(String(word))).join(' ')
    : typeof script === 'string'
      ? script
      : null
  if (line === null) return null
  const codes = Array.isArray(members.ok_exit) ? members.ok_exit.join(', ') : ''
  return {
    target: line,
    verb: 'run',
    more: [
      ['folder', textOf(members.cwd) || '.'],
      ...(members.stdin === undefined ? [] : [['input', textOf(members.stdin)] as const]),
      ...(codes === '' ? [] : [['exit', `${codes} count as success`] as const]),
    ],
    isWhole: only(members, 'command', 'script', 'cwd', 'stdin', 'ok_exit'),
  }
}

function request(tool: string, members: Members): CallInWords | null {
  const url = textOf(members.url)
  if (url === '') return null
  const host = URL.canParse(url) ? new URL(url).host : ''
  const headers = Object.entries(membersOf(members.headers ?? null))
  return {
    target: url,
    verb: tool.slice('http.'.length).toUpperCase(),
    more: [
      ['host', host || 'cannot be told from the address'],
      ...headers.map(([name, value]) => ['header', `${name}: ${String(value)}`] as const),
      ...(typeof members.body === 'string' ? [['body', members.body] as const] : []),
    ],
    isWhole: only(members, 'url', 'headers', 'body') && typeof (members.body ?? '') === 'string',
  }
}

function file(tool: string, members: Members): CallInWords | null {
  const verb = Object.hasOwn(FILE_VERBS, tool) ? FILE_VERBS[tool] : undefined
  if (verb === undefined || typeof members.path !== 'string') return null
  return {
    target: pathOf(members) || '.',
    verb,
    more: [],
    isWhole: verb === 'read' || verb === 'list' ? only(members, 'path', 'root') : false,
  }
}

function hostCall(tool: string, members: Members): CallInWords | null {
  const isAlone = Object.keys(members).length === 1
  if (HOST_SHELLS.includes(tool)) {
    const line = textOf(members.command ?? members.cmd)
    return line === '' ? null : { target: line, verb: 'run', more: [], isWhole: isAlone }
  }
  const verb = Object.hasOwn(HOST_FILE_VERBS, tool) ? HOST_FILE_VERBS[tool] : undefined
  const path = HOST_PATHS.map((name) => textOf(members[name])).find((text) => text !== '')
  if (verb === undefined || path === undefined) return null
  return { target: path, verb, more: [], isWhole: isAlone && (verb === 'read' || verb === 'list') }
}

/** Null for unknown tools, and for input of an unexpected form. */
export function actOf(tool: string, input: Json | null): CallInWords | null {
  const members = membersOf(input)
  if (tool.startsWith('shell.')) return command(members)
  if (tool.startsWith('http.')) return request(tool, members)
  return file(tool, members) ?? hostCall(tool, members)
}

const LONGEST = 120

const clipped = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`

/** In one line: `read src/a.ts`, `run npm test`, `GET https://…`. */
export function actWords(tool: string, input: Json | null): string {
  const act = actOf(tool, input)
  if (act) return clipped(`${act.verb} ${act.target}`.replaceAll(/\s+/g, ' '))
  return input === null ? tool : clipped(`${tool} ${JSON.stringify(input)}`)
}
