// What tools may access, and how a task narrows it. The operator's bounds come from the operator's own
// configuration; a task's come with the task, perhaps from a stranger. Their intersection never contains what
// the operator did not grant, and lists what was requested and not granted.

import { join, relative } from 'node:path'
import { type Root, realOrPlanned, within } from './allowed-paths.ts'
import { type HostGrant, hostMatches } from './http/hosts.ts'
import type { CommandGrant } from './shell/commands.ts'
import { SANDBOX_LIMITS, type SandboxLimits } from './shell/limits.ts'
import type { CallLimits } from './toolset.ts'

/** The limits of a session. */
export interface Limits extends CallLimits {
  readonly maxFileBytes: number
  /** For a sandbox, all its processes together. */
  readonly maxMemoryBytes: number
  /** What a sandbox may add to the folders it can write. */
  readonly maxDiskBytes: number
  /** Of each folder for temporary files of a sandbox. */
  readonly maxTemporaryBytes: number
}

/** What the operator grants. */
export interface Bounds {
  /** The first is the workspace. */
  readonly roots: readonly Root[]
  readonly hosts: readonly HostGrant[]
  readonly commands: readonly CommandGrant[]
  /** Names, or beginnings that end in a star: `files.read`, `mcp.docs.*`, `*`. */
  readonly tools: readonly string[]
  /** Whether scripts may be passed to a shell. */
  readonly scripts: boolean
  /** Whether commands have network access. */
  readonly network: boolean
  readonly unconfined: boolean
  readonly limits: Limits
}

/** What a task requests. */
export interface TaskBounds {
  /** An absolute path, relative to the task file before. */
  readonly workspace?: string
  /** Whether the task wants to write in its workspace; by default as the operator says. */
  readonly write?: boolean
  readonly roots?: readonly Root[]
  readonly hosts?: readonly HostGrant[]
  readonly commands?: readonly CommandGrant[]
  readonly tools?: readonly string[]
  readonly scripts?: boolean
  readonly network?: boolean
  readonly unconfined?: boolean
  readonly limits?: Partial<Limits>
}

/** What a task may do: the operator’s grant, narrowed. */
export interface Confined {
  readonly bounds: Bounds
  /** What the task requested and does not get, for a reader. */
  readonly refused: readonly string[]
}

/** The limits where none are set. */
export const LIMITS: Limits = {
  timeoutMs: 60_000,
  maxOutputBytes: 1 << 20,
  maxProcesses: SANDBOX_LIMITS.processes,
  maxFileBytes: 8 << 20,
  maxMemoryBytes: SANDBOX_LIMITS.memoryBytes,
  maxDiskBytes: SANDBOX_LIMITS.diskBytes,
  maxTemporaryBytes: SANDBOX_LIMITS.temporaryBytes,
}

/** The limits of a sandbox among them. */
export const sandboxLimits = (limits: Limits): SandboxLimits => ({
  memoryBytes: limits.maxMemoryBytes,
  diskBytes: limits.maxDiskBytes,
  temporaryBytes: limits.maxTemporaryBytes,
  processes: limits.maxProcesses,
})

/** The folder as a root, if it is in a granted one. */
async function narrowed(granted: readonly Root[], wanted: Root): Promise<Root | null> {
  const real = await realOrPlanned(wanted.path)
  const holding = await Promise.all(
    granted.map(async (root) => ({ root, real: await realOrPlanned(root.path) })),
  )
  // If several contain it the innermost counts: it was granted for this place.
  const fitting = holding
    .filter((one) => within(one.real, real))
    .sort((a, b) => b.real.length - a.real.length)
  const [grant] = fitting
  if (grant === undefined) return null
  const path = join(grant.real, relative(grant.real, real))
  return { name: wanted.name, path, write: wanted.write && grant.root.write }
}

const standard = (port: number | undefined): boolean => port === undefined || port === 443 || port === 80

/** What both grant; null when nothing. The permission for private addresses and the headers are only the operator's. */
export function commonHost(granted: HostGrant, wanted: HostGrant): HostGrant | null {
  const samePort = wanted.port === granted.port || (granted.port === undefined && standard(wanted.port))
  const wantedIn = hostMatches(granted.host, wanted.host) || granted.host === wanted.host
  const grantedIn = hostMatches(wanted.host, granted.host)
  if (!samePort || !(wantedIn || grantedIn)) return null
  const { private: inner, headers } = granted
  const port = wanted.port ?? granted.port
  return {
    host: wantedIn ? wanted.host : granted.host,
    ...(port === undefined ? {} : { port }),
    ...(inner === undefined ? {} : { private: inner }),
    ...(headers === undefined ? {} : { headers }),
  }
}

const begins = (whole: readonly string[], beginning: readonly string[]): boolean =>
  beginning.every((word, at) => whole[at] === word)

/** The longer of two grants of which one begins with the other. */
export function commonCommand(granted: CommandGrant, wanted: CommandGrant): CommandGrant | null {
  if (granted.length === 0 || wanted.length === 0) return null
  if (begins(wanted, granted)) return wanted
  return begins(granted, wanted) ? granted : null
}

/** Whether a pattern such as `files.*` matches this tool. */
export const toolMatches = (pattern: string, tool: string): boolean =>
  pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool

function commonTool(granted: string, wanted: string): string | null {
  if (toolMatches(granted, wanted)) return wanted
  return toolMatches(wanted, granted) ? granted : null
}

/** The common part of the operator's list and the task's; `lost` are requests that match nothing. */
function common<Grant>(
  granted: readonly Grant[],
  wanted: readonly Grant[] | undefined,
  both: (granted: Grant, wanted: Grant) => Grant | null,
): { readonly kept: readonly Grant[]; readonly lost: readonly Grant[] } {
  if (wanted === undefined) return { kept: granted, lost: [] }
  const shares = wanted.map((wish) => ({
    wish,
    kept: granted.map((one) => both(one, wish)).filter((one) => one !== null),
  }))
  return {
    kept: shares.flatMap((one) => one.kept),
    lost: shares.filter((one) => one.kept.length === 0).map((one) => one.wish),
  }
}

function commonLimits(operator: Limits, task: Partial<Limits> = {}): Limits {
  const least = (name: keyof Limits) => Math.min(operator[name], Math.max(1, task[name] ?? operator[name]))
  return {
    timeoutMs: least('timeoutMs'),
    maxOutputBytes: least('maxOutputBytes'),
    maxProcesses: least('maxProcesses'),
    maxFileBytes: least('maxFileBytes'),
    maxMemoryBytes: least('maxMemoryBytes'),
    maxDiskBytes: least('maxDiskBytes'),
    maxTemporaryBytes: least('maxTemporaryBytes'),
  }
}

async function commonRoots(operator: Bounds, task: TaskBounds): Promise<{ roots: Root[]; lost: string[] }> {
  const [first, ...others] = operator.roots
  const { write = true } = task
  const path = task.workspace ?? first?.path
  const wish = path === undefined ? null : { name: 'workspace', path, write }
  const workspace = wish === null ? null : await narrowed(operator.roots, wish)
  if (workspace === null) return { roots: [], lost: path === undefined ? [] : [`the workspace ${path}`] }
  const wanted = task.roots ?? others
  const folders = await Promise.all(wanted.map((root) => narrowed(operator.roots, root)))
  return {
    roots: [workspace, ...folders.filter((root) => root !== null && root.name !== 'workspace')] as Root[],
    lost: wanted.filter((_, at) => folders[at] === null).map((root) => `the folder ${root.path}`),
  }
}

/** Narrows the operator's grants by the requests of a task; it never widens them. */
export async function confine(operator: Bounds, task: TaskBounds): Promise<Confined> {
  const roots = await commonRoots(operator, task)
  const hosts = common(operator.hosts, task.hosts, commonHost)
  const commands = common(operator.commands, task.commands, commonCommand)
  const tools = common(operator.tools, task.tools, commonTool)
  const flags = ['scripts', 'network', 'unconfined'] as const
  const both = (flag: (typeof flags)[number]) => operator[flag] && (task[flag] ?? operator[flag])
  return {
    bounds: {
      roots: roots.roots,
      hosts: hosts.kept,
      commands: commands.kept,
      tools: tools.kept,
      scripts: both('scripts'),
      network: both('network'),
      unconfined: both('unconfined'),
      limits: commonLimits(operator.limits, task.limits),
    },
    refused: [
      ...roots.lost,
      ...hosts.lost.map(({ host, port }) => `the host ${host}${port === undefined ? '' : `:${port}`}`),
      ...commands.lost.map((command) => `the command ${command.join(' ')}`),
      ...tools.lost.map((tool) => `the tool ${tool}`),
      ...flags.filter((flag) => task[flag] === true && !operator[flag]),
    ],
  }
}
