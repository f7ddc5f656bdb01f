// Child processes that run the source as it is now. A script in TypeScript is bundled when it is needed; packages
// stay outside the bundle, so it lies where Node finds them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

const bundled = new Map<string, Promise<string>>()

/** The path of a script that Node can run. */
export function bundleScript(source: string): Promise<string> {
  const known = bundled.get(source) ?? bundle(source)
  bundled.set(source, known)
  return known
}

async function bundle(source: string): Promise<string> {
  const folder = join(root, 'node_modules/.cache/witan-test')
  await mkdir(folder, { recursive: true })
  const script = join(folder, `${source.replace(/\W/g, '-')}.mjs`)
  const outfile = `${script}.${process.pid}`
  await build({
    entryPoints: [join(root, source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  // Other test files may be running the same script at this moment.
  await rename(outfile, script)
  return script
}

const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"

/** A script with all its packages in one file, for someone who may not read this checkout. */
export async function bundleWhole(source: string, folder: string): Promise<string> {
  const script = join(folder, `${source.replace(/\W/g, '-')}.mjs`)
  await build({
    entryPoints: [join(root, source)],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: REQUIRE },
    logLevel: 'error',
  })
  return script
}

/** Processes that ended and were not reaped still have a number, and a Z. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    // ESRCH: gone.
    return false
  }
  const status = `/proc/${pid}/status`
  return !existsSync(status) || !/^State:\s+Z/m.test(readFileSync(status, 'utf8'))
}

export interface Child {
  readonly process: ChildProcess
  /** Resolves with the first line that matches; rejects when the child ends before. */
  line(pattern: RegExp): Promise<string>
  lines(): readonly string[]
  /** How it ended, and what it complained of. */
  readonly ended: Promise<{
    readonly code: number | null
    readonly signal: string | null
    readonly errors: string
  }>
  kill(): Promise<void>
}

export function startScript(
  script: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Child {
  return startProgram(process.execPath, [...nodeOptions, script, ...args])
}

export function startProgram(program: string, args: readonly string[]): Child {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const seen: string[] = []
  const waiting = new Set<() => void>()
  let errors = ''
  let over = false
  const wake = () => {
    for (const look of waiting) look()
  }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    seen.push(line)
    wake()
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    over = true
    wake()
    return { code: code as number | null, signal: signal as string | null, errors }
  })
  return {
    process: child,
    ended,
    lines: () => seen,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = seen.find((line) => pattern.test(line))
          if (found === undefined && !over) return
          waiting.delete(look)
          if (found !== undefined) resolve(found)
          else reject(new Error(`the child ended without ${pattern}: ${errors}`))
        }
        waiting.add(look)
        look()
      }),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
