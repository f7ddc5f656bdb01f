// Puts a stand-in for a vendor's program into a folder of its own with the script that it plays, and afterwards tells
// what it was called with and what of the calls is still there.
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Act } from '../../contracts/scenarios.ts'
import { isAlive } from '../../support/children.ts'

export type Vendor = 'claude' | 'codex' | 'gemini'

/** Beside what any mind may meet, what only a program can do. */
export type CliAct =
  | Act
  | { readonly act: 'stderr'; readonly text: string; readonly code: number }
  | { readonly act: 'exact'; readonly stdout?: string; readonly stderr?: string; readonly code: number }
  | { readonly act: 'killed' }

export interface StubCall {
  readonly pid: number
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly inCwd: readonly string[]
  readonly input: string
  readonly files: readonly string[]
  /** Of Gemini CLI. */
  readonly inHome?: readonly string[]
  readonly settings?: string
}

export interface Stub {
  readonly program: string
  calls(): readonly StubCall[]
  leftovers(): Promise<readonly string[]>
  dispose(): Promise<void>
}

const here = dirname(fileURLToPath(import.meta.url))

const linesOf = (path: string): readonly string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []

export async function openStub(vendor: Vendor, script: readonly CliAct[]): Promise<Stub> {
  const folder = await mkdtemp(join(tmpdir(), 'witan-stub-'))
  const program = join(folder, vendor)
  await chmod(join(here, `${vendor}.js`), 0o755)
  await writeFile(join(folder, 'script.json'), JSON.stringify(script))
  if (script[0]?.act !== 'absent') await symlink(join(here, `${vendor}.js`), program)
  const calls = () => linesOf(join(folder, 'calls.jsonl')).map((line) => JSON.parse(line) as StubCall)
  const left = () => {
    const made = calls()
    const pids = [...made.map(({ pid }) => pid), ...linesOf(join(folder, 'children')).map(Number)]
    const rooms = made.map(({ cwd }) => dirname(cwd)).filter(existsSync)
    return [
      ...pids.filter(isAlive).map((pid) => `the process ${pid}`),
      ...rooms.map((room) => `the folder ${room}`),
    ]
  }
  return {
    program,
    calls,
    async leftovers() {
      for (let tries = 0; tries < 20 && left().length > 0; tries++) await pause(10)
      return left()
    },
    dispose: () => rm(folder, { recursive: true, force: true }),
  }
}
