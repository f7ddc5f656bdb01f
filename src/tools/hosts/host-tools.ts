// The built-in tools of agent programs, in our terms: what each would access and what it does, so that the
// same risk classes and the same policies judge them. A tool that is not in the table is unknown, and judged
// as such.

import { isAbsolute, posix } from 'node:path'
import type { Json } from '../../ledger/canonical.ts'
import { segmentsOf, within } from '../allowed-paths.ts'
import { type Facts, factsFrom } from '../policy/risk.ts'
import { foreign, hostIn, pathIn, type Touched } from '../policy/touched.ts'
import type { Effect, ToolDefinition } from '../toolset.ts'
import { effectsOfWords, plainWords } from './shell-line.ts'

type Kind = 'shell' | 'reads' | 'writes' | 'patch' | 'fetches' | 'searches' | 'inward'

/** By host and name. `inward`: it accesses nothing outside of the host; calls of sub-agents are reported one by one. */
const TOOLS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  'claude-code': {
    ...{ Bash: 'shell', Read: 'reads', Glob: 'reads', Grep: 'reads', LS: 'reads', NotebookRead: 'reads' },
    ...{ Write: 'writes', Edit: 'writes', MultiEdit: 'writes', NotebookEdit: 'writes' },
    ...{ WebFetch: 'fetches', WebSearch: 'searches', Agent: 'inward', Task: 'inward', TodoWrite: 'inward' },
    ...{ ExitPlanMode: 'inward', EnterPlanMode: 'inward', AskUserQuestion: 'inward', ToolSearch: 'inward' },
    ...{ TaskCreate: 'inward', TaskGet: 'inward', TaskList: 'inward', TaskUpdate: 'inward', Skill: 'inward' },
  },
  codex: {
    ...{ Bash: 'shell', shell: 'shell', exec_command: 'shell', apply_patch: 'patch' },
    ...{ view_image: 'reads', update_plan: 'inward' },
  },
  'gemini-cli': {
    ...{ run_shell_command: 'shell', read_file: 'reads', read_many_files: 'reads', list_directory: 'reads' },
    ...{
      glob: 'reads',
      search_file_content: 'reads',
      grep_search: 'reads',
      write_file: 'writes',
      replace: 'writes',
    },
    ...{
      web_fetch: 'fetches',
      google_web_search: 'searches',
      write_todos: 'inward',
      activate_skill: 'inward',
    },
  },
}

const EFFECTS: Readonly<Record<Kind, readonly Effect[]>> = {
  shell: ['execute'],
  reads: ['read'],
  writes: ['write'],
  patch: ['write'],
  fetches: ['read', 'network'],
  searches: ['read', 'network'],
  inward: ['read'],
}

const kindOf = (host: string, tool: string): Kind | null => {
  const known = Object.hasOwn(TOOLS, host) ? TOOLS[host] : undefined
  return known && Object.hasOwn(known, tool) ? (known[tool] ?? null) : null
}

/** The recorded definition of a host's tool: the host tells its hooks no more. */
export function hostTool(host: string, tool: string): ToolDefinition {
  const kind = kindOf(host, tool)
  const description =
    kind === null ? `A tool of ${host} that is not known here.` : `A built-in tool of ${host}: ${kind}.`
  return {
    name: tool,
    description,
    inputSchema: {},
    effects: kind === null ? ['unknown'] : EFFECTS[kind],
    source: `host.${host}`,
  }
}

type Fields = { readonly [name: string]: Json }
const fieldsOf = (input: Json): Fields =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Fields) : {}

const PATHS = ['file_path', 'absolute_path', 'notebook_path', 'path', 'dir_path', 'paths', 'include']

function placed(path: string, workspace: string): Touched {
  if (path.startsWith('~')) return { kind: 'path', id: path, inside: false }
  const plain = isAbsolute(path) ? posix.normalize(path) : posix.join(workspace, path)
  const inside = within(workspace, plain)
  const id = inside ? ['workspace', ...segmentsOf(plain.slice(workspace.length))].join('/') : plain
  return { kind: 'path', id, inside }
}

const pathsIn = (input: Json): readonly string[] =>
  PATHS.flatMap((name) => [fieldsOf(input)[name] ?? []].flat()).filter(
    (one): one is string => typeof one === 'string',
  )

const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm

function patched(input: Json, workspace: string): readonly Touched[] {
  const text = String(fieldsOf(input).command ?? fieldsOf(input).input ?? '')
  const paths = [...text.matchAll(PATCHED)].map(([, patchedPath, other]) =>
    (patchedPath ?? other ?? '').trim(),
  )
  return paths.length > 0
    ? paths.map((path) => placed(path, workspace))
    : [{ kind: 'path', id: '', inside: false }]
}

const commandIn = (input: Json): string => {
  const { command = '' } = fieldsOf(input)
  return Array.isArray(command) ? command.map(String).join(' ') : String(command)
}

/** Any argument of a plain command may be a path. */
const argument = (word: string, workspace: string): Touched | null =>
  word.startsWith('-') ? null : placed(word, workspace)

function shelled(definition: ToolDefinition, input: Json, workspace: string): Facts {
  const command = commandIn(input)
  const words = plainWords(command)
  const argv = words ?? ['sh', '-c', command]
  const named = words ? words.slice(1) : command.split(/[\s;&|<>()`'"=]+/).filter((word) => word !== '')
  const touched = named.flatMap(
    (word) => hostIn(word) ?? (words ? argument(word, workspace) : pathIn(word, '', workspace)) ?? [],
  )
  const effects = words ? effectsOfWords(words) : definition.effects
  return factsFrom({ ...definition, effects }, input, [
    { kind: 'command', id: argv[0] ?? '', argv },
    ...touched,
  ])
}

/** Only its name is known. */
function unknownFacts(definition: ToolDefinition, input: Json, workspace: string): Facts {
  const { name, source } = definition
  const facts = factsFrom({ ...definition, name: `${source}.${name}` }, input, foreign(input, workspace))
  return { ...facts, tool: name }
}

/** What is known about a call of a host, before anyone judges it. `workspace` is where the host works. */
export function hostFacts(definition: ToolDefinition, input: Json, workspace: string): Facts {
  const kind = kindOf(definition.source.slice('host.'.length), definition.name)
  switch (kind) {
    case 'shell':
      return shelled(definition, input, workspace)
    case 'patch':
      return factsFrom(definition, input, patched(input, workspace))
    case 'reads':
    case 'writes':
      return factsFrom(
        definition,
        input,
        pathsIn(input).map((path) => placed(path, workspace)),
      )
    case 'fetches': {
      const url = hostIn(String(fieldsOf(input).url ?? ''))
      return factsFrom(definition, input, url ? [url] : [])
    }
    case 'searches':
    case 'inward':
      return factsFrom(definition, input, [])
    case null:
      return unknownFacts(definition, input, workspace)
  }
}
