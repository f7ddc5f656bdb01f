// Runs the built command as people do: as a process of its own, in a home of its own, without a terminal.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { projectRoot } from '../support/sources.ts'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** What `--json` printed. */
  readonly json: Json
}

export type Json = { readonly [name: string]: unknown }

export interface Where {
  readonly home: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What comes before the program, as to run it in another network. */
  readonly via?: readonly string[]
}

export const BINARY = join(projectRoot, 'bin/witan.js')

export function start(args: readonly string[], { home, cwd, env, via = [] }: Where): ChildProcess {
  const { PATH } = process.env
  const own = { PATH, HOME: home, WITAN_HOME: home, LANG: 'C.UTF-8', ...env }
  const [program = '', ...words] = [...via, process.execPath, BINARY, ...args]
  return spawn(program, words, { cwd: cwd ?? tmpdir(), env: own as NodeJS.ProcessEnv })
}

export async function ended(child: ChildProcess): Promise<Ran> {
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  child.stdout?.on('data', (chunk: Buffer) => chunks.stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.stderr.push(chunk))
  child.stdin?.end()
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [stdout, stderr] = [chunks.stdout, chunks.stderr].map((all) => Buffer.concat(all).toString('utf8'))
  return {
    code,
    stdout: stdout ?? '',
    stderr: stderr ?? '',
    get json() {
      return JSON.parse(stdout ?? '')
    },
  }
}

export const witan = (where: Where, ...args: readonly string[]): Promise<Ran> => ended(start(args, where))

const made: string[] = []

/** A directory that is gone after the tests of this file. */
export async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'witan-doors-'))
  made.push(path)
  return path
}

/** A home as `witan init` makes it. */
export async function newHome(): Promise<Where & { readonly cwd: string }> {
  const cwd = await directory()
  const where = { home: join(cwd, 'home'), cwd }
  const { code, stderr } = await witan(where, 'init', '--name', 'tester')
  if (code !== 0) throw new Error(stderr)
  return where
}

afterAll(async () => {
  for (const path of made) await rm(path, { recursive: true, force: true })
})
