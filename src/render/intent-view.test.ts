// What a person sees of a call before they decide on it.

import { describe, expect, it } from 'vitest'
import { EMPTY, type Intent, opinionKey, type SessionState } from '../agents/state.ts'
import { DEFAULT_LIMITS, type Task } from '../agents/task.ts'
import type { Json } from '../ledger/canonical.ts'
import { actOf, actWords } from './call-words.ts'
import { intentDetails, intentLines } from './intent-view.ts'
import { NO_PAINT } from './plain.ts'

const intentOf = (tool: string, input: Json, reasons: readonly string[] = []): Intent => ({
  id: 'p1-i1',
  proposal: 'p1',
  step: null,
  tool,
  definition: 'd',
  inputHash: 'i',
  input,
  risk: 'high',
  justification: 'it is needed',
  revises: null,
  hash: 'h',
  status: 'signed',
  round: 1,
  assessment: {
    action: 'assess/p1-i1',
    intent: 'p1-i1',
    decision: 'allow',
    needs: 'human',
    risk: 'high',
    policy: 'p',
    deciding: ['default#all-else-needs-a-person'],
    reasons,
  },
  approvals: [],
  council: null,
  blockedBy: null,
  reason: null,
  artifacts: [],
  call: null,
  quote: null,
})

const signs = (agent: string) => ({ agent, key: `key of ${agent}` })

const TASK: Task = {
  objective: 'Move it',
  constraints: [],
  workspace: 'workspace',
  roles: {
    planner: { ...signs('planner'), mind: null },
    executor: { ...signs('executor'), mind: null },
    critics: [],
    auditor: signs('auditor'),
  },
  policy: { hash: 'p', via_host: false, fallback: true, council_from: 'high' },
  limits: DEFAULT_LIMITS,
  evidence_min: 1,
  tools: [],
  proposals: [],
  seed: 's',
}

const seen = (intent: Intent, shown: object = {}, state: SessionState = EMPTY): readonly string[] =>
  intentLines(intent, shown, state, { paint: NO_PAINT, width: 80 })

describe('AGT-X-6 an intended call', () => {
  it('is shown with its path first, what becomes of the file, and the change line by line', () => {
    const write = intentOf('files.write', { path: 'a/b.txt', content: 'new\n' }, ['risk: writes'])
    const lines = seen(write, { exists: true, diff: [' same', '-old', '+new'] })
    expect(lines.slice(0, 4)).toEqual([
      'a/b.txt  → overwrite: 1 line out, 1 line in',
      '     same',
      '    -old',
      '    +new',
    ])
    expect(lines).toContain('  risk      high: it writes')
    expect(lines).toContain('  asked by  a person, by default#all-else-needs-a-person')
    expect(seen(write, { exists: false, diff: ['+new'] })[0]).toBe('a/b.txt  → create: 1 line in')
    expect(seen(write, { exists: true, diff: [] })[0]).toContain('no change')
    // Where no one could look, nothing is claimed of the file, and all that would be written is shown.
    const blind = seen(write, { exists: null, diff: null })
    expect([blind[0], blind.join('\n')]).toEqual([
      'a/b.txt  → create or overwrite',
      expect.stringContaining('"content": "new\\n"'),
    ])
  })

  it('is shown as a command with its folder, its sandbox and its environment', () => {
    const run = intentOf('shell.run', { command: ['rm', '-rf', 'a b'], cwd: 'build' }, ['risk: destroys'])
    const about_tool = 'Runs one command, given as a list of arguments, NOT confined: it can do all.'
    const lines = seen(run, { about_tool, folder: '/work' })
    expect(lines[0]).toBe("rm -rf 'a b'  → run, and delete")
    expect(lines).toContain('  folder    /work/build')
    expect(lines).toContain('  runs      NOT confined: it can do all.')
    expect(lines.join('\n')).toContain('nothing of yours')
  })

  it('is shown as a method with its address and host', () => {
    const post = intentOf('http.post', { url: 'https://api.example.com/x?y=1', body: 'a\nb' })
    const lines = seen(post)
    expect(lines[0]).toBe('https://api.example.com/x?y=1  → POST')
    expect(lines).toContain('  host      api.example.com')
    expect(lines.slice(3, 6)).toEqual(['  body      ', '    a', '    b'])
    expect(seen(intentOf('http.delete', { url: 'https://api.example.com/x' }))[0]).toContain('and delete')
  })

  it('is shown with the whole input of an unknown tool, and what other critics said', () => {
    const call = intentOf('mcp.files.move', { from: 'a', to: '\u001b[2Jb' })
    const seat = { seat: 'claude', kind: 'mind', agent: 'critic-claude', key: 'k' } as const
    const task = { ...TASK, roles: { ...TASK.roles, critics: [seat] } }
    const opinion = { verdict: 'approve', reasons: ['nothing is lost'] } as const
    const state = { ...EMPTY, task, opinions: new Map([[opinionKey('p1-i1', 'claude', 1), opinion]]) }
    const lines = seen(call, {}, state)
    expect(lines[0]).toBe('mcp.files.move  → call')
    expect(lines.join('\n')).toContain('\\u001b[2Jb')
    expect(lines.join('\n')).not.toContain('\u001b')
    expect(lines).toContain('  critic    claude: approve. nothing is lost')
  })
})

describe('AGT-X-6 a line of a session', () => {
  it('says which file, which command', () => {
    expect(actWords('files.read', { path: 'a.txt' })).toBe('read a.txt')
    expect(actWords('files.read', { path: 'a.txt', root: 'root1' })).toBe('read root1/a.txt')
    expect(actWords('shell.run', { command: ['npm', 'test'] })).toBe('run npm test')
    expect(actWords('http.get', { url: 'https://a.b/c' })).toBe('GET https://a.b/c')
    expect(actWords('mcp.x.y', { a: 1 })).toBe('mcp.x.y {"a":1}')
    expect(actWords('Bash', { command: 'npm test', description: 'Runs the tests' })).toBe('run npm test')
    expect(actOf('Bash', { command: 'npm test' })?.isWhole).toBe(true)
    expect(actOf('Bash', { command: 'npm test', cmd: 'npm publish' })?.isWhole).toBe(false)
    expect(actWords('Edit', { file_path: '/a.ts', old_string: 'x', new_string: 'y' })).toBe('change /a.ts')
    expect(actWords('write_file', { file_path: 'b.txt', content: 'b' })).toBe('write b.txt')
    expect(actWords('Read', { question: 'which?' })).toBe('Read {"question":"which?"}')
    expect(actWords('files.write', { path: 'x'.repeat(500), content: '' }).length).toBeLessThan(130)
  })
})

it('AGT-X-6 marks the hashes to which an approval is bound as hashes', () => {
  const intent = { ...intentOf('Read', {}, ['risk: fetches']), inputHash: 'i'.repeat(64) }
  const lines = intentDetails(intent, { ...EMPTY, task: TASK, trace: 'T' }, { paint: NO_PAINT, width: 80 })
  const from = lines.indexOf('  SHA-256   of all that the approval is bound to:')
  expect(lines.slice(from + 1, from + 6)).toEqual([
    `    input   ${'i'.repeat(64)}`,
    '    tool    d',
    '    intent  h',
    '    policy  p',
    '  rules     risk: fetches',
  ])
})
