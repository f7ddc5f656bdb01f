// Machines that share one PostgreSQL: homes with scripted models, and workers as real processes.

import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, inject } from 'vitest'
import { machine } from '../council/table.ts'
import { start } from '../doors/command.ts'
import type { Script } from '../fakes/council.ts'
import { freshDatabase } from '../support/postgres.ts'

export const server = inject('postgresUrl')

export interface WorkerProcess {
  readonly process: ChildProcess
  /** What it logged, as objects. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  /** Resolves with the first logged event that fits. */
  until(event: string): Promise<Readonly<Record<string, unknown>>>
  readonly ended: Promise<number | null>
}

export type SharedMachine = Awaited<ReturnType<typeof sharing>>

/** Opens homes and workers for the tests of a file, and ends what is left of them after each. */
export function sharedMachines() {
  const undo: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one()
  })
  return (models: Readonly<Record<string, Script>>, more: Parameters<typeof machine>[1] = {}) =>
    sharing(models, more, undo)
}

async function sharing(
  models: Readonly<Record<string, Script>>,
  more: Parameters<typeof machine>[1],
  undo: (() => Promise<unknown>)[],
) {
  const database = await freshDatabase(server ?? '')
  undo.push(() => database.drop())
  const env = { WITAN_POSTGRES_URL: database.url }
  const own = await machine(models, { ...more, env })
  undo.push(() => own.server.close())
  return {
    ...own,
    url: database.url,
    undo,
    /** The settings of its home. */
    config: await readFile(join(own.home, 'config.yaml'), 'utf8'),
    start: (...args: readonly string[]): WorkerProcess => startWorkerAt(own, args, undo),
  }
}

/** In any home. */
export function startWorkerAt(
  where: Parameters<typeof start>[1],
  args: readonly string[],
  undo: (() => Promise<unknown>)[],
): WorkerProcess {
  const child = start(['worker', ...args], where)
  const log: Record<string, unknown>[] = []
  const waiting = new Set<() => void>()
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
      const line = text.slice(0, at)
      text = text.slice(at + 1)
      log.push(line.startsWith('{') ? JSON.parse(line) : { event: 'words', line })
    }
    for (const look of waiting) look()
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  undo.push(async () => {
    child.kill('SIGCONT')
    child.kill('SIGKILL')
    await ended
  })
  return {
    process: child,
    log,
    ended,
    until: (event) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = log.find((one) => one.event === event)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        void ended.then((code) => {
          if (!log.some((one) => one.event === event))
            reject(new Error(`the worker ended with ${code} before ${event}: ${JSON.stringify(log)}`))
        })
        look()
      }),
  }
}
