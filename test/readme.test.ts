// What the README shows is run, as it stands, in a fresh HOME. In what a command prints, `…` stands for anything.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from './support/sources.ts'

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
const home = mkdtempSync(join(tmpdir(), 'witan-readme-'))
/** Where a reader stands: a repository with something in it. */
beforeAll(() => {
  mkdirSync(join(home, 'docs'))
  writeFileSync(join(home, 'README.md'), '# Shop\n\nOrders rest in SQLite.\n')
  writeFileSync(join(home, 'docs/orders.md'), 'Orders are events.\n')
  writeFileSync(join(home, '.gitignore'), '.witan/\n*.witan\n*.html\n')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: home, stdio: 'ignore' })
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'Begin')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

interface Step {
  readonly command: string
  readonly shows: readonly string[]
}

const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1] ?? '',
  )

function steps(): Step[] {
  const shown = blocks('console').flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter(Boolean)
      .map((text) => {
        const [command = '', ...shows] = text.trimEnd().split('\n')
        return { command, shows }
      }),
  )
  const plain = blocks('sh').flatMap((block) => block.trimEnd().split('\n'))
  return [...shown, ...plain.map((command) => ({ command, shows: [] }))]
}

function run(command: string): string {
  const words = [...(command.split(/\s+#/)[0] ?? '').matchAll(/"([^"]*)"|(\S+)/g)]
  const [program, name, ...args] = words.map(([, quoted, bare]) => quoted ?? bare ?? '')
  expect([program, name]).toEqual(['npx', 'witan'])
  const { WITAN_HOME: _, ...env } = process.env
  const file = args.map((arg) => (arg === 'registry.vkey' ? join(home, '.witan/registry.vkey') : arg))
  return execFileSync(process.execPath, [join(projectRoot, 'bin/witan.js'), ...file], {
    cwd: home,
    env: { ...env, HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).replaceAll(home, '~')
}

const matches = (line: string, pattern: string): boolean => {
  const parts = pattern.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(line)
}

describe('the README', () => {
  it('APP-1 names the command that installs and starts, and the one that tests, on its first screen', () => {
    const first = readme.split('\n').slice(0, 12).join('\n')
    expect(first).toContain('npm ci && npx witan init')
    expect(first).toMatch(/^npm test\b/m)
    expect(readFileSync(join(projectRoot, '.ci/run'), 'utf8')).toMatch(/^(WITAN_NO_SKIP=1 )?npm test$/m)
  })

  it('APP-1 shows commands that do what it says they do', () => {
    const runnable = steps().filter(({ command }) => command.startsWith('npx witan'))
    expect(runnable.length).toBeGreaterThanOrEqual(5)
    for (const { command, shows } of runnable) {
      const lines = run(command).split('\n')
      for (const pattern of shows.filter((text) => text !== '…')) {
        expect(
          lines.some((line) => matches(line, pattern)),
          `${command}: ${pattern}`,
        ).toBe(true)
      }
    }
  })

  it('APP-2 names every command there is', () => {
    const help = execFileSync(process.execPath, [join(projectRoot, 'bin/witan.js'), '--help'], {
      encoding: 'utf8',
    })
    const listed = /Commands:\n([\s\S]*?)\n\n/.exec(help)?.[1] ?? ''
    const names = listed.split('\n').map((line) => line.trim().split(/\s+/)[0] ?? '')
    expect(names.length).toBeGreaterThan(8)
    for (const name of new Set(names)) expect(readme).toContain(`witan ${name}`)
  })

  it('APP-1 links only to what is there', () => {
    for (const [, target = ''] of readme.matchAll(/\]\(([^)#:]+)\)/g)) {
      expect(() => readFileSync(join(projectRoot, target)), target).not.toThrow(/ENOENT/)
    }
  })
})
