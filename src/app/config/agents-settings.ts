// What whoever runs Witan grants to agents, in the section `agents` of the home's own file. Elsewhere it counts for
// nothing: a task can only tighten it.

import { PROOFS } from '../../agents/task.ts'
import { amount, choice, flag, list, object, record, text, type ValueOf } from './yaml-shape.ts'

const words = (wanted: string) => list(text(wanted), { least: 0, unique: true })
const tools = words('the name of a tool, or the beginning of names and a star')

export const SERVER_NAME = {
  fit: /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  next: 'Use letters, digits and dashes.',
}

const server = object({
  reads: tools,
  writes: tools,
  destroys: tools,
  believe_hints: flag,
  confined: flag,
  network: flag,
  folders: words('a folder'),
})

export type ServerGrant = ValueOf<typeof server>

const mebibytes = amount({ least: 16, most: 1 << 20, whole: true, of: 'mebibytes' })

const limits = object({
  memory_mib: mebibytes,
  disk_mib: mebibytes,
  temporary_mib: mebibytes,
  processes: amount({ least: 1, most: 4_096, whole: true, of: 'processes' }),
})

export const agentsShape = object({
  policy: text('strict, default, lenient, or the path of a .cedar file'),
  roots: words('a folder'),
  commands: words('a command, or how it begins'),
  hosts: words('the name of a host'),
  scripts: flag,
  network: flag,
  unconfined: flag,
  approvals_via_host: flag,
  approval_proof: choice(PROOFS),
  approvals_without_terminal: flag,
  fallback: flag,
  limits,
  servers: record(server, SERVER_NAME),
})

export type AgentsSettings = ValueOf<typeof agentsShape>
