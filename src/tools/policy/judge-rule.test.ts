// Rules judged here against the same rules judged by Cedar: over generated ones, over what goes beyond them, and over the
// profiles. An answer that Cedar would not give is a hole in every gate, so none is taken on trust.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../ledger/canonical.ts'
import type { Effect, ToolDefinition } from '../toolset.ts'
import { loadCedar } from './cedar.ts'
import { type Judgement, judgeByRules, type Question } from './judge-rule.ts'
import { decideParsed, openPolicy, parsePolicy } from './parsed-policy.ts'
import { loadPolicy } from './policy.ts'
import { PROFILES, profileFile } from './policy-files.ts'
import { type CallEffect, type Facts, factsOf, RISKS } from './risk.ts'
import { entitiesOf } from './touched-resources.ts'

const cedar = await loadCedar()

function readRule(text: string): Json {
  const read = cedar.policyToJson(text)
  if (read.type === 'failure') throw new Error(`${read.errors[0]?.message}: ${text}`)
  return JSON.parse(JSON.stringify(read.json))
}

/** What Cedar says; null where a rule errs. */
function byCedar(rules: Readonly<Record<string, string>>, question: Question): Judgement | null {
  const { principal, action, resource, attributes, holders, context } = question
  const attrs = attributes as Record<string, boolean | number>
  const answer = cedar.isAuthorized({
    ...{ principal, action, resource, context: context as Record<string, never> },
    policies: { staticPolicies: rules },
    entities: entitiesOf({ uid: resource, attrs, holders }),
  })
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message)
  const { decision, diagnostics } = answer.response
  return diagnostics.errors.length > 0
    ? null
    : { allowed: decision === 'allow', policies: diagnostics.reason.toSorted() }
}

function byRules(rules: Readonly<Record<string, string>>, question: Question): Judgement | null {
  const read = Object.fromEntries(Object.entries(rules).map(([id, text]) => [id, readRule(text)]))
  const said = judgeByRules(read, question)
  return said && { ...said, policies: said.policies.toSorted() }
}

const word = fc.constantFrom('', 'a', 'b', 'ab', 'a*b', 'rm -rf', 'read', 'é', '𝒂')
const quoted = (text: string): string => JSON.stringify(text)
const ENTITIES = [
  'Witan::Role::"executor"',
  'Witan::Action::"run"',
  'Witan::Path::"workspace/src/a"',
  'Witan::Folder::"workspace/src"',
  'Witan::Folder::"workspace"',
  'Witan::Host::"a.example"',
]
const entity = fc.constantFrom(...ENTITIES, 'principal', 'action', 'resource')

/** Rules in Cedar's own words; some err, some compare what cannot be compared. */
const { condition } = fc.letrec<{
  condition: string
  number: string
  text: string
  set: string
  any: string
}>((tie) => {
  const joined = (of: fc.Arbitrary<string>, signs: readonly string[]) =>
    fc.tuple(of, fc.constantFrom(...signs), of).map(([one, sign, other]) => `(${one} ${sign} ${other})`)
  const pattern = fc
    .array(fc.constantFrom('*', 'a', 'b', '\\*', 'é'), { maxLength: 5 })
    .map((parts) => parts.join(''))
  return {
    number: fc.oneof(
      fc.integer({ min: -2, max: 5 }).map(String),
      fc.constantFrom('context.risk_level', 'resource.port', 'context.missing'),
    ),
    text: fc.oneof(word.map(quoted), fc.constantFrom('context.tool', 'context.arguments')),
    set: fc.oneof(
      fc
        .array(fc.oneof(tie('text'), tie('number'), entity), { maxLength: 3 })
        .map((all) => `[${all.join()}]`),
      fc.constant('context.effects'),
    ),
    any: fc.oneof(tie('number'), tie('text'), tie('set'), entity, tie('condition')),
    condition: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom('true', 'false', 'context.network', 'context.inside_workspace'),
      joined(tie('any'), ['==', '!=']),
      joined(tie('number'), ['<', '<=', '>', '>=']),
      joined(tie('condition'), ['&&', '||']),
      tie('condition').map((one) => `!(${one})`),
      fc.tuple(tie('set'), tie('any')).map(([set, one]) => `${set}.contains(${one})`),
      fc
        .tuple(tie('set'), fc.constantFrom('containsAll', 'containsAny'), tie('set'))
        .map(([set, name, other]) => `${set}.${name}(${other})`),
      fc.tuple(entity, entity).map(([one, other]) => `(${one} in ${other})`),
      fc.tuple(entity, fc.array(entity, { maxLength: 3 })).map(([one, all]) => `(${one} in [${all.join()}])`),
      fc
        .tuple(entity, fc.constantFrom('Path', 'Host', 'Role'))
        .map(([one, type]) => `(${one} is Witan::${type})`),
      entity.map((other) => `(resource is Witan::Path in ${other})`),
      fc.tuple(tie('text'), pattern).map(([text, like]) => `(${text} like "${like}")`),
      fc.constantFrom('port', 'inside_workspace', 'x').map((name) => `(resource has ${name})`),
      fc.constantFrom('tool', 'x').map((name) => `(context has ${name})`),
      fc
        .tuple(tie('condition'), tie('condition'), tie('condition'))
        .map(([when, then, other]) => `(if ${when} then ${then} else ${other})`),
      // What is judged by Cedar alone.
      fc.constantFrom('(context.risk_level + 1 > 2)', 'context.effects.isEmpty()', '({a: 1}.a == 1)'),
    ),
  }
})

const rule = fc
  .tuple(
    fc.constantFrom('permit', 'permit', 'forbid'),
    fc.constantFrom('principal', 'principal is Witan::Role', 'principal == Witan::Role::"executor"'),
    fc.constantFrom(
      'action',
      'action == Witan::Action::"run"',
      'action in [Witan::Action::"run", Witan::Action::"x"]',
    ),
    fc.constantFrom(
      'resource',
      'resource == Witan::Path::"workspace/src/a"',
      'resource in Witan::Folder::"workspace"',
      'resource is Witan::Path in Witan::Folder::"workspace/src"',
      'resource is Witan::Host',
    ),
    fc.array(fc.tuple(fc.constantFrom('when', 'unless'), condition), { maxLength: 2 }),
  )
  .map(
    ([effect, principal, action, resource, conditions]) =>
      `${effect} (${principal}, ${action}, ${resource}) ${conditions.map(([kind, body]) => `${kind} { ${body} }`).join(' ')};`,
  )

const question = fc
  .record({
    isPath: fc.boolean(),
    action: fc.constantFrom('run', 'run_after_human'),
    context: fc.record({
      tool: word,
      arguments: word,
      effects: fc.uniqueArray(fc.constantFrom('read', 'write', 'a'), { maxLength: 3 }),
      risk_level: fc.integer({ min: 1, max: 4 }),
      inside_workspace: fc.boolean(),
      network: fc.boolean(),
    }),
  })
  .map(
    ({ isPath, action, context }): Question => ({
      principal: { type: 'Witan::Role', id: 'executor' },
      action: { type: 'Witan::Action', id: action },
      context,
      ...(isPath
        ? {
            resource: { type: 'Witan::Path', id: 'workspace/src/a' },
            attributes: { inside_workspace: true },
            holders: ['workspace/src', 'workspace'].map((id) => ({ type: 'Witan::Folder', id })),
          }
        : {
            resource: { type: 'Witan::Host', id: 'a.example' },
            attributes: { port: 443, private: false },
            holders: ['a.example', 'example'].map((id) => ({ type: 'Witan::Domain', id })),
          }),
    }),
  )

const asked = (given: Partial<Question> = {}): Question => ({
  principal: { type: 'Witan::Role', id: 'executor' },
  action: { type: 'Witan::Action', id: 'run' },
  resource: { type: 'Witan::Path', id: 'workspace/a' },
  attributes: { inside_workspace: true },
  holders: [{ type: 'Witan::Folder', id: 'workspace' }],
  context: { tool: 'x', risk_level: 2 },
  ...given,
})
const permit = (when: string): Readonly<Record<string, string>> => ({
  one: `permit (principal, action, resource) when { ${when} };`,
})

const fileTool = (name: string, effect: Effect): ToolDefinition => ({
  ...{ name: `files.${name}`, description: '', inputSchema: { type: 'object' }, source: 'files' },
  effects: [effect],
})

describe('rules judged without Cedar', () => {
  it('AGT-X-7 decide as Cedar does, or not at all', () => {
    let decided = 0
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), question, (texts, given) => {
        const rules = Object.fromEntries(texts.map((text, at) => [`r${at}`, text]))
        const said = byRules(rules, given)
        if (said === null) return
        decided++
        expect(said).toEqual(byCedar(rules, given))
      }),
      { numRuns: 1_500 },
    )
    // A judge that never says anything would pass too.
    expect(decided).toBeGreaterThan(500)
  })

  it('AGT-X-7 match a pattern exactly where Cedar does', () => {
    const letters = (of: readonly string[]) => fc.array(fc.constantFrom(...of), { maxLength: 7 })
    fc.assert(
      fc.property(letters(['a', 'b', '*']), letters(['a', 'b', '*', '*', '\\\\*']), (text, pattern) => {
        const rules = permit(`context.tool like "${pattern.join('')}"`)
        const given = asked({ context: { tool: text.join('') } })
        expect(byRules(rules, given)).toEqual(byCedar(rules, given))
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    'context.missing == 1',
    '1 < "a"',
    'context.tool',
    '!context.tool',
    'context.risk_level + 1 == 3',
    'context.risk_level == 9223372036854775807',
    'resource.port == 1',
    'ip("127.0.0.1").isLoopback()',
    'resource.hasTag("x")',
    '{a: 1} == {a: 1}',
    'context == context',
    'principal in "a"',
  ])('leave the decision to Cedar: %s', (when) => {
    expect(byRules(permit(when), asked())).toBe(null)
  })

  it('leave the decision to Cedar if a text would be changed on the way to it', () => {
    const lone = '\ud800'
    expect(byRules(permit('context.tool != "x"'), asked({ context: { tool: lone } }))).toBe(null)
    expect(byRules(permit('true'), asked({ resource: { type: 'Witan::Path', id: lone } }))).toBe(null)
  })

  it('leave the decision to Cedar if the kept form is not a rule', () => {
    for (const rule of [
      null,
      'x',
      {},
      { effect: 'permit' },
      { ...(readRule(permit('true').one ?? '') as object), effect: 'x' },
    ])
      expect(judgeByRules({ one: rule as Json }, asked())).toBe(null)
  })

  it.each(PROFILES)(
    'AGT-X-7 decide by the profile %s as Cedar does, for every kind of call',
    async (profile) => {
      const files = { operator: [await profileFile(profile)], task: [] }
      const [policy, parsed] = [await loadPolicy(files), await parsePolicy(files)]
      expect(parsed.hash).toBe(policy.hash)
      const EFFECTS: readonly (readonly CallEffect[])[] = [
        ['read'],
        ['read', 'network'],
        ['write'],
        ['unknown'],
        ['destroy'],
      ]
      for (const effects of EFFECTS)
        for (const risk of RISKS)
          for (const flags of [0, 1, 2, 3, 4, 5, 6, 7]) {
            const facts: Facts = {
              ...{
                tool: 'Read',
                source: 'host.claude-code',
                effects,
                touched: [],
                risk,
                rules: [],
                arguments: '{}',
              },
              ...{ insideWorkspace: (flags & 1) > 0, network: (flags & 2) > 0, destructive: (flags & 4) > 0 },
            }
            expect(decideParsed(parsed, facts, 'executor')).toEqual(policy.decide(facts, 'executor'))
          }
    },
  )

  it('AGT-X-7 decide for a session as Cedar does, by rules of both kinds', async () => {
    const beyond = 'permit (principal, action, resource) when { context.risk_level + 1 > 2 };'
    const forbids = 'forbid (principal, action, resource in Witan::Folder::"workspace/keys");'
    for (const task of [
      [],
      [{ name: 'beyond', text: beyond }],
      [{ name: 'mixed', text: `${beyond}\n${forbids}` }],
    ]) {
      const files = { operator: [await profileFile('default')], task }
      const [byCedar, opened] = [await loadPolicy(files), await openPolicy(files)]
      expect(opened.hash).toBe(byCedar.hash)
      for (const path of ['a', 'keys/a', '../b', '/etc/passwd'])
        for (const [name, effect] of [
          ['read', 'read'],
          ['write', 'write'],
        ] as const) {
          const facts = factsOf(fileTool(name, effect), { path, content: '' }, '/work')
          expect(opened.decide(facts, 'executor')).toEqual(byCedar.decide(facts, 'executor'))
        }
    }
  })
})
