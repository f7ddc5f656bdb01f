// The worker as a service: it runs until it is told to stop, says what happens in one JSON object a line, and leaves
// nothing half done behind. No question, answer or tool output is ever logged.

import { startWorker, type WorkerEvent } from '../../app/queue/worker.ts'
import type { ServeWorker } from '../../app/queue/worker-service.ts'
import { figuresText } from '../../render/figures.ts'
import { plainJson } from '../../render/plain.ts'
import { beginScheduled } from './scheduled.ts'
import { serveStatus } from './status.ts'

const TROUBLE: readonly WorkerEvent['type'][] = ['failed', 'trouble', 'lost']
const SCHEDULE_MS = 1_000

export const serve: ServeWorker = async (service) => {
  const { location, name, version, slots, tags, config, graceMs, listen, signal, log } = service
  const say = (level: string, event: string, facts: object): void =>
    log(plainJson({ at: new Date().toISOString(), level, event, worker: name, ...facts }))
  const tell = ({ type, ...facts }: WorkerEvent): void =>
    say(TROUBLE.includes(type) ? 'warn' : 'info', type, facts)
  const from = process.cwd()
  const worker = await startWorker({ location, name, version, slots, tags, config, from, tell })
  const listening =
    listen === null
      ? null
      : await serveStatus(listen, {
          isReady: () => worker.isReady,
          figures: async () => {
            const queue = await worker.queueFigures().catch(() => null)
            return figuresText(worker.figures, queue, new Date().toISOString())
          },
        }).catch(async (error: unknown) => {
          await worker.stop(0)
          throw error
        })
  if (listening) say('info', 'listening', { url: listening.url })
  const over = new AbortController()
  const scheduled = beginScheduled(worker, {
    ...{ begin: service.begin, say, everyMs: SCHEDULE_MS },
    signal: AbortSignal.any([signal, over.signal]),
  })
  const told = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null)
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  const expelled = await Promise.race([told, worker.expelled])
  over.abort()
  await scheduled
  await worker.stop(expelled === null ? graceMs : 0)
  await listening?.close()
  if (expelled !== null) throw expelled
}
