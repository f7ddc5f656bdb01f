// By what the calls of an attached session are judged. To observe is a policy too, recorded under its own hash: it lets every
// call pass, and says of each what it risks. A gated call is judged from the rules that Cedar read when the host was attached;
// Cedar itself is loaded with the first call of which only it can tell.

import { createHash } from 'node:crypto'
import type { PolicyInForce } from '../../clerk/performers/agents/ports.ts'
import { canonicalize, type Json } from '../../ledger/canonical.ts'
import { hostFacts } from '../../tools/hosts/host-tools.ts'
import { loadCedarForFew } from '../../tools/policy/cedar.ts'
import { decideParsed, type ParsedPolicy } from '../../tools/policy/parsed-policy.ts'
import { type Decision, loadPolicy, type Policy, policyHash } from '../../tools/policy/policy.ts'
import type { PolicyFile } from '../../tools/policy/policy-files.ts'
import { type Facts, factsOf } from '../../tools/policy/risk.ts'
import type { ToolDefinition } from '../../tools/toolset.ts'

export type Mode = 'gate' | 'record'

export interface AttachedPolicy extends PolicyInForce {
  /** As it is recorded. */
  readonly text: string
  readonly observes: boolean
}

const EXECUTOR = 'executor'
const OBSERVE = canonicalize({ observe: 'every call is recorded and none is held up' })

/** How the tools of a session are defined: those of a host by our table, those of others as they say. */
export type Define = (tool: string) => ToolDefinition

const factsFor = (definition: ToolDefinition, input: Json, workspace: string): Facts =>
  definition.source.startsWith('host.')
    ? hostFacts(definition, input, workspace)
    : factsOf(definition, input, workspace)

const reasonsOf = (rules: readonly string[]): readonly string[] => rules.map((rule) => `risk: ${rule}`)

function observePolicy(define: Define, workspace: string): AttachedPolicy {
  return {
    hash: createHash('sha256').update(OBSERVE).digest('hex'),
    text: OBSERVE,
    observes: true,
    async assess({ tool, input }) {
      const { risk, rules } = factsFor(define(tool), input, workspace)
      return { decision: 'allow', needs: 'none', risk, deciding: ['observe'], reasons: reasonsOf(rules) }
    },
  }
}

/** What calls are judged by. */
export interface Judging {
  readonly mode: Mode
  /** What gates; none is needed to observe. */
  readonly policy: PolicyFile
  /** The same as Cedar read it. */
  readonly parsed?: ParsedPolicy
}

/** The files in force where the operator alone has a say. */
export const filesOf = (policy: PolicyFile) => ({ operator: [policy], task: [] })

export async function attachedPolicy(
  { mode, policy, parsed }: Judging,
  define: Define,
  workspace: string,
): Promise<AttachedPolicy> {
  if (mode === 'record') return observePolicy(define, workspace)
  const files = filesOf(policy)
  const hash = await policyHash(files)
  let loading: Promise<Policy> | null = null
  const byCedar = async (facts: Facts): Promise<Decision> => {
    loading ??= loadCedarForFew().then(() => loadPolicy(files))
    return (await loading).decide(facts, EXECUTOR)
  }
  return {
    hash,
    text: canonicalize(files),
    observes: false,
    async assess({ tool, input }) {
      const facts = factsFor(define(tool), input, workspace)
      const known = parsed?.hash === hash ? decideParsed(parsed, facts, EXECUTOR) : null
      const { needs, risk, rules, policies, errors } = known ?? (await byCedar(facts))
      return {
        decision: needs === 'deny' ? 'deny' : 'allow',
        needs: needs === 'deny' ? 'none' : needs,
        risk,
        deciding: policies,
        reasons: [...reasonsOf(rules), ...errors],
      }
    },
  }
}
