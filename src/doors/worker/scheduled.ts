// Scheduled runs: a due command is started as a person would start it, in its own process, with --queue. Its
// arguments come from the schedule and never pass through a shell.

import { setTimeout as pause } from 'node:timers/promises'
import { checkScheduled } from '../../app/queue/schedules.ts'
import type { RunningWorker } from '../../app/queue/worker.ts'
import type { BeginRun } from '../../app/queue/worker-service.ts'

interface Timekeeping {
  readonly begin: BeginRun
  say(level: string, event: string, facts: object): void
  readonly signal: AbortSignal
  readonly everyMs: number
}

export async function beginScheduled(
  worker: Pick<RunningWorker, 'isReady' | 'takeDue' | 'tellScheduled'>,
  { begin, say, signal, everyMs }: Timekeeping,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const { name, words, folder, tenant, tag } of worker.isReady ? await worker.takeDue() : []) {
        const queued = ['--queue', '--json', '--tenant', tenant, ...(tag === null ? [] : ['--tag', tag])]
        try {
          checkScheduled(words)
          const trace = await begin([...words, ...queued], folder)
          await worker.tellScheduled(name, { trace, error: null })
          say('info', 'scheduled', { schedule: name, trace })
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
          await worker.tellScheduled(name, { trace: null, error: why.slice(0, 500) })
          say('warn', 'schedule failed', { schedule: name, error: why.slice(0, 500) })
        }
      }
    } catch (error) {
      say('warn', 'trouble', { error: error instanceof Error ? error.message : String(error) })
    }
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
  }
}
