// Whether a call may run, and after whose consent. The operator's policies and the task's each decide for everything
// that the call touches, and the strictest word counts: a task can only tighten. The actions `run`, `run_after_critic`
// and `run_after_human` are tried in this order, and the first that is allowed says what is needed. A policy that errs
// denies, for Cedar would pass over it, and it may have been the one that forbids.

import { createHash } from 'node:crypto'
import { canonicalize } from '../../ledger/canonical.ts'
import { type Cedar, loadCedar } from './cedar.ts'
import { type PolicyFile, policiesIn, schemaText } from './policy-files.ts'
import { type Facts, type Risk, riskLevel } from './risk.ts'
import { entitiesOf, type Resource, resourcesOf } from './touched-resources.ts'

/** Whose consent a call needs, from no one to what no one can give. */
export const NEEDS = ['none', 'critic', 'human', 'deny'] as const
/** Whose consent an intent needs besides. */
export type Needs = (typeof NEEDS)[number]

/** What the policy says of an intent, and by which of its rules. */
export interface Decision {
  readonly needs: Needs
  readonly risk: Risk
  /** The rules that made the risk class. */
  readonly rules: readonly string[]
  /** The policies that decided, as `<file>#<id>`; empty when none permits. */
  readonly policies: readonly string[]
  /** What policies said when they erred. */
  readonly errors: readonly string[]
  readonly policyHash: string
}

/** Rules over intents, decided by Cedar. */
export interface Policy {
  /** Over the texts of all policies and the schema they speak. */
  readonly hash: string
  decide(facts: Facts, role: string): Decision
}

const ACTIONS = [
  ['run', 'none'],
  ['run_after_critic', 'critic'],
  ['run_after_human', 'human'],
] as const

type Verdict = Pick<Decision, 'needs' | 'policies' | 'errors'>

const stricter = (one: Needs, other: Needs): Needs =>
  NEEDS.indexOf(one) >= NEEDS.indexOf(other) ? one : other

function contextOf(facts: Facts) {
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

function verdictOf(cedar: Cedar, set: string, facts: Facts, resource: Resource, role: string): Verdict {
  let policies: readonly string[] = []
  for (const [action, needs] of ACTIONS) {
    const answer = cedar.statefulIsAuthorized({
      principal: { type: 'Witan::Role', id: role },
      action: { type: 'Witan::Action', id: action },
      resource: resource.uid,
      context: contextOf(facts),
      preparsedPolicySetId: set,
      entities: entitiesOf(resource),
    })
    if (answer.type === 'failure') {
      return { needs: 'deny', policies: [], errors: answer.errors.map((error) => error.message) }
    }
    const { decision, diagnostics } = answer.response
    if (diagnostics.errors.length > 0) {
      const errors = diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`)
      return { needs: 'deny', policies: diagnostics.errors.map(({ policyId }) => policyId), errors }
    }
    if (decision === 'allow') return { needs, policies: diagnostics.reason, errors: [] }
    policies = diagnostics.reason
  }
  return { needs: 'deny', policies, errors: [] }
}

/** The operator's, and the task's: empty when it brings none. */
export interface PolicyFiles {
  readonly operator: readonly PolicyFile[]
  readonly task: readonly PolicyFile[]
}

/** The hash under which these files would be in force, known without loading what judges by them. */
export async function policyHash(files: PolicyFiles): Promise<string> {
  const schema = await schemaText()
  const texts = (set: readonly PolicyFile[]) => set.map(({ name, text }) => ({ name, text }))
  const all = canonicalize({ schema, operator: texts(files.operator), task: texts(files.task) })
  return createHash('sha256').update(all, 'utf8').digest('hex')
}

/** Rules from these files, ready to judge. Throws CONFIG_INVALID, with the line, for a file that cannot be used. */
export async function loadPolicy(files: PolicyFiles): Promise<Policy> {
  const cedar = await loadCedar()
  const schema = await schemaText()
  const hash = await policyHash(files)

  const sets = [files.operator, files.task].flatMap((set, at) => {
    // The operator's set always decides: without policies it permits nothing.
    if (set.length === 0 && at === 1) return []
    const staticPolicies = Object.assign({}, ...set.map((file) => policiesIn(cedar, schema, file)))
    const name = `${hash}/${at === 0 ? 'operator' : 'task'}`
    const answer = cedar.preparsePolicySet(name, { staticPolicies })
    if (answer.type === 'failure') throw new Error(answer.errors.map((error) => error.message).join('; '))
    return [name]
  })

  return {
    hash,
    decide(facts, role) {
      const verdicts = resourcesOf(facts).flatMap((resource) =>
        sets.map((set) => verdictOf(cedar, set, facts, resource, role)),
      )
      const needs = verdicts.map((one) => one.needs).reduce(stricter)
      const deciding = verdicts.filter((one) => one.needs === needs)
      const unique = (of: (verdict: Verdict) => readonly string[]) =>
        [...new Set(deciding.flatMap(of))].sort()
      return {
        needs,
        risk: facts.risk,
        rules: facts.rules,
        policies: unique((one) => one.policies),
        errors: unique((one) => one.errors),
        policyHash: hash,
      }
    },
  }
}
