// What a witan.yaml may say, with the names of the sources. Every entry is optional: what is not given has a default
// where it is used, so that what someone chose can always be told from what nobody did.

import { agentsShape } from './agents-settings.ts'
import { checkCouncil } from './council-rules.ts'
import { serverShape } from './mcp-server.ts'
import { providerShape } from './provider.ts'
import { formed, formOf } from './shape-description.ts'
import { milliseconds as ms, transports } from './small-shapes.ts'
import {
  amount,
  choice,
  flag,
  list,
  object,
  record,
  report,
  resolved,
  type Shape,
  type ValueOf,
} from './yaml-shape.ts'

const councilFields = object({
  providers: list(providerShape, { least: 1 }),
  transport: transports,
  timeouts: object({ r1_per_provider: ms, r2_per_provider: ms, r3_chair: ms, cli_per_call: ms }),
  quorum: object({
    r1_min: amount({ least: 1, most: 100, whole: true }),
    r2_min: amount({ least: 0, most: 100, whole: true }),
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
    minutes: amount({ least: 0, of: 'minutes' }),
  }),
})

export type CouncilSettings = ValueOf<typeof councilFields>

const council: Shape<CouncilSettings> = formed((node, key, reading) => {
  const before = reading.faults.length
  const given = councilFields(node, key, reading)
  if (given !== undefined && reading.faults.length === before) checkCouncil(given, key, reading)
  return given
}, formOf(councilFields))

const NAME = { fit: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, next: 'Use letters, digits, dots and dashes.' }
const isPostgres = (value: string): boolean => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value)
const postgres: Shape<string> = formed(
  (node, key, reading) => {
    const found = resolved(node, reading)
    const value: unknown = reading.yaml.isScalar(found) ? found.value : null
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

export const witanYaml = object({
  council,
  mcp_servers: record(serverShape, NAME),
  agents: agentsShape,
  exchange: object({ acts_via_host: flag }),
  vault: object({ postgres }),
})

export type WitanYaml = ValueOf<typeof witanYaml>
