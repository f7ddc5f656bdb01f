// Commands, confined by bubblewrap. Where that is missing nothing runs, unless the operator has said that
// commands may run unconfined; the definition says which of the two it is, so that an approval for one is
// not valid for the other.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { WitanError } from '../../ledger/errors.ts'
import type { JsonSchema } from '../../ledger/schema.ts'
import { type Forbidden, type Root, realForbidden, resolvePlace } from '../allowed-paths.ts'
import { type Context, Fault, fixedToolset, type Input, type Tool, type ToolOutput } from '../call-tool.ts'
import type { Clean } from '../clean-output.ts'
import { bytesPart, jsonPart } from '../content-parts.ts'
import type { ContentPart, Effect, Toolset } from '../toolset.ts'
import { type CommandGrant, commandOf } from './commands.ts'
import { groupFor } from './control-group.ts'
import { guardHooks, type HookGuard, plantedWords } from './hook-guard.ts'
import { launchOf, SANDBOX_SHELL } from './launch.ts'
import { SANDBOX_LIMITS, type SandboxLimits, tooMuch } from './limits.ts'
import { type Ran, type RunLimits, runBounded } from './run-bounded.ts'
import {
  collectMounts,
  findProgram,
  HOME,
  hiddenIn,
  type Mounted,
  PATH,
  sandboxArguments,
} from './sandbox.ts'

/** Which programs may run, and where. */
export interface ShellOptions {
  /** The first is the workspace, where commands run. */
  readonly roots: readonly Root[]
  readonly forbidden: Forbidden
  readonly commands: readonly CommandGrant[]
  readonly clean: Clean
  /** Whether scripts may be passed to a shell; off unless the operator enables it. */
  readonly scripts?: boolean
  readonly network?: boolean
  readonly unconfined?: boolean
  readonly system?: readonly string[]
  /** Variables for every command; nothing else of our environment is passed on. */
  readonly env?: Readonly<Record<string, string>>
  /** Where the sandbox's program is searched. */
  readonly path?: string
  /** The limits of a command. */
  readonly limits?: SandboxLimits
}

const INSTALL =
  'bubblewrap is not installed, so commands cannot be confined: install the package bubblewrap, or let the ' +
  "operator's own configuration say unconfined"

/** In the terms of the shell that starts it. */
const UNSTARTED = new RegExp(`^${SANDBOX_SHELL}: (?:line )?\\d+: (?:exec: )?(.*): (.*)$`, 'm')

const common = {
  cwd: { type: 'string', description: 'a folder of the workspace' },
  stdin: { type: 'string' },
  ok_exit: {
    type: 'array',
    items: { type: 'integer' },
    description: 'exit codes that count as success; [0]',
  },
}

const shape = (properties: JsonSchema, required: string): JsonSchema => ({
  type: 'object',
  properties: { ...properties, ...common },
  required: [required],
  additionalProperties: false,
})

function resultOf(ran: Ran, input: Input, context: Context, limits: SandboxLimits): ToolOutput {
  if (ran.unstarted !== null)
    throw new Fault('not_found', `the command cannot start: ${ran.unstarted.message}`)
  const parts: ContentPart[] = [bytesPart('stdout', ran.stdout)]
  if (ran.stderr.length > 0) parts.push(bytesPart('stderr', ran.stderr))
  const { maxOutputBytes } = context.limits
  if (context.signal.aborted) throw new Fault('aborted', 'the command was ended', parts)
  if (ran.overrun === 'output') {
    throw new Fault('output_too_large', `the command said more than ${maxOutputBytes} bytes`, parts)
  }
  if (ran.overrun !== null) throw new Fault('denied', `the command ${tooMuch(ran.overrun, limits)}`, parts)
  const stderr = ran.stderr.toString('utf8').trim().slice(-1_000)
  const words = stderr === '' ? '' : `: ${stderr}`
  if (ran.code === null || ran.code > 128) {
    const how = ran.signal ?? `signal ${(ran.code ?? 128) - 128}`
    throw new Fault('crashed', `the command was ended by ${how}${words}`, parts)
  }
  const fine = Array.isArray(input.ok_exit) ? input.ok_exit : [0]
  if (!fine.includes(ran.code)) throw new Fault('error', `exit code ${ran.code}${words}`, parts)
  return { content: [...parts, jsonPart('exit', { code: ran.code })].filter((part) => part.bytes.length > 0) }
}

/** A tool that runs granted programs, confined where the machine can confine. */
export function shellTools(options: ShellOptions): Toolset {
  const { roots, forbidden, commands, clean } = options
  const { scripts = false, network = false, unconfined = false, system = [], env = {} } = options
  const { limits = SANDBOX_LIMITS } = options
  const searched = options.path ?? process.env.PATH ?? PATH
  const limitsOf = ({ limits: { maxOutputBytes: outputBytes, maxProcesses } }: Context): RunLimits => ({
    ...limits,
    processes: Math.min(limits.processes, maxProcesses),
    outputBytes,
  })

  async function inSandbox(
    argv: readonly string[],
    input: Input,
    folder: string,
    context: Context,
    guarded: { readonly mounts: readonly Mounted[]; readonly guard: HookGuard },
  ): Promise<Ran> {
    const bwrap = await findProgram('bwrap', searched)
    if (bwrap === null) throw new Fault('unavailable', INSTALL)
    const { mounts, guard } = guarded
    const [workspace] = mounts
    if (workspace === undefined) throw new Fault('denied', 'no folder was granted')
    const variables = { PATH, HOME, LANG: 'C.UTF-8', TERM: 'dumb', TMPDIR: '/tmp', ...env }
    const inside = join(workspace.inside, relative(workspace.real, folder))
    const { temporaryBytes } = limits
    const options = { forbidden, system, network, temporaryBytes }
    const args = await sandboxArguments(options, mounts, guard.args, inside, variables)
    const most = limitsOf(context)
    const group = groupFor(most)
    const launch = launchOf({ bwrap, args, argv, limits: most, network, group })
    const folders = mounts.filter(({ root }) => root.write).map(({ real }) => real)
    const stdin = String(input.stdin ?? '')
    const program = { argv, env: {}, cwd: '/', stdin, sandbox: { launch, folders } }
    try {
      const ran = await runBounded(program, most, context.signal)
      return group?.ranOut() ? { ...ran, overrun: ran.overrun ?? 'memory' } : ran
    } finally {
      await group?.remove()
    }
  }

  async function confined(
    argv: readonly string[],
    input: Input,
    folder: string,
    context: Context,
  ): Promise<Ran> {
    const mounts = await collectMounts({ roots, forbidden })
    const guard = await guardHooks(mounts, hiddenIn(realForbidden(forbidden)))
    try {
      const ran = await inSandbox(argv, input, folder, context, { mounts, guard })
      const planted = await guard.sweep()
      if (planted.length > 0) throw new Fault('denied', plantedWords('command', planted))
      if (ran.overrun !== null || context.signal.aborted) return ran
      // Without its first report the sandbox was never set up: its output is not that of the command.
      const words = ran.stderr.toString('utf8').trim()
      if (!ran.reports.includes('child-pid')) throw new Fault('unavailable', `no sandbox: ${words}`)
      const missing = UNSTARTED.exec(words)
      if (missing !== null && ran.stdout.length === 0 && (ran.code === 126 || ran.code === 127)) {
        throw new Fault('not_found', `the command ${missing[1]} cannot start: ${missing[2]}`)
      }
      return ran
    } finally {
      await guard.release()
    }
  }

  async function free(argv: readonly string[], input: Input, folder: string, context: Context): Promise<Ran> {
    const home = await mkdtemp(join(tmpdir(), 'witan-home-'))
    try {
      const variables = { PATH: searched, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', TMPDIR: home, ...env }
      const stdin = String(input.stdin ?? '')
      const program = { argv, env: variables, cwd: folder, stdin, sandbox: null }
      const noLimit = { memoryBytes: Number.POSITIVE_INFINITY, diskBytes: Number.POSITIVE_INFINITY }
      return await runBounded(program, { ...limitsOf(context), ...noLimit }, context.signal)
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  }

  async function perform(argv: readonly string[], input: Input, context: Context): Promise<ToolOutput> {
    const place = await resolvePlace(roots.slice(0, 1), forbidden, { path: String(input.cwd ?? '.') })
    if (!place.exists) throw new Fault('not_found', 'there is no such folder to run in')
    const run = unconfined ? free : confined
    return resultOf(await run(argv, input, place.path, context), input, context, limitsOf(context))
  }

  const effects: Effect[] = ['execute']
  if (network) effects.push('network')
  if (unconfined) effects.push('unknown')
  else if (roots.some((root) => root.write)) effects.push('write')
  const where = unconfined
    ? 'NOT confined: it can do whatever the user can'
    : `in a sandbox with the granted folders${network ? ' and the network' : ' and no network'}`

  const tool = (name: string, what: string, inputSchema: JsonSchema, run: Tool['run']) => ({
    definition: {
      name: `shell.${name}`,
      description: `${what}, ${where}.`,
      inputSchema,
      effects,
      source: 'shell',
    },
    run,
  })
  const command = { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string' } }
  const tools: Tool[] = [
    {
      ...tool(
        'run',
        'Runs one command, given as a list of arguments',
        shape({ command }, 'command'),
        (input, context) => perform(commandOf(input, commands), input, context),
      ),
      reach: (input) => commandOf(input, commands),
    },
  ]
  if (scripts) {
    const script = { type: 'string', minLength: 1 }
    tools.push(
      tool('script', 'Gives a text to the shell', shape({ script }, 'script'), (input, context) =>
        perform(['/bin/sh', '-c', String(input.script).replaceAll('\0', '')], input, context),
      ),
    )
  }
  const toolset = fixedToolset(tools, clean)
  return {
    ...toolset,
    // No one is asked to approve what could not run.
    async tools(signal) {
      if (unconfined || (await findProgram('bwrap', searched)) !== null) return toolset.tools(signal)
      throw new WitanError('HAND_UNAVAILABLE', 'Commands cannot be confined here', `${INSTALL}.`)
    },
  }
}
