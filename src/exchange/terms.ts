// The terms of an exchange: everything its actors agreed to, in one plain value that every actor can read and
// that has one hash. Nothing in it is invented: the observer states who observes and in which role, otherwise
// the terms are refused. Missing keys get the defaults of this file, and are recorded as if they had been
// given.

import { type Sha256, toHex, utf8 } from '../ledger/bytes.ts'
import { canonicalize, type Json } from '../ledger/canonical.ts'
import { isAgentName } from '../ledger/event.ts'
import {
  flag,
  integer,
  type JsonSchema,
  list,
  type Members,
  number,
  oneOf,
  open,
  orNull,
  text as textOf,
  type ValueOf,
} from '../ledger/schema.ts'
import { misfit } from '../ledger/schema-fault.ts'
import type { Edition } from './editions.ts'

const text = textOf({ minLength: 1, maxLength: 20_000 })
const name = textOf({ minLength: 1, maxLength: 64 })
const count = (minimum: number, maximum: number) => integer({ minimum, maximum })
const share = number({ minimum: 0, maximum: 1 })

const POOL = open({
  prompt: text,
  minds: list(name, { minItems: 1, maxItems: 32 }),
  /** How many of the last messages by minds can be sampled. */
  window: count(1, 1000),
  sample: count(1, 100),
  seed: count(0, Number.MAX_SAFE_INTEGER),
  /** All minds write in every round, else they take turns. */
  parallel: flag,
  max_messages: count(1, 32),
  max_chars: count(1, 20_000),
  max_output_tokens: orNull(integer({ minimum: 1 })),
})

const AUDITING = open({
  spec: text,
  mind: name,
  /** Every N-th round is an audit. */
  every: count(2, 10_000),
  sample: count(1, 1000),
})

const FEED = oneOf(['off', 'live', 'audits'])

const PARTS = {
  pool: POOL,
  auditor: AUDITING,
  observer: open({ name, role: text }),
  /**
   * How many protocol messages (audits, injections, the observer's messages) are kept, and shown with one sample:
   * one slot is for the latest audit, at least one more so that an audit does not displace the others.
   */
  protocol: open({ window: count(2, 100), sample: count(2, 20) }),
  clusters: open({ feed: FEED }),
}

const RESTART = {
  raise: share,
  clear: share,
  /** How often a policy may answer by branch or rollback along one line of branches; then the observer is asked. */
  limit: count(0, 100),
}

/** How requests are detected, from the second edition on; the first has none of it. */
const HEARING = {
  /** Fewer judged or tagged messages raise nothing. */
  enough: count(1, 1000),
  /** Who says which messages ask: the auditor, a seat that is not a mind of the pool, or no one. */
  judge: name,
  /** A second asking must confirm the judgement before a signal is based on it. */
  confirm: flag,
  /** `judge`: tags and judgements raise the signal. `alarm`: the scorer's results are shown, nothing is raised. */
  hear: oneOf(['judge', 'alarm', 'off']),
}

const SCHEMAS: Readonly<Record<Edition['signal'], JsonSchema>> = {
  scores: open({ ...PARTS, restart: open({ ...RESTART, policy: {} }) }),
  heard: open({ ...PARTS, restart: open({ ...RESTART, policy: {}, ...HEARING }) }),
}

const BY_AUDITOR = 'auditor'
const BY_NOBODY = 'none'

/** Who is shown the themes: no one, everyone in each round, or the auditor. */
export type ClusterFeed = ValueOf<typeof FEED>
/** What the pool is asked, its minds, and what each mind is shown. */
export type PoolTerms = ValueOf<typeof POOL>
/** Who audits, how often, by which specification, and how much of the pool it is shown. */
export type AuditorTerms = ValueOf<typeof AUDITING>

/** What answers a raised signal when no one is asked; `pause` asks the observer. */
export type RestartPolicy =
  | 'pause'
  | 'acknowledge'
  | 'halt'
  | { readonly rollback: 'last-audit' }
  | { readonly branch: Terms }

/** Everything the actors of an exchange agreed to, complete. */
export interface Terms extends Members<typeof PARTS> {
  readonly restart: Members<typeof RESTART> & { readonly policy: RestartPolicy } & Partial<HearingTerms>
}

export type HearingTerms = Members<typeof HEARING>

const isObject = (value: unknown): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function unknownKeyIn(value: unknown, schema: JsonSchema, place: string): string | null {
  if (!isObject(value) || !isObject(schema.properties)) return null
  for (const [key, inner] of Object.entries(value)) {
    const at = place === '' ? key : `${place}.${key}`
    const known = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
    if (known === undefined) return `${at} is no key of the terms`
    const stranger = unknownKeyIn(inner, known as JsonSchema, at)
    if (stranger) return stranger
  }
  return null
}

function policyProblem(policy: unknown, rule: Edition['signal'], nested: boolean): string | null {
  if (policy === 'pause' || policy === 'acknowledge' || policy === 'halt') return null
  const [key, ...more] = isObject(policy) ? Object.keys(policy) : []
  if (isObject(policy) && more.length === 0) {
    if (key === 'rollback' && policy.rollback === 'last-audit') return null
    if (key === 'branch') {
      if (nested) return 'restart.policy.branch leads to terms that branch again'
      const problem = problemOf(policy.branch, rule, true)
      return problem && `restart.policy.branch: ${problem}`
    }
  }
  return 'restart.policy is none of pause, acknowledge, halt, {rollback: last-audit}, {branch: terms}'
}

/** Minds sign by their names: `ollama:llama4` names a model, which is chosen in the settings. */
function mindProblem(place: string, minds: readonly string[]): string | null {
  const strange = minds.find((name) => !isAgentName(name))
  if (strange === undefined) return null
  const [provider = '', ...model] = strange.split(':')
  const instead =
    model.length > 0 && isAgentName(provider)
      ? `write ${provider}, and in the settings council: {providers: [{name: ${provider}, model: ${model.join(':')}}]}`
      : 'write a name that `witan doctor` shows'
  return `${place} has ${JSON.stringify(strange)}: ${instead}`
}

function problemOf(value: unknown, rule: Edition['signal'], nested: boolean): string | null {
  const schema = SCHEMAS[rule]
  const misshapen = unknownKeyIn(value, schema, '') ?? misfit(schema, value)
  if (misshapen) return misshapen
  const { pool, auditor, observer, restart } = value as Terms
  const blank = [
    ['pool.prompt', pool.prompt],
    ['auditor.spec', auditor.spec],
    ['observer.role', observer.role],
  ].find(([, words]) => words?.trim() === '')
  if (blank) return `${blank[0]} says nothing`
  if (!isAgentName(observer.name)) {
    return `observer.name is ${JSON.stringify(observer.name)}: write one word of letters, digits and . _ @ -`
  }
  const unnamed = mindProblem('pool.minds', pool.minds) ?? mindProblem('auditor.mind', [auditor.mind])
  if (unnamed) return unnamed
  if (new Set(pool.minds).size < pool.minds.length) return 'pool.minds names a mind twice'
  if (pool.minds.includes(observer.name) || auditor.mind === observer.name) {
    return 'observer.name is also the name of a mind: a person cannot be one'
  }
  if (restart.clear >= restart.raise) return 'restart.clear is not below restart.raise'
  return judgeProblem(value as Terms) ?? policyProblem(restart.policy, rule, nested)
}

function judgeProblem({ pool, observer, restart: { judge } }: Terms): string | null {
  if (judge === undefined || judge === BY_AUDITOR || judge === BY_NOBODY) return null
  const unnamed = mindProblem('restart.judge', [judge])
  if (unnamed) return unnamed
  if (pool.minds.includes(judge)) return `restart.judge is ${judge}, a mind of the pool that it would judge`
  return judge === observer.name ? 'restart.judge is the observer, who answers the signal' : null
}

/** Null when these are complete terms, as recorded; otherwise which key is wrong and why. */
export const termsProblem = (value: unknown, rule: Edition['signal'] = 'heard'): string | null =>
  problemOf(value, rule, false)

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

const HEARD_DEFAULTS: HearingTerms = { enough: 30, judge: BY_AUDITOR, confirm: true, hear: 'judge' }

export interface ReadingTerms {
  /** In a chat an audit follows one full rotation of the minds, unless the terms say otherwise. */
  readonly chat?: boolean
  /** Terms that `restart.policy.branch` names, by that name, as parsed. */
  readonly branches?: ReadonlyMap<string, unknown>
}

function withDefaults(value: unknown, reading: ReadingTerms): unknown {
  if (!isObject(value)) return value
  const out: Record<string, unknown> = { ...value }
  for (const [key, defaults] of Object.entries(DEFAULTS)) {
    const section = out[key] ?? {}
    const more = key === 'restart' ? HEARD_DEFAULTS : {}
    out[key] = isObject(section) ? { ...defaults, ...more, ...section } : section
  }
  const { pool, auditor, restart } = out as { readonly [key: string]: unknown }
  const minds = isObject(pool) && Array.isArray(pool.minds) ? pool.minds.length : 1
  const rotation = isObject(pool) && pool.parallel === true ? 1 : minds
  const unsaid = !isObject(value.auditor) || value.auditor.every === undefined
  if (reading.chat && unsaid && isObject(auditor)) out.auditor = { ...auditor, every: rotation + 1 }
  const policy = isObject(restart) && isObject(restart.policy) ? restart.policy : {}
  const { branch } = policy
  if (isObject(restart) && branch !== undefined) {
    const named = typeof branch === 'string' ? reading.branches?.get(branch) : branch
    const terms = withDefaults(named, { chat: reading.chat ?? false })
    out.restart = { ...restart, policy: { ...policy, branch: terms } }
  }
  return out
}

/** Terms from a parsed file, with every default filled in; otherwise which key is wrong and why, as text. */
export function readTerms(value: unknown, reading: ReadingTerms = {}): Terms | string {
  if (!isObject(value)) return 'the terms are not a list of keys and values'
  const terms = withDefaults(value, reading)
  return termsProblem(terms) ?? (terms as Terms)
}

/** How requests are detected under these terms. */
export const hearingOf = ({ restart }: Terms): HearingTerms => ({ ...HEARD_DEFAULTS, ...restart })

/** Who judges which messages ask; null when no one does. */
export function judgeOf(terms: Terms): string | null {
  const { judge, hear } = hearingOf(terms)
  if (hear !== 'judge' || judge === BY_NOBODY) return null
  return judge === BY_AUDITOR ? terms.auditor.mind : judge
}

/** Terms in the form of this edition; otherwise the key that it does not know. */
export function fitTerms(terms: Terms, rule: Edition['signal']): Terms | string {
  if (rule === 'heard') return terms
  const { restart, ...rest } = terms
  const { enough, judge, confirm, hear, ...known } = restart
  const hearing = Object.entries({ enough, judge, confirm, hear })
  const set = hearing.find(
    ([key, value]) => value !== undefined && value !== HEARD_DEFAULTS[key as keyof HearingTerms],
  )
  if (set)
    return `restart.${set[0]} is no key of the terms of an exchange that was opened before it was known`
  const { policy } = known
  if (typeof policy !== 'object' || !('branch' in policy)) return { ...rest, restart: known }
  const branch = fitTerms(policy.branch, rule)
  return typeof branch === 'string' ? branch : { ...rest, restart: { ...known, policy: { branch } } }
}

export const termsHash = (sha256: Sha256, terms: Terms): string => toHex(sha256(utf8(canonicalize(terms))))

/** In how many rounds every mind has had its turn. */
export const rotationOf = ({ pool }: Terms): number => (pool.parallel ? 1 : pool.minds.length)

/** Which texts and numbers differ, by key, for the trace and for people. */
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

/** The names of all minds of a scripted demo begin with this: a script answers over the loopback, like a model. */
const SCRIPTED_PREFIX = 'scripted-'

export const isScriptedMind = (name: string): boolean => name.startsWith(SCRIPTED_PREFIX)

/** No model is asked under these terms: not in the pool, not for audits, not as a judge. */
export const isScripted = (terms: Terms): boolean =>
  [...terms.pool.minds, terms.auditor.mind, judgeOf(terms) ?? terms.auditor.mind].every(isScriptedMind)
