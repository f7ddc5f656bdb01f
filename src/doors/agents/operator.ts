// What the person who runs Witan grants to hands: by the settings of the home, and by a task file that was trusted as
// it is. Without either, a task gets the folder it lies in and nothing else: no host, no command.

import { realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Bounds, type HostGrant, LIMITS, type Root } from '../../hands/index.ts'
import { WitanError } from '../../ledger/errors.ts'
import { type JsonSchema, misfit } from '../../ledger/shape.ts'
import { homeConfig } from '../config.ts'
import { configFile } from '../home.ts'
import type { TaskFile } from './task-file.ts'

const words: JsonSchema = { type: 'array', items: { type: 'string', minLength: 1, maxLength: 1000 } }

/** The section `agents` of the home's own settings. */
const SECTION: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    policy: { type: 'string', minLength: 1 },
    roots: words,
    commands: words,
    hosts: words,
    scripts: { type: 'boolean' },
    network: { type: 'boolean' },
    unconfined: { type: 'boolean' },
    approvals_via_host: { type: 'boolean' },
    fallback: { type: 'boolean' },
  },
}

export interface Operator {
  readonly bounds: Bounds
  /** A profile's name or a file. */
  readonly policy: string
  readonly viaHost: boolean
  readonly fallback: boolean
}

interface Section {
  readonly policy?: string
  readonly roots?: readonly string[]
  readonly commands?: readonly string[]
  readonly hosts?: readonly string[]
  readonly scripts?: boolean
  readonly network?: boolean
  readonly unconfined?: boolean
  readonly approvals_via_host?: boolean
  readonly fallback?: boolean
}

async function sectionOf(home: string): Promise<Section> {
  const found: unknown = (await homeConfig(home))?.sections.agents ?? {}
  const fault = misfit(SECTION, found)
  if (fault === null) return found as Section
  const allowed = Object.keys(SECTION.properties ?? {}).join(', ')
  throw new WitanError('CONFIG_INVALID', `${configFile(home)}: agents: ${fault}`, `It may say: ${allowed}.`)
}

/** `api.example.com`, `*.example.com`, `example.com:8443`. */
export function hostGrant(text: string): HostGrant {
  const [, host = text, port] = /^(.*?)(?::(\d{1,5}))?$/.exec(text) ?? []
  return port === undefined ? { host } : { host, port: Number(port) }
}

/** `git log` grants every command that begins so. */
export const commandGrant = (text: string): readonly string[] =>
  text.split(/\s+/).filter((word) => word !== '')

const named = (paths: readonly string[]): readonly Root[] =>
  paths.map((path, i) => ({ name: `root${i + 1}`, path: resolve(path), write: false }))

/** `trusted`: the task file's own grants count as the operator's. */
export async function operatorOf(home: string, task: TaskFile, trusted: boolean): Promise<Operator> {
  const own = await sectionOf(home)
  const folder = await realpath(dirname(resolve(task.file)))
  const also = <Item>(items: readonly Item[] | undefined): readonly Item[] => (trusted ? (items ?? []) : [])
  return {
    bounds: {
      roots: [
        { name: 'workspace', path: folder, write: true },
        ...named([...(own.roots ?? []), ...also(task.roots)]),
      ],
      hosts: [...(own.hosts ?? []), ...also(task.hosts)].map(hostGrant),
      commands: [...(own.commands ?? []), ...also(task.commands)].map(commandGrant),
      tools: ['*'],
      scripts: own.scripts ?? false,
      network: own.network ?? false,
      unconfined: (own.unconfined ?? false) || (trusted && task.unconfined === true),
      limits: LIMITS,
    },
    policy: own.policy ?? 'default',
    viaHost: own.approvals_via_host ?? false,
    fallback: own.fallback ?? true,
  }
}
