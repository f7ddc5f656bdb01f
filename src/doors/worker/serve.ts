// The worker as a service: it runs until it is told to stop, logs one JSON object for each line, and leaves
// nothing half done. Questions, answers and tool output are never logged.

import { onceDatabaseAnswers } from '../../app/queue/await-database.ts'
import { type RunningWorker, startWorker, type WorkerEvent } from '../../app/queue/worker.ts'
import type { ServeWorker, WorkerService } from '../../app/queue/worker-service.ts'
import { figuresText } from '../../render/figures.ts'
import { plainJson } from '../../render/plain.ts'
import { beginScheduled } from './scheduled.ts'
import { serveStatus } from './status.ts'

const TROUBLE: readonly WorkerEvent['type'][] = ['failed', 'trouble', 'lost']
const SCHEDULE_MS = 1_000

type Say = (level: string, event: string, facts: object) => void

/** Until it is told to stop, or may work no more. */
async function workUntilTold(worker: RunningWorker, service: WorkerService, say: Say): Promise<void> {
  const { begin, graceMs, signal } = service
  const over = new AbortController()
  const scheduled = beginScheduled(worker, {
    ...{ begin, say, everyMs: SCHEDULE_MS },
    signal: AbortSignal.any([signal, over.signal]),
  })
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  const expelled = await Promise.race([aborted, worker.expelled])
  over.abort()
  await scheduled
  await worker.stop(expelled === null ? graceMs : 0)
  if (expelled !== null) throw expelled
}

export const serve: ServeWorker = async (service) => {
  const { location, name, version, slots, tags, config, listen, signal, log } = service
  const say: Say = (level, event, facts) =>
    log(plainJson({ at: new Date().toISOString(), level, event, worker: name, ...facts }))
  const tell = ({ type, ...facts }: WorkerEvent): void =>
    say(TROUBLE.includes(type) ? 'warn' : 'info', type, facts)
  const from = process.cwd()
  const settings = { location, name, version, slots, tags, config, from, tell }
  let worker: RunningWorker | null = null
  const listening =
    listen === null
      ? null
      : await serveStatus(listen, {
          isReady: () => worker?.isReady === true,
          async figures() {
            if (worker === null) throw new Error('it has not begun')
            const queue = await worker.queueFigures().catch(() => null)
            return figuresText(worker.figures, queue, new Date().toISOString())
          },
        })
  if (listening) say('info', 'listening', { url: listening.url })
  try {
    worker = await onceDatabaseAnswers(() => startWorker(settings), {
      ...{ location, signal },
      tell: ({ message }, secondsLeft) => say('warn', 'waiting', { error: message, secondsLeft }),
    })
    if (worker !== null) await workUntilTold(worker, service, say)
  } finally {
    await listening?.close()
  }
}
