// Policies decide about real definitions and inputs, through Cedar: the profiles, tightening, and files that are wrong.
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { cleanPlanted } from '../../../test/contracts/toolsets.ts'
import type { Json } from '../../ledger/canonical.ts'
import { fileTools } from '../files/files.ts'
import { httpTools } from '../http/http.ts'
import { shellTools } from '../shell/shell.ts'
import type { Effect, ToolDefinition } from '../toolset.ts'
import { loadPolicy, type Needs, type Policy } from './policy.ts'
import { isProfile, type PolicyFile, PROFILES, type Profile, profileFile } from './policy-files.ts'
import { factsOf, type Risk, RULES } from './risk.ts'

const WORKSPACE = '/home/ana/project'
const roots = [{ name: 'workspace', path: WORKSPACE, write: true }]
const forbidden = { never: [], homes: [] }
const base = { roots, forbidden, clean: cleanPlanted }
const { signal } = new AbortController()
const own = (
  await Promise.all(
    [
      fileTools(base),
      shellTools({ ...base, commands: [], scripts: true }),
      httpTools({ hosts: [], clean: cleanPlanted }),
    ].map((toolset) => toolset.tools(signal)),
  )
).flat()
const [unconfined] = await shellTools({ ...base, commands: [], unconfined: true }).tools(signal)

const served = (tool: string, ...effects: Effect[]): ToolDefinition => ({
  name: `mcp.docs.${tool}`,
  description: '',
  inputSchema: { type: 'object' },
  effects,
  source: 'mcp.docs',
})
const named = (name: string): ToolDefinition => {
  const found = own.find((tool) => tool.name === name)
  if (found === undefined) throw new Error(name)
  return found
}
const facts = (tool: string | ToolDefinition, input: Json) =>
  factsOf(typeof tool === 'string' ? named(tool) : tool, input, WORKSPACE)
const run = (...command: string[]) => facts('shell.run', { command })

const profiled = async (profile: Profile, task: readonly PolicyFile[] = []): Promise<Policy> =>
  loadPolicy({ operator: [await profileFile(profile)], task })

describe('the risk of a call', () => {
  const cases: [string, ReturnType<typeof facts>, Risk, string][] = [
    ['reading inside', facts('files.read', { path: 'src/a.ts' }), 'low', ''],
    ['listing inside', facts('files.list', { path: '.' }), 'low', ''],
    ['writing inside', facts('files.write', { path: 'a.txt', content: '' }), 'medium', 'writes'],
    ['reading another root', facts('files.read', { root: 'data', path: 'a' }), 'high', 'outside'],
    ['reading by climbing', facts('files.read', { path: '../a' }), 'high', 'outside'],
    ['reading a key', facts('files.read', { path: 'config/id_rsa' }), 'high', 'credentials'],
    ['a command', run('cat', 'a'), 'medium', 'executes'],
    ['an interpreter', run('node', '-e', '1'), 'high', 'any-code'],
    ['removing', run('rm', '-rf', 'a'), 'high', 'destroys'],
    ['removing through a shell', run('sh', '-c', 'cd x && rm -rf y'), 'high', 'destroys'],
    ['removing through find', run('find', '.', '-name', 'x', '-delete'), 'high', 'destroys'],
    ['pushing', run('git', 'push', '--force'), 'high', 'destroys'],
    ['reading history', run('git', 'log'), 'medium', 'executes'],
    ['privilege', run('sudo', 'ls'), 'critical', 'privilege'],
    ['fetching', facts('http.get', { url: 'https://docs.example/a' }), 'medium', 'fetches'],
    ['sending', facts('http.post', { url: 'https://docs.example/a' }), 'high', 'sends'],
    [
      'deleting over HTTP',
      facts('http.delete', { url: 'https://docs.example/a' }),
      'critical',
      'destroys-outside',
    ],
    ['a private host', facts('http.get', { url: 'http://169.254.169.254/' }), 'critical', 'private-host'],
    ['no address', facts('http.get', { url: 'file:///etc/passwd' }), 'critical', 'private-host'],
    ['a stranger', facts(served('search', 'unknown'), { query: 'x' }), 'high', 'unknown'],
    ['a known reader', facts(served('search', 'read'), { query: 'a/b or c' }), 'low', ''],
    ['a reader inside', facts(served('read', 'read'), { path: `${WORKSPACE}/a` }), 'low', ''],
    ['a reader outside', facts(served('read', 'read'), { path: '/etc/passwd' }), 'high', 'outside'],
    ['a reader by address', facts(served('read', 'read'), { uri: 'file:///etc/passwd' }), 'high', 'outside'],
    ['a climber', facts(served('read', 'read'), { x: [`${WORKSPACE}/../.ssh/id`] }), 'high', 'outside'],
    [
      'a reader of the net',
      facts(served('read', 'read'), { deep: { page: 'https://a.example' } }),
      'medium',
      'fetches',
    ],
    ['a destroyer by name', facts(served('delete_all', 'write'), {}), 'high', 'destroys'],
  ]
  it.each(cases)('%s', (_name, found, risk, rule) => {
    expect(found.risk, found.rules.join()).toBe(risk)
    if (rule !== '') expect(found.rules).toContain(rule)
    else expect(found.rules).toEqual([])
  })

  it('is documented rule by rule', async () => {
    const text = await readFile('spec/tools.md', 'utf8')
    const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (low|medium|high|critical) \|/gm)]
    expect(rows.map(([, id, risk]) => [id, risk])).toEqual(RULES.map(({ id, risk }) => [id, risk]))
  })

  it('is critical if a command is not confined', () => {
    if (unconfined === undefined) throw new Error('no tool')
    expect(factsOf(unconfined, { command: ['ls'] }, WORKSPACE).risk).toBe('critical')
    expect(new Set(RULES.map((rule) => rule.id)).size).toBe(RULES.length)
  })
})

describe('the profiles', () => {
  const calls = {
    read: facts('files.read', { path: 'a' }),
    write: facts('files.write', { path: 'a', content: '' }),
    execute: run('cat', 'a'),
    destroy: run('rm', 'a'),
    outside: facts('files.read', { root: 'data', path: 'a' }),
    fetch: facts('http.get', { url: 'https://docs.example/' }),
    send: facts('http.post', { url: 'https://docs.example/' }),
    unknown: facts(served('x', 'unknown'), {}),
  }
  const table: Record<Profile, Record<keyof typeof calls, Needs>> = {
    strict: {
      ...{ read: 'none', write: 'human', execute: 'human', destroy: 'deny' },
      ...{ outside: 'deny', fetch: 'deny', send: 'deny', unknown: 'deny' },
    },
    default: {
      ...{ read: 'none', write: 'critic', execute: 'critic', destroy: 'human' },
      ...{ outside: 'human', fetch: 'human', send: 'human', unknown: 'human' },
    },
    lenient: {
      ...{ read: 'none', write: 'none', execute: 'none', destroy: 'human' },
      ...{ outside: 'critic', fetch: 'critic', send: 'human', unknown: 'human' },
    },
  }
  it.each(PROFILES)('%s decides as documented', async (profile) => {
    const policy = await profiled(profile)
    const found = Object.entries(calls).map(([name, call]) => [name, policy.decide(call, 'executor').needs])
    expect(Object.fromEntries(found)).toEqual(table[profile])
    const { read, write, destroy, outside, fetch, send, unknown } = table[profile]
    const row = [`\`${profile}\``, read, write, destroy, outside, fetch, send, unknown]
    expect(await readFile('spec/tools.md', 'utf8')).toContain(`| ${row.join(' | ')} |`)
    expect(isProfile(profile)).toBe(true)
  })

  it('name the policies that decided, and the risk', async () => {
    const policy = await profiled('default')
    expect(policy.decide(calls.write, 'executor')).toEqual({
      needs: 'critic',
      risk: 'medium',
      rules: ['writes'],
      policies: ['default#changes-inside-need-the-critic'],
      errors: [],
      policyHash: policy.hash,
    })
    const strict = await profiled('strict')
    expect(strict.decide(calls.destroy, 'executor').policies).toEqual(['strict#nothing-destructive'])
    expect(strict.decide(calls.outside, 'executor').policies).toEqual([])
  })
})

describe('a policy of a task', () => {
  const open: PolicyFile = { name: 'open.cedar', text: '@id("all") permit (principal, action, resource);' }
  const order: readonly Needs[] = ['none', 'critic', 'human', 'deny']

  it('only tightens: the strictest decision counts, for everything that is touched', async () => {
    const calls = [
      facts('files.read', { path: 'a' }),
      facts('files.write', { path: 'a', content: '' }),
      run('rm', 'a'),
      facts('http.post', { url: 'https://docs.example/' }),
      facts(served('copy', 'read'), { from: `${WORKSPACE}/a`, path: '/etc/x' }),
    ]
    for (const profile of PROFILES) {
      const alone = await profiled(profile)
      for (const task of [open, await profileFile('strict'), await profileFile('lenient')]) {
        const both = await profiled(profile, [task])
        const single = await loadPolicy({ operator: [task], task: [] })
        for (const call of calls) {
          const strictest = [alone, single].map((one) => order.indexOf(one.decide(call, 'executor').needs))
          expect(order.indexOf(both.decide(call, 'executor').needs)).toBe(Math.max(...strictest))
        }
      }
    }
  })

  it('may speak of folders, domains, commands, roles and arguments', async () => {
    const text = `
      @id("no-secrets") forbid (principal, action, resource in Witan::Folder::"workspace/secrets");
      @id("no-evil") forbid (principal, action, resource in Witan::Domain::"evil.example");
      @id("no-curl") forbid (principal, action, resource == Witan::Command::"curl");
      @id("no-planner") forbid (principal == Witan::Role::"planner", action, resource);
      @id("no-prod") forbid (principal, action, resource) when { context.arguments like "*production*" };
      @id("rest") permit (principal, action, resource);`
    const policy = await loadPolicy({ operator: [{ name: 'own.cedar', text }], task: [] })
    const ids = (call: ReturnType<typeof facts>, role = 'executor') => policy.decide(call, role).policies
    expect(ids(facts('files.read', { path: 'secrets/deep/a' }))).toEqual(['own.cedar#no-secrets'])
    expect(ids(facts('files.read', { path: 'secretsx' }))).toEqual(['own.cedar#rest'])
    expect(ids(facts('http.get', { url: 'https://a.b.evil.example/' }))).toEqual(['own.cedar#no-evil'])
    expect(ids(facts('http.get', { url: 'https://notevil.example/' }))).toEqual(['own.cedar#rest'])
    expect(ids(run('curl', 'x'))).toEqual(['own.cedar#no-curl'])
    expect(ids(run('cat'), 'planner')).toEqual(['own.cedar#no-planner'])
    expect(ids(run('cat', 'production.db'))).toEqual(['own.cedar#no-prod'])
  })

  it('is in the hash, and so is every other text', async () => {
    const policies = [
      await profiled('default'),
      await profiled('strict'),
      await profiled('default', [open]),
      await profiled('default', [{ ...open, text: `${open.text} ` }]),
      await loadPolicy({ operator: [], task: [] }),
    ]
    expect(new Set(policies.map((policy) => policy.hash)).size).toBe(policies.length)
    expect((await profiled('default')).hash).toBe(policies[0]?.hash)
    // Without any policy nothing is permitted.
    expect(policies[4]?.decide(run('ls'), 'executor')).toMatchObject({ needs: 'deny', policies: [] })
  })

  it('with an error denies, whatever the others say', async () => {
    const text = `@id("sum") forbid (principal, action, resource) when { 9223372036854775807 + context.risk_level < 0 };
      @id("all") permit (principal, action, resource);`
    const policy = await loadPolicy({ operator: [{ name: 'sum.cedar', text }], task: [] })
    const decision = policy.decide(run('ls'), 'executor')
    expect(decision).toMatchObject({ needs: 'deny', policies: ['sum.cedar#sum'] })
    expect(decision.errors[0]).toMatch(/overflow/)
  })

  it.each([
    ['is no Cedar', `// ${'é'.repeat(60)}\n\npermit (principal action);`, /own\.cedar:3 cannot/],
    [
      'speaks of what is not there',
      `// ${'é'.repeat(60)}\n\npermit (principal, action, resource)\nwhen { context.insde };`,
      /own\.cedar:4 .*insde/,
    ],
    [
      'names no such action',
      'permit (principal, action == Witan::Action::"runn", resource);',
      /own\.cedar:1 .*runn/,
    ],
    ['holds a template', 'permit (principal == ?principal, action, resource);', /template/],
    ['is empty', '// nothing', /no policy/],
    [
      'uses an id twice',
      '@id("a") permit (principal, action, resource); @id("a") forbid (principal, action, resource);',
      /two policies have the id a/,
    ],
  ])('that %s is refused, with its line', async (_what, text, words) => {
    const loading = loadPolicy({
      operator: [await profileFile('default')],
      task: [{ name: 'own.cedar', text }],
    })
    await expect(loading).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(words),
    })
  })
})
