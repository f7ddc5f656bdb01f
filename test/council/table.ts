// A person's machine for councils at the command line: a home whose settings name three scripted models, a small
// repository to stand in, and a look into every file that the home holds.

import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { directory, type Ran, type Where, witan } from '../doors/command.ts'
import { type CouncilServer, playCouncil, type Script } from '../fakes/council.ts'

export interface Machine extends Where {
  readonly cwd: string
  readonly server: CouncilServer
  run(...args: readonly string[]): Promise<Ran>
}

const providers = (url: string, names: readonly string[], more = ''): string =>
  names.map((name) => `    - {name: ${name}, model: ${name}, base_url: "${url}/v1"${more}}`).join('\n')

export async function machine(
  models: Readonly<Record<string, Script>>,
  settings: {
    readonly more?: string
    readonly provider?: string
    readonly env?: Record<string, string>
    /** How long every model takes. */
    readonly delayMs?: number
  } = {},
): Promise<Machine> {
  const server = await playCouncil(models, { delayMs: settings.delayMs ?? 0 })
  const root = await directory()
  const [home, cwd] = [join(root, 'home'), join(root, 'work')]
  await mkdir(home)
  await mkdir(cwd)
  const table = providers(server.url, Object.keys(models), settings.provider)
  await writeFile(join(home, 'config.yaml'), `council:\n  providers:\n${table}\n${settings.more ?? ''}`, {
    mode: 0o600,
  })
  await writeFile(join(cwd, 'README.md'), '# Shop\n\nOrders rest in SQLite.\n')
  const where = { home, cwd, ...(settings.env && { env: settings.env }) }
  return { ...where, server, run: (...args) => witan(where, ...args) }
}

/** Opens machines for the tests of a file, and closes each after its test. */
export function machines(): typeof machine {
  const made: Machine[] = []
  afterEach(async () => {
    for (const one of made.splice(0)) await one.server.close()
  })
  return async (...given) => {
    const one = await machine(...given)
    made.push(one)
    return one
  }
}

/** A machine with nothing on it but Node and git. */
export async function bareMachine(): Promise<Where & { readonly cwd: string }> {
  const root = await directory()
  const [home, cwd] = [join(root, 'home'), join(root, 'work')]
  await mkdir(cwd)
  await writeFile(join(cwd, 'README.md'), '# Shop\n\nOrders rest in SQLite.\n')
  return { home, cwd, env: { PATH: '/usr/bin:/bin', OLLAMA_HOST: '127.0.0.1:9' } }
}

export function repository(cwd: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'Begin')
}

/** All bytes of all files under a folder, as text. */
export async function everythingIn(folder: string): Promise<string> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = found
    .filter((entry) => entry.isFile())
    .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}
