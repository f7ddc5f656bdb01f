// The content of a witan.yaml, with the names of the sources. Every entry is optional: a missing one gets its
// default where it is used, so that a chosen value can always be distinguished from a default.

import { isAbsolute } from 'node:path'
import { PROOFS } from '../../agents/task.ts'
import { type QuorumPolicy, quorumGiven } from '../../council/policy.ts'
import { panelShape } from './panel.ts'
import { type ProviderSettings, providerShape } from './provider.ts'
import { address, argv, duration, isLoopback, minutes, serverShape, transports } from './small-shapes.ts'
import {
  amount,
  choice,
  flag,
  formed,
  formOf,
  list,
  object,
  type Reading,
  record,
  report,
  resolved,
  type Shape,
  text,
  type ValueOf,
} from './yaml-shape.ts'

// What the operator grants to agents, in the section `agents` of the home's own file. It has no effect
// elsewhere: a task can only restrict it.

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

const agentsShape = object({
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

// Rules across the entries of a council: no seat twice, a quorum that can be met, and only servers that exist.

interface Council {
  readonly providers?: readonly ProviderSettings[]
  readonly quorum?: { readonly r1_min?: number }
}

/** The node at this path of the file, for its position. */
const nodeAt = ({ document }: Reading, path: readonly (string | number)[]): unknown =>
  document.getIn(path, true)

function checkCouncil({ providers, quorum }: Council, key: string, reading: Reading): void {
  if (providers === undefined) return
  const seats = providers.map(({ name, model = null }) => JSON.stringify([name, model]))
  for (const [i, seat] of seats.entries()) {
    if (seats.indexOf(seat) === i) continue
    const next = 'Give each its own model, or remove one of the two.'
    const name = providers[i]?.name
    const node = nodeAt(reading, [key, 'providers', i])
    report(reading, node, `${key}.providers[${i}]`, `${name} with this model sits here a second time`, next)
  }
  const participants = providers.filter(
    ({ role }) => role === undefined || role.includes('participant'),
  ).length
  if (participants === 0) {
    const next = 'Give at least one provider the role participant.'
    report(reading, nodeAt(reading, [key, 'providers']), `${key}.providers`, `no provider participates`, next)
  }
  const least = quorum?.r1_min ?? 0
  if (least > participants && participants > 0) {
    const message = `${key}.quorum.r1_min is ${least}, and only ${participants} participate`
    report(
      reading,
      nodeAt(reading, [key, 'quorum', 'r1_min']),
      `${key}.quorum.r1_min`,
      message,
      'Lower it, or add providers.',
    )
  }
}

/** `servers` are those of this file and of the home's. */
export function checkServers(
  providers: readonly ProviderSettings[],
  servers: readonly string[],
  reading: Reading,
): void {
  for (const [i, { mcp }] of providers.entries()) {
    if (mcp?.server === undefined || servers.includes(mcp.server)) continue
    const key = `council.providers[${i}].mcp.server`
    const next = servers.length > 0 ? `There are: ${servers.join(', ')}.` : 'Describe it under mcp_servers.'
    const node = nodeAt(reading, ['council', 'providers', i, 'mcp', 'server'])
    report(reading, node, key, `there is no server '${mcp.server}' among mcp_servers`, next)
  }
}

const councilFields = object({
  providers: list(providerShape, { least: 1 }),
  transport: transports,
  timeouts: object({
    r1_per_provider: duration,
    r2_per_provider: duration,
    r3_chair: duration,
    cli_per_call: duration,
    r1_round: duration,
    r2_round: duration,
    r3_round: duration,
  }),
  quorum: object({
    r1_min: amount({ least: 1, most: 100, whole: true }),
    r2_min: amount({ least: 0, most: 100, whole: true }),
    r1_min_responses: amount({ least: 1, most: 100, whole: true }),
    r2_min_responses: amount({ least: 0, most: 100, whole: true }),
    r3_required: flag,
    allow_partial: flag,
  }),
  short_circuit: object({
    enabled: flag,
    embeddings: flag,
    conditions: object({
      skip_r2_if: list(choice(['high_agreement_in_r1', 'low_risk_topic']), { least: 0, unique: true }),
      skip_r3_if: list(choice(['r2_confirms_r1_consensus', 'budget_constraint']), { least: 0, unique: true }),
    }),
  }),
  budget: object({
    cost: amount({ least: 0, of: 'US dollars' }),
    minutes,
  }),
  parts: amount({ least: 1, most: 999, whole: true }),
})

type Fields = ValueOf<typeof councilFields>

export interface CouncilSettings extends Omit<Fields, 'timeouts' | 'quorum'> {
  /** Under the names by which it is recorded, whichever names were written. */
  readonly quorum?: Partial<QuorumPolicy>
  /** `each` is never from a file: it comes from `--timeout` and overrides all others. */
  readonly timeouts?: NonNullable<Fields['timeouts']> & { readonly each?: number }
}

const council: Shape<CouncilSettings> = formed((node, key, reading) => {
  const before = reading.faults.length
  const fields = councilFields(node, key, reading)
  if (fields === undefined) return undefined
  const { quorum, ...rest } = fields
  const settings: CouncilSettings = { ...rest, ...(quorum && { quorum: quorumGiven(quorum) }) }
  if (reading.faults.length === before) checkCouncil(settings, key, reading)
  return settings
}, formOf(councilFields))

const NAME = { fit: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, next: 'Use letters, digits, dots and dashes.' }
const isPostgres = (value: string): boolean => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value)
const postgres: Shape<string> = formed(
  (node, key, reading) => {
    const resolvedNode = resolved(node, reading)
    const value: unknown = reading.yaml.isScalar(resolvedNode) ? resolvedNode.value : null
    if (typeof value === 'string' && isPostgres(value)) return value
    // The value is not repeated in the message: it may hold a password.
    return report(
      reading,
      node,
      key,
      `${key} is not a PostgreSQL URL`,
      'Write it as postgres://user:password@host/database.',
    )
  },
  { says: 'a URL that begins with postgres://' },
)

/** A folder that every machine mounts: an absolute path, since machines do not know each other's working folders. */
const sharedArtifacts = object(
  {
    folder: text('the path of a folder, from the root', isAbsolute, 'Write it as /mnt/witan-artifacts.'),
    above_kib: amount({ least: 1, most: 65_536, whole: true, of: 'kibibytes' }),
  },
  { needs: ['folder'] },
)

const secureAddress = text(
  'a URL that begins with https://, or http:// on this machine',
  (value) => URL.canParse(value) && (value.startsWith('https://') || isLoopback(value)),
  'Write it as https://host/path.',
)
const HEADER = { fit: /^[A-Za-z0-9-]{1,64}$/, next: 'Use letters, digits and dashes.' }
const keyName = text('a name without spaces or plus signs', (name) => /^[^\s+]+$/u.test(name))

/** Who may be asked to attest checkpoints of this home, and where spans go; only in the home's own file. */
const authority = object(
  { name: keyName, url: secureAddress, certificate: text('the path of a file of certificates (PEM)') },
  { needs: ['name', 'url', 'certificate'] },
)
const witness = object(
  { url: secureAddress, key: text('a C2SP verifier key of type 4') },
  { needs: ['url', 'key'] },
)

export const witanYaml = object({
  council,
  panels: record(panelShape, NAME),
  mcp_servers: record(serverShape, NAME),
  agents: agentsShape,
  exchange: object({ acts_via_host: flag }),
  notify: object({
    command: argv,
    url: address,
    on: list(choice(['waiting', 'done']), { least: 1, unique: true }),
  }),
  vault: object({ postgres, artifacts: sharedArtifacts }),
  ca: text('the path of a file of certificates (PEM)'),
  timestamps: list(authority, { least: 0 }),
  witnesses: list(witness, { least: 0 }),
  otel: object(
    {
      url: secureAddress,
      headers: record(text('a value'), HEADER),
      content: flag,
    },
    { needs: ['url'] },
  ),
})

export type WitanYaml = ValueOf<typeof witanYaml>
