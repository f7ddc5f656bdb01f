// What the person who runs Witan grants to tools: in the settings of the home, and by trusting a task file as
// it is. Without either, a task gets the folder that contains it and nothing else: no host, no command.

import { realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Proof } from '../../agents/task.ts'
import { WitanError } from '../../ledger/errors.ts'
import { type Bounds, type HostGrant, LIMITS, type Limits, type Root } from '../../tools/index.ts'
import { homeConfig } from '../config/config.ts'
import type { AgentsSettings, ServerGrant } from '../config/settings.ts'
import type { ServerSettings } from '../config/small-shapes.ts'
import { configFile } from '../home/home.ts'
import type { TaskFile } from './task-file.ts'

export interface Operator {
  readonly bounds: Bounds
  /** The limits of sandboxes from the home's own file. */
  readonly limitsSet: readonly string[]
  /** A profile's name or a file. */
  readonly policy: string
  readonly viaHost: boolean
  /** Required proof of a person; null when the home does not say. */
  readonly proof: Proof | null
  readonly unproven: boolean
  readonly fallback: boolean
  /** What the home's own file says about the servers that it describes. */
  readonly servers: Readonly<
    Record<string, { readonly grant: ServerGrant; readonly described: ServerSettings }>
  >
}

type Described = Readonly<Record<string, ServerSettings>>

async function ownSettings(home: string): Promise<{ own: AgentsSettings; described: Described }> {
  const { agents = {}, mcp_servers: described = {} } = (await homeConfig(home))?.sections ?? {}
  const strange = Object.keys(agents.servers ?? {}).find((name) => !Object.hasOwn(described, name))
  if (strange === undefined) return { own: agents, described }
  throw new WitanError(
    'CONFIG_INVALID',
    `${configFile(home)}: agents.servers.${strange} names a server that this file does not describe`,
    'Describe it under mcp_servers of the same file, or remove it.',
  )
}

/** `api.example.com`, `*.example.com`, `example.com:8443`. */
export function hostGrant(text: string): HostGrant {
  const [, host = text, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? []
  return port === undefined ? { host } : { host, port: Number(port) }
}

/** `git log` grants every command that begins with it. */
export const commandGrant = (text: string): readonly string[] =>
  text.split(/\s+/).filter((word) => word !== '')

const named = (paths: readonly string[]): readonly Root[] =>
  paths.map((path, i) => ({ name: `root${i + 1}`, path: resolve(path), write: false }))

const describedServers = ({ servers = {} }: AgentsSettings, described: Described): Operator['servers'] =>
  Object.fromEntries(
    Object.entries(servers).flatMap(([name, grant]) => {
      const server = described[name]
      return server ? [[name, { grant, described: server }]] : []
    }),
  )

function limitsIn({ limits = {} }: AgentsSettings): Limits {
  const bytes = (mebibytes: number | undefined, otherwise: number) =>
    mebibytes === undefined ? otherwise : mebibytes * 2 ** 20
  return {
    ...LIMITS,
    maxMemoryBytes: bytes(limits.memory_mib, LIMITS.maxMemoryBytes),
    maxDiskBytes: bytes(limits.disk_mib, LIMITS.maxDiskBytes),
    maxTemporaryBytes: bytes(limits.temporary_mib, LIMITS.maxTemporaryBytes),
    maxProcesses: limits.processes ?? LIMITS.maxProcesses,
  }
}

/** `trusted`: the task file's own grants count as the operator's. */
export async function findOperator(home: string, task: TaskFile, trusted: boolean): Promise<Operator> {
  const { own, described } = await ownSettings(home)
  const folder = await realpath(dirname(resolve(task.file)))
  const ifTrusted = <Item>(items: readonly Item[] | undefined): readonly Item[] =>
    trusted ? (items ?? []) : []
  return {
    bounds: {
      roots: [
        { name: 'workspace', path: folder, write: true },
        ...named([...(own.roots ?? []), ...ifTrusted(task.roots)]),
      ],
      hosts: [...(own.hosts ?? []), ...ifTrusted(task.hosts)].map(hostGrant),
      commands: [...(own.commands ?? []), ...ifTrusted(task.commands)].map(commandGrant),
      tools: ['*'],
      scripts: own.scripts ?? false,
      network: own.network ?? false,
      unconfined: (own.unconfined ?? false) || (trusted && task.unconfined === true),
      limits: limitsIn(own),
    },
    limitsSet: Object.keys(own.limits ?? {}).map((name) => `agents.limits.${name}`),
    policy: own.policy ?? 'default',
    viaHost: own.approvals_via_host ?? false,
    proof: own.approval_proof ?? null,
    unproven: own.approvals_without_terminal ?? false,
    fallback: own.fallback ?? true,
    servers: describedServers(own, described),
  }
}
