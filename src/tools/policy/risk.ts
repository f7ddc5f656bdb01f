// The risk of a call: the most severe class of all matching rules, and the names of those rules. The rules
// are one table; the documentation and the policies use the same classes.

import { canonicalize, type Json } from '../../ledger/canonical.ts'
import { hookPlaceOn, runsLater } from '../hook-places.ts'
import type { Effect, ToolDefinition } from '../toolset.ts'
import { isDestructive } from './destructive-calls.ts'
import { type Touched, touchedBy } from './touched.ts'

/** The severity of a call, from the lowest. */
export const RISKS = ['low', 'medium', 'high', 'critical'] as const
/** How much could go wrong. */
export type Risk = (typeof RISKS)[number]

/** `runs_later`: it writes what the user's own tools run, outside of every sandbox. */
export type CallEffect = Effect | 'runs_later'

/** What is known about an intent before anyone judges it. */
export interface Facts {
  readonly tool: string
  readonly source: string
  /** Of the tool, and what this call adds to them. */
  readonly effects: readonly CallEffect[]
  readonly touched: readonly Touched[]
  /** It accesses nothing outside, no network, nothing unknown. */
  readonly insideWorkspace: boolean
  readonly network: boolean
  readonly destructive: boolean
  /** The whole input as canonical JSON. */
  readonly arguments: string
  readonly risk: Risk
  /** The matching rules. */
  readonly rules: readonly string[]
}

type Known = Omit<Facts, 'risk' | 'rules'>

const has = (facts: Known, effect: CallEffect): boolean => facts.effects.includes(effect)
const some = (facts: Known, test: (touched: Touched) => boolean): boolean => facts.touched.some(test)

const CREDENTIAL =
  /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.kube|\.docker|\.env(?:\.[\w-]+)?|\.netrc|\.npmrc|\.git-credentials|id_(?:rsa|ed25519|ecdsa)|[^/]+\.(?:pem|key|p12|pfx|keystore))(?:\/|$)/i
const PRIVILEGE = /^(?:sudo|su|doas|pkexec|chroot|nsenter|mount|umount|insmod|modprobe)$/
const INTERPRETER =
  /^(?:(?:ba|da|z|k|fi)?sh|node|deno|bun|python[\d.]*|perl|ruby|php|lua|awk|xargs|env|make|npx|eval)$/

interface Rule {
  readonly id: string
  readonly risk: Risk
  readonly fits: (facts: Known) => boolean
}

export const RULES: readonly Rule[] = [
  { id: 'unconfined', risk: 'critical', fits: (facts) => has(facts, 'execute') && has(facts, 'unknown') },
  {
    id: 'privilege',
    risk: 'critical',
    fits: (facts) => some(facts, (one) => one.kind === 'command' && PRIVILEGE.test(one.id)),
  },
  {
    id: 'private-host',
    risk: 'critical',
    fits: (facts) => some(facts, (one) => one.kind === 'host' && one.private),
  },
  { id: 'destroys-outside', risk: 'critical', fits: (facts) => facts.destructive && !facts.insideWorkspace },
  { id: 'destroys', risk: 'high', fits: (facts) => facts.destructive },
  { id: 'outside', risk: 'high', fits: (facts) => some(facts, (one) => one.kind === 'path' && !one.inside) },
  {
    id: 'credentials',
    risk: 'high',
    fits: (facts) => some(facts, (one) => one.kind === 'path' && CREDENTIAL.test(one.id)),
  },
  { id: 'runs-later', risk: 'high', fits: (facts) => has(facts, 'runs_later') },
  { id: 'sends', risk: 'high', fits: (facts) => facts.network && has(facts, 'write') },
  { id: 'executes-with-network', risk: 'high', fits: (facts) => facts.network && has(facts, 'execute') },
  { id: 'unknown', risk: 'high', fits: (facts) => has(facts, 'unknown') },
  {
    id: 'any-code',
    risk: 'high',
    fits: (facts) => some(facts, (one) => one.kind === 'command' && INTERPRETER.test(one.id)),
  },
  { id: 'fetches', risk: 'medium', fits: (facts) => facts.network },
  { id: 'executes', risk: 'medium', fits: (facts) => has(facts, 'execute') },
  { id: 'writes', risk: 'medium', fits: (facts) => has(facts, 'write') },
]

export const riskLevel = (risk: Risk): number => RISKS.indexOf(risk) + 1

/** A host's own tool can write where ours never do. */
const runsLaterAt = (id: string): boolean => runsLater(id) || hookPlaceOn(id.split('/').slice(1)) !== null

/** What is known about a call from the definition of its tool and its input. `workspace` is a real path. */
export const factsOf = (definition: ToolDefinition, input: Json, workspace: string): Facts =>
  factsFrom(definition, input, touchedBy(definition, input, workspace))

/** The same, where the accessed resources are known already. */
export function factsFrom(definition: ToolDefinition, input: Json, touched: readonly Touched[]): Facts {
  const { name: tool, source, effects } = definition
  const network = effects.includes('network') || touched.some((one) => one.kind === 'host')
  const outside = touched.some((one) => one.kind === 'path' && !one.inside)
  const insideWorkspace = !network && !outside && !effects.includes('unknown')
  const destructive = isDestructive(definition, touched)
  const changes = effects.some((effect) => effect !== 'read' && effect !== 'network')
  const later = changes && touched.some((one) => one.kind === 'path' && runsLaterAt(one.id))
  const known = {
    tool,
    source,
    effects: later ? [...effects, 'runs_later' as const] : effects,
    touched,
    insideWorkspace,
    network,
    destructive,
    arguments: canonicalize(input),
  }
  const fitting = RULES.filter((rule) => rule.fits(known))
  const level = Math.max(1, ...fitting.map((rule) => riskLevel(rule.risk)))
  return { ...known, risk: RISKS[level - 1] ?? 'critical', rules: fitting.map((rule) => rule.id) }
}
