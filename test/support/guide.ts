// The guide that checks evidence without Witan, run as a reader would: every command of it, in a shell, in an empty
// folder and a fresh HOME.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from './sources.ts'

const GUIDE = 'docs/checking-without-witan.md'

/** Programs that the guide uses beside Node, and the Debian packages that hold them. */
export const PROGRAMS = ['openssl', 'python3', 'go', 'signify-openbsd'] as const

/** All commands of the guide as one script. */
function guideScript(): string {
  const text = readFileSync(join(projectRoot, GUIDE), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  return blocks.join('\n')
}

export interface Followed {
  readonly folder: string
  readonly code: number | null
  readonly output: string
}

/** Runs commands in a folder that keeps the files they make. */
async function runScript(script: string, folder: string): Promise<Followed> {
  const witan = `npx() { shift; "${process.execPath}" "${join(projectRoot, 'bin/witan.js')}" "$@"; }`
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    LANG: 'C.UTF-8',
    GOCACHE: join(tmpdir(), 'witan-go-cache'),
    OLLAMA_HOST: '127.0.0.1:9',
  }
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${witan}\n${script}`], { cwd: folder, env })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  return { folder, code, output: Buffer.concat(chunks).toString('utf8') }
}

/** Follows the whole guide in a new folder, where the packages that it installs are available already. */
export async function followGuide(): Promise<Followed> {
  const folder = mkdtempSync(join(tmpdir(), 'witan-guide-'))
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  return runScript(guideScript(), folder)
}
