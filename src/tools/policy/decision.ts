// Whether a call may run, and after whose approval. The operator's policies and the task's each decide for
// everything that the call accesses, and the strictest decision counts: a task can only restrict. The actions
// `run`, `run_after_critic` and `run_after_human` are tried in this order, and the first that is allowed says
// what is needed. A policy with an error denies, since Cedar would ignore it, and it may have been the one
// that forbids.

import { type Facts, type Risk, riskLevel } from './risk.ts'
import { type Resource, resourcesOf } from './touched-resources.ts'

/** Whose approval a call needs, from none to forbidden. */
export const NEEDS = ['none', 'critic', 'human', 'deny'] as const
/** Whose approval an intent also needs. */
export type Needs = (typeof NEEDS)[number]

/** The policy's decision about an intent, and the rules behind it. */
export interface Decision {
  readonly needs: Needs
  readonly risk: Risk
  /** The rules that determined the risk class. */
  readonly rules: readonly string[]
  /** The policies that decided, as `<file>#<id>`; empty when none permits. */
  readonly policies: readonly string[]
  /** Errors of policies. */
  readonly errors: readonly string[]
  readonly policyHash: string
}

const ACTIONS = [
  ['run', 'none'],
  ['run_after_critic', 'critic'],
  ['run_after_human', 'human'],
] as const

type Verdict = Pick<Decision, 'needs' | 'policies' | 'errors'>

const stricter = (one: Needs, other: Needs): Needs =>
  NEEDS.indexOf(one) >= NEEDS.indexOf(other) ? one : other

/** The decision of a set of policies about one action. */
type PolicyAnswer =
  | { readonly allowed: boolean; readonly policies: readonly string[] }
  | { readonly errors: readonly string[]; readonly policies: readonly string[] }

interface Asked {
  readonly facts: Facts
  readonly resource: Resource
  readonly role: string
  readonly action: string
}

/** A set of policies that can be asked. */
export type Ask = (asked: Asked) => PolicyAnswer

function verdictOf(ask: Ask, about: Omit<Asked, 'action'>): Verdict {
  let policies: readonly string[] = []
  for (const [action, needs] of ACTIONS) {
    const answer = ask({ ...about, action })
    if ('errors' in answer) return { needs: 'deny', ...answer }
    if (answer.allowed) return { needs, policies: answer.policies, errors: [] }
    policies = answer.policies
  }
  return { needs: 'deny', policies, errors: [] }
}

/** The strictest decision of all sets over all that is accessed. */
export function decisionBy(sets: readonly Ask[], policyHash: string, facts: Facts, role: string): Decision {
  const verdicts = resourcesOf(facts).flatMap((resource) =>
    sets.map((ask) => verdictOf(ask, { facts, resource, role })),
  )
  const needs = verdicts.map((one) => one.needs).reduce(stricter)
  const deciding = verdicts.filter((one) => one.needs === needs)
  const unique = (of: (verdict: Verdict) => readonly string[]) => [...new Set(deciding.flatMap(of))].sort()
  return {
    needs,
    risk: facts.risk,
    rules: facts.rules,
    policies: unique((one) => one.policies),
    errors: unique((one) => one.errors),
    policyHash,
  }
}

/** What every engine gets of a call, in the terms of the schema. */
export function contextOf(facts: Facts) {
  return {
    tool: facts.tool,
    source: facts.source,
    effects: [...facts.effects],
    risk: facts.risk,
    risk_level: riskLevel(facts.risk),
    inside_workspace: facts.insideWorkspace,
    network: facts.network,
    destructive: facts.destructive,
    arguments: facts.arguments,
  }
}

export const principalOf = (role: string) => ({ type: 'Witan::Role', id: role })
export const actionOf = (action: string) => ({ type: 'Witan::Action', id: action })
