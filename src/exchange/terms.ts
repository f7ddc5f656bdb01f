// The terms of an exchange: everything its actors agreed to, in one plain value that every actor can read and that
// has one hash. Nothing in it is invented: who observes, and in what spirit, is said by the observer or the terms are
// refused. What is left out gets the default that is written here, and is recorded as if it had been said.

import { type Sha256, toHex, utf8 } from '../ledger/bytes.ts'
import { canonicalize, type Json } from '../ledger/canonical.ts'
import { isAgentName } from '../ledger/event.ts'
import { type JsonSchema, misfit } from '../ledger/schema.ts'

/** To whom themes are told: nobody, everyone in each round, or the auditor. */
export type ClusterFeed = 'off' | 'live' | 'audits'

/** What answers a raised signal when nobody is asked; `pause` asks the observer. */
export type RestartPolicy =
  | 'pause'
  | 'acknowledge'
  | 'halt'
  | { readonly rollback: 'last-audit' }
  | { readonly branch: Terms }

/** What the pool is asked, who thinks in it, and what each mind is shown. */
export interface PoolTerms {
  readonly prompt: string
  readonly minds: readonly string[]
  /** How many of the last messages by minds can be sampled. */
  readonly window: number
  readonly sample: number
  readonly seed: number
  /** All minds write in every round, else they take turns. */
  readonly parallel: boolean
  readonly max_messages: number
  readonly max_chars: number
  readonly max_output_tokens: number | null
}

/** Who audits, how often, by which specification, and how much of the pool it is shown. */
export interface AuditorTerms {
  readonly spec: string
  readonly mind: string
  /** Every so many rounds one is an audit. */
  readonly every: number
  readonly sample: number
}

/** Everything the actors of an exchange agreed to, whole. */
export interface Terms {
  readonly pool: PoolTerms
  readonly auditor: AuditorTerms
  readonly observer: { readonly name: string; readonly role: string }
  /** How many protocol messages (audits, injections, the observer's words) are kept, and shown with one sample. */
  readonly protocol: { readonly window: number; readonly sample: number }
  readonly clusters: { readonly feed: ClusterFeed }
  readonly restart: {
    readonly raise: number
    readonly clear: number
    readonly policy: RestartPolicy
    /** So often a policy may answer by branch or rollback along one line of branches; then the observer is asked. */
    readonly limit: number
  }
}

const text = { type: 'string', minLength: 1, maxLength: 20_000 } as const
const name = { type: 'string', minLength: 1, maxLength: 64 } as const
const count = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum }) as const
const share = { type: 'number', minimum: 0, maximum: 1 } as const
const record = <Properties extends Record<string, JsonSchema>>(properties: Properties) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const SCHEMA = record({
  pool: record({
    prompt: text,
    minds: { type: 'array', items: name, minItems: 1, maxItems: 32 },
    window: count(1, 1000),
    sample: count(1, 100),
    seed: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    parallel: { type: 'boolean' },
    max_messages: count(1, 32),
    max_chars: count(1, 20_000),
    max_output_tokens: { type: ['integer', 'null'], minimum: 1 },
  }),
  auditor: record({ spec: text, mind: name, every: count(2, 10_000), sample: count(1, 1000) }),
  observer: record({ name, role: text }),
  // One slot is for the latest audit; at least one more is for whom the audit would else crowd out.
  protocol: record({ window: count(2, 100), sample: count(2, 20) }),
  clusters: record({ feed: { enum: ['off', 'live', 'audits'] } }),
  restart: record({ raise: share, clear: share, policy: {}, limit: count(0, 100) }),
})

const isObject = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function strangerIn(value: unknown, schema: JsonSchema, place: string): string | null {
  if (!isObject(value) || !isObject(schema.properties)) return null
  for (const [key, inner] of Object.entries(value)) {
    const at = place === '' ? key : `${place}.${key}`
    const known = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
    if (known === undefined) return `${at} is no key of the terms`
    const stranger = strangerIn(inner, known as JsonSchema, at)
    if (stranger) return stranger
  }
  return null
}

function policyProblem(policy: unknown, nested: boolean): string | null {
  if (policy === 'pause' || policy === 'acknowledge' || policy === 'halt') return null
  const [key, ...more] = isObject(policy) ? Object.keys(policy) : []
  if (isObject(policy) && more.length === 0) {
    if (key === 'rollback' && policy.rollback === 'last-audit') return null
    if (key === 'branch' && nested) return 'restart.policy.branch leads to terms that branch again'
    const problem = key === 'branch' ? problemOf(policy.branch, true) : null
    if (key === 'branch') return problem && `restart.policy.branch: ${problem}`
  }
  return 'restart.policy is none of pause, acknowledge, halt, {rollback: last-audit}, {branch: terms}'
}

function problemOf(value: unknown, nested: boolean): string | null {
  const misshapen = strangerIn(value, SCHEMA, '') ?? misfit(SCHEMA, value)
  if (misshapen) return misshapen
  const { pool, auditor, observer, restart } = value as Terms
  const blank = [
    ['pool.prompt', pool.prompt],
    ['auditor.spec', auditor.spec],
    ['observer.role', observer.role],
  ].find(([, said]) => said?.trim() === '')
  if (blank) return `${blank[0]} says nothing`
  if (!isAgentName(observer.name)) return 'observer.name is no name that can own a key'
  if (!pool.minds.every(isAgentName)) return 'pool.minds holds a name that cannot own a key'
  if (!isAgentName(auditor.mind)) return 'auditor.mind is no name that can own a key'
  if (new Set(pool.minds).size < pool.minds.length) return 'pool.minds names a mind twice'
  if (pool.minds.includes(observer.name) || auditor.mind === observer.name) {
    return 'observer.name is also the name of a mind: a person cannot be one'
  }
  if (restart.clear >= restart.raise) return 'restart.clear is not below restart.raise'
  return policyProblem(restart.policy, nested)
}

/** Null when these are whole terms, as they are recorded; else which key is at fault and why. */
export const termsProblem = (value: unknown): string | null => problemOf(value, false)

const DEFAULTS = {
  pool: {
    window: 50,
    sample: 5,
    seed: 1,
    parallel: false,
    max_messages: 8,
    max_chars: 4_000,
    max_output_tokens: null,
  },
  auditor: { every: 20, sample: 30 },
  observer: {},
  protocol: { window: 10, sample: 2 },
  clusters: { feed: 'off' },
  restart: { raise: 0.3, clear: 0.15, policy: 'pause', limit: 3 },
} as const

export interface ReadingTerms {
  /** In a chat an audit follows one full rotation of the minds, unless the terms say otherwise. */
  readonly chat?: boolean
  /** Terms that `restart.policy.branch` names, by that name, as they were parsed. */
  readonly branches?: ReadonlyMap<string, unknown>
}

function filled(value: unknown, reading: ReadingTerms): unknown {
  if (!isObject(value)) return value
  const out: Record<string, unknown> = { ...value }
  for (const [key, defaults] of Object.entries(DEFAULTS)) {
    const given = out[key] ?? {}
    out[key] = isObject(given) ? { ...defaults, ...given } : given
  }
  const { pool, auditor, restart } = out as { readonly [key: string]: unknown }
  const minds = isObject(pool) && Array.isArray(pool.minds) ? pool.minds.length : 1
  const rotation = isObject(pool) && pool.parallel === true ? 1 : minds
  const unsaid = !isObject(value.auditor) || value.auditor.every === undefined
  if (reading.chat && unsaid && isObject(auditor)) out.auditor = { ...auditor, every: rotation + 1 }
  const branch = isObject(restart) && isObject(restart.policy) ? restart.policy.branch : undefined
  if (isObject(restart) && branch !== undefined) {
    const named = typeof branch === 'string' ? reading.branches?.get(branch) : branch
    out.restart = { ...restart, policy: { branch: filled(named, { chat: reading.chat ?? false }) } }
  }
  return out
}

/** Terms from a parsed file, with every default filled in; else in words which key is at fault and why. */
export function readTerms(value: unknown, reading: ReadingTerms = {}): Terms | string {
  if (!isObject(value)) return 'the terms are not a list of keys and values'
  const terms = filled(value, reading)
  return termsProblem(terms) ?? (terms as Terms)
}

export const termsHash = (sha256: Sha256, terms: Terms): string => toHex(sha256(utf8(canonicalize(terms))))

/** In how many rounds every mind has had its turn. */
export const rotationOf = ({ pool }: Terms): number => (pool.parallel ? 1 : pool.minds.length)

/** Which texts and numbers differ, by key, for the minutes and for whoever must be told. */
export function changedKeys(before: Terms, after: Terms): readonly string[] {
  const changed: string[] = []
  for (const part of Object.keys(DEFAULTS) as (keyof Terms)[]) {
    const [old, now] = [before[part], after[part]] as readonly Record<string, unknown>[]
    for (const key of Object.keys(now ?? {}).sort()) {
      if (canonicalize(old?.[key] ?? null) !== canonicalize(now?.[key] ?? null))
        changed.push(`${part}.${key}`)
    }
  }
  return changed
}
