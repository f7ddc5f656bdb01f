// Policies in Cedar's parsed form, kept so that a process which judges few calls need not load it, and one
// that judges many asks it only where it must: a question to Cedar costs a millisecond. Decisions are the
// same as Cedar's; where only Cedar can tell, there is no decision.

import type { Json } from '../../ledger/canonical.ts'
import { type Ask, actionOf, contextOf, type Decision, decisionBy, principalOf } from './decision.ts'
import { judgeByRules } from './judge-rule.ts'
import { askedOfCedar, type Policy, type PolicyFiles, parseSets, policyHash } from './policy.ts'
import type { Facts } from './risk.ts'

export interface ParsedPolicy {
  /** Of the files, under the schema that they were read with. */
  readonly hash: string
  readonly sets: readonly { readonly [id: string]: Json }[]
}

/** Throws as `loadPolicy` does. */
export async function parsePolicy(files: PolicyFiles): Promise<ParsedPolicy> {
  return { hash: await policyHash(files), sets: rulesIn(await parseSets(files)) }
}

const rulesIn = (sets: Awaited<ReturnType<typeof parseSets>>): ParsedPolicy['sets'] =>
  sets.map((policies) => Object.fromEntries(Object.entries(policies).map(([id, { json }]) => [id, json])))

/** Decides as `loadPolicy` does, and throws as it does. */
export async function openPolicy(files: PolicyFiles): Promise<Policy> {
  const [parsedSets, hash] = [await parseSets(files), await policyHash(files)]
  const byCedar = await askedOfCedar(parsedSets, hash)
  const parsed = { hash, sets: rulesIn(parsedSets) }
  return { hash, decide: (facts, role) => decideParsed(parsed, facts, role) ?? byCedar.decide(facts, role) }
}

class Unjudged extends Error {}

/** What `loadPolicy` would decide about the same files; null where only Cedar can tell. */
export function decideParsed({ hash, sets }: ParsedPolicy, facts: Facts, role: string): Decision | null {
  const asks = sets.map(
    (rules): Ask =>
      ({ resource, action }) => {
        const { uid, attrs: attributes, holders } = resource
        const head = { principal: principalOf(role), action: actionOf(action), resource: uid }
        const answer = judgeByRules(rules, { ...head, attributes, holders, context: contextOf(facts) })
        if (answer === null) throw new Unjudged()
        return answer
      },
  )
  try {
    return decisionBy(asks, hash, facts, role)
  } catch (error) {
    if (error instanceof Unjudged) return null
    throw error
  }
}
