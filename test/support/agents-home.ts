// A home, a folder with two licences, and tasks that are written into it: sessions run through the built command, as
// people run them.

import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Json, newHome, type Ran, type Where, witan } from '../doors/command.ts'

export interface AgentsHome extends Where {
  readonly cwd: string
  /** Where tasks lie; at once the workspace of those that say nothing else. */
  readonly folder: string
}

export interface CommandResult {
  readonly seq: number
  readonly header: {
    readonly type: string
    readonly actor: { readonly agent: string; readonly role: string }
  }
  readonly payload: Json
}

export const LICENCES = {
  'alpha/LICENSE': 'MIT License\n\nCopyright (c) 2026 The alpha authors\n',
  'beta/LICENSE': 'Apache License\nVersion 2.0, January 2004\n',
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

export async function agentsHome(files: Readonly<Record<string, string>> = LICENCES): Promise<AgentsHome> {
  const where = await newHome()
  const folder = join(where.cwd, 'work')
  await writeFiles(folder, files)
  return { ...where, folder }
}

/** JSON is YAML: tasks are written as values. */
export async function writeTask(home: AgentsHome, task: object, name = 'task.yaml'): Promise<string> {
  await writeFiles(home.folder, {
    [name]: JSON.stringify({ objective: 'Find the licences', ...task }, null, 2),
  })
  return join(home.folder, name)
}

export const runTask = async (home: AgentsHome, task: object, ...args: readonly string[]): Promise<Ran> =>
  witan(home, 'agents', 'run', await writeTask(home, task), '--json', ...args)

/** The same, of a task whose bytes were trusted first. */
export async function runTrusted(home: AgentsHome, task: object, ...args: readonly string[]): Promise<Ran> {
  const trusted = await witan(home, 'trust', await writeTask(home, task))
  if (trusted.code !== 0) throw new Error(trusted.stderr)
  return runTask(home, task, ...args)
}

export const traceOf = ({ json }: Ran): string => String(json.trace)

export async function eventsOf(home: Where, trace: string): Promise<readonly CommandResult[]> {
  const { json } = await witan(home, 'show', trace, '--json')
  return json.events as readonly CommandResult[]
}

/** The session begun last: what came after it may be its council. */
export async function latestSession(home: Where): Promise<string> {
  const { json } = await witan(home, 'list', '--json')
  const traces = json.traces as readonly { trace: string; protocol: string }[]
  const sessions = traces.filter(({ protocol }) => protocol === 'agents/1').map(({ trace }) => trace)
  return sessions.sort().at(-1) ?? ''
}

export const typesOf = (events: readonly CommandResult[]): readonly string[] =>
  events.map(({ header }) => header.type)

export const saidIn = (events: readonly CommandResult[], type: string): readonly Json[] =>
  events.filter(({ header }) => header.type === type).map(({ payload }) => payload)

export async function addPerson(home: Where, name = 'ana'): Promise<void> {
  const { code, stderr } = await witan(home, 'keys', 'add', name, '--role', 'critic')
  if (code !== 0) throw new Error(stderr)
}

export const step = (id: string, tool: string, input: object): object => ({
  id,
  tool,
  input,
  justification: `the step ${id}`,
})

export const read = (id: string, path: string): object => step(id, 'files.read', { path })

export const claim = (text: string, on: string, quote: string): object => ({
  text,
  confidence: 'high',
  evidence: [{ step: on, quote }],
})

/** Reads the licence of alpha and claims it. */
export const READING = {
  tools: ['files.read'],
  proposals: [
    {
      objective: 'Read it',
      steps: [read('alpha', 'alpha/LICENSE')],
      claims: [claim('alpha is MIT', 'alpha', 'MIT License')],
    },
  ],
}

/** Reads it too, and then runs a script of the workspace, `count.sh`. */
export const COUNTING = {
  policy: 'lenient',
  tools: ['files.read', 'shell.run'],
  proposals: [
    {
      objective: 'Read, then count',
      steps: [read('alpha', 'alpha/LICENSE'), step('count', 'shell.run', { command: ['./count.sh'] })],
      claims: [claim('alpha is MIT', 'alpha', 'MIT License'), claim('it was counted', 'count', 'counted')],
    },
  ],
}

/** Lays that script, which leaves a line in `ran.txt` each time it runs, and lets it run by the lenient rules. */
export async function layCounting(home: AgentsHome, body: string): Promise<void> {
  const agents = '{commands: [./count.sh], policy: lenient, approvals_without_terminal: true}'
  await writeFiles(home.home, { 'config.yaml': `agents: ${agents}\n` })
  await writeFiles(home.folder, { 'count.sh': `#!/bin/sh\necho ran >> ran.txt\n${body}` })
  await chmod(join(home.folder, 'count.sh'), 0o755)
}

/** Writes a file, which takes the word of a person. */
export const WRITING = {
  tools: ['files.write'],
  proposals: [
    {
      objective: 'Write it down',
      steps: [step('note', 'files.write', { path: 'note.txt', content: 'MIT\n' })],
      claims: [claim('it is noted', 'note', 'note.txt')],
    },
  ],
}
