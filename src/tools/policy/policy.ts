// The operator's policies and the task's, judged by Cedar. They are read and checked before any of them
// decides; `decision.ts` combines their decisions.

import { createHash } from 'node:crypto'
import { canonicalize } from '../../ledger/canonical.ts'
import { type Cedar, loadCedar } from './cedar.ts'
import { type Ask, actionOf, contextOf, type Decision, decisionBy, principalOf } from './decision.ts'
import { type PolicyFile, policiesIn, schemaText } from './policy-files.ts'
import type { Facts } from './risk.ts'
import { entitiesOf } from './touched-resources.ts'

export { type Decision, NEEDS, type Needs } from './decision.ts'

/** Rules over intents, decided by Cedar. */
export interface Policy {
  /** Over the texts of all policies and their schema. */
  readonly hash: string
  decide(facts: Facts, role: string): Decision
}

const askCedar =
  (cedar: Cedar, set: string): Ask =>
  ({ facts, resource, role, action }) => {
    const answer = cedar.statefulIsAuthorized({
      principal: principalOf(role),
      action: actionOf(action),
      resource: resource.uid,
      context: contextOf(facts),
      preparsedPolicySetId: set,
      entities: entitiesOf(resource),
    })
    if (answer.type === 'failure')
      return { policies: [], errors: answer.errors.map(({ message }) => message) }
    const { decision, diagnostics } = answer.response
    if (diagnostics.errors.length === 0)
      return { allowed: decision === 'allow', policies: diagnostics.reason }
    return {
      policies: diagnostics.errors.map(({ policyId }) => policyId),
      errors: diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`),
    }
  }

/** The operator's, and the task's: empty when it brings none. */
export interface PolicyFiles {
  readonly operator: readonly PolicyFile[]
  readonly task: readonly PolicyFile[]
}

/** The hash under which these files would be in force, computed without loading the engine. */
export async function policyHash(files: PolicyFiles): Promise<string> {
  const schema = await schemaText()
  const texts = (set: readonly PolicyFile[]) => set.map(({ name, text }) => ({ name, text }))
  const all = canonicalize({ schema, operator: texts(files.operator), task: texts(files.task) })
  return createHash('sha256').update(all, 'utf8').digest('hex')
}

/** The operator's policies and the task's, by their ids. */
type PolicySets = readonly ReturnType<typeof policiesIn>[]

/**
 * The policies of both sets by their ids, each found valid. The operator's always decides: without policies it
 * permits nothing.
 */
export async function parseSets(files: PolicyFiles): Promise<PolicySets> {
  const [cedar, schema] = await Promise.all([loadCedar(), schemaText()])
  return [files.operator, files.task]
    .filter((set, at) => at === 0 || set.length > 0)
    .map((set) => Object.assign({}, ...set.map((file) => policiesIn(cedar, schema, file))))
}

/** Policies by their ids, as sets that Cedar was given. */
export async function askedOfCedar(sets: PolicySets, hash: string): Promise<Policy> {
  const cedar = await loadCedar()
  const asks = sets.map((policies, at) => {
    const staticPolicies = Object.fromEntries(Object.entries(policies).map(([id, { text }]) => [id, text]))
    const name = `${hash}/${at === 0 ? 'operator' : 'task'}`
    const answer = cedar.preparsePolicySet(name, { staticPolicies })
    if (answer.type === 'failure') throw new Error(answer.errors.map((error) => error.message).join('; '))
    return askCedar(cedar, name)
  })
  return { hash, decide: (facts, role) => decisionBy(asks, hash, facts, role) }
}

/** Rules from these files, ready to judge. Throws CONFIG_INVALID, with the line, for a file that cannot be used. */
export const loadPolicy = async (files: PolicyFiles): Promise<Policy> =>
  askedOfCedar(await parseSets(files), await policyHash(files))
