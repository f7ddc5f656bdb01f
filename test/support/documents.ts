// Commands that documents show, run as they stand. In a `console` block lines after the command are what it prints, and
// `…` stands for anything; `# exit code N` after a command says how it ends; a `yaml` block that begins with the name of
// a file is that file. `text` blocks are only shown.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './sources.ts'

export interface Step {
  readonly command: string
  readonly shows: readonly string[]
  readonly exit: number
}

export type Block = { readonly file: string; readonly text: string } | { readonly steps: readonly Step[] }

const exitOf = (command: string): number => Number(/# exit code (\d+)/.exec(command)?.[1] ?? 0)

function consoleSteps(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .filter(Boolean)
    .map((text) => {
      const [command = '', ...shows] = text.trimEnd().split('\n')
      return { command, shows, exit: exitOf(command) }
    })
}

const plainSteps = (block: string): Step[] =>
  block
    .trimEnd()
    .split('\n')
    .map((command) => ({ command, shows: [], exit: exitOf(command) }))

/** What a reader does, from top to bottom. */
export function blocksOf(document: string): readonly Block[] {
  return [...document.matchAll(/^```(sh|console|yaml)\n([\s\S]*?)^```/gm)].flatMap(
    ([, language, block = '']): Block[] => {
      const file = /^# (\S+\.yaml)\n/.exec(block)?.[1]
      if (language === 'yaml') return file ? [{ file, text: block }] : []
      return [{ steps: language === 'sh' ? plainSteps(block) : consoleSteps(block) }]
    },
  )
}

/** No one works in their home itself, and tools would not touch it. */
const homeOf = (folder: string): string => join(folder, '..')

/** Where a reader stands: a repository with something in it, and the examples. */
export function standIn(folder: string): void {
  const git = (...args: string[]) => {
    const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args]
    const { status, stderr } = spawnSync('git', own, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  mkdirSync(join(folder, 'docs'), { recursive: true })
  // A reader answers at a terminal, and there is none here.
  mkdirSync(join(homeOf(folder), '.witan'), { mode: 0o700 })
  writeFileSync(join(homeOf(folder), '.witan/config.yaml'), 'agents: {approvals_without_terminal: true}\n')
  writeFileSync(join(folder, 'README.md'), '# Shop\n\nOrders rest in SQLite.\n')
  writeFileSync(join(folder, 'docs/orders.md'), 'Orders are events.\n')
  writeFileSync(join(folder, 'rotation.log'), '2026-11-02 rotated by ana\n')
  writeFileSync(join(folder, '.gitignore'), '.witan/\n*.witan\n*.html\n')
  cpSync(join(projectRoot, 'examples/agents'), join(folder, 'examples/agents'), { recursive: true })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'Begin')
  writeFileSync(join(folder, 'docs/orders.md'), 'Orders are events.\nThey rest in SQLite.\n')
  git('commit', '--quiet', '-am', 'Say where orders rest')
}

const matches = (line: string, pattern: string): boolean => {
  const parts = pattern.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(line)
}

/** What is not as the document says, in words; null when all is. */
export function runStep(step: Step, folder: string): string | null {
  const words = [...(step.command.split(/\s+#/)[0] ?? '').matchAll(/"([^"]*)"|(\S+)/g)]
  const [program, name, ...args] = words.map(([, quoted, bare]) => quoted ?? bare ?? '')
  if (program !== 'npx' || name !== 'witan') return `${step.command} is none of ours`
  // As a shell would.
  const file = args.map((arg) => (arg.startsWith('~/') ? join(homeOf(folder), arg.slice(2)) : arg))
  const { PATH } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(projectRoot, 'bin/witan.js'), ...file],
    {
      cwd: folder,
      // No one is ready: no key, no command of a vendor, no model server.
      env: { PATH, HOME: homeOf(folder), LANG: 'C.UTF-8', OLLAMA_HOST: '127.0.0.1:9' },
      encoding: 'utf8',
    },
  )
  if (status !== step.exit) return `${step.command} ended with ${status}: ${stderr}`
  const lines = stdout.replaceAll(homeOf(folder), '~').split('\n')
  const missing = step.shows.find((text) => text !== '…' && !lines.some((line) => matches(line, text)))
  return missing === undefined ? null : `${step.command} did not print: ${missing}\n${stdout}`
}
