// `witan worker`: the entrance for queued runs, passed in by the program that joins the two.

import { execFile } from 'node:child_process'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { ServeWorker } from '../../../app/queue/worker-service.ts'
import { durationIn } from '../../../ledger/clock.ts'
import {
  answerInterrupts,
  type Call,
  EXIT,
  locationOf,
  packageVersion,
  usage,
  type Verb,
} from '../command.ts'
import { readList } from './council.ts'

const SLOTS = 4
const GRACE_MS = 30_000

const ownName = (): string =>
  `${hostname()
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40)}-${process.pid}`

function readGrace(text: string | null): number {
  if (text === null) return GRACE_MS
  const ms = durationIn(text)
  if (ms !== null) return ms
  throw usage(`--grace is a duration, not '${text}'`, 'Give it like 30s or 2m.')
}

const MOST_OUTPUT = 1 << 20
const BEGIN_MS = 120_000

/** In its own process: its errors end nothing here. */
async function beginRun(words: readonly string[], folder: string | null): Promise<string> {
  const command = process.argv[1] ?? ''
  const options = { cwd: folder ?? process.cwd(), timeout: BEGIN_MS, maxBuffer: MOST_OUTPUT }
  const firstLine = await new Promise<string>((done, reject) => {
    execFile(process.execPath, [command, ...words], options, (error, stdout) => {
      if (error && stdout === '') reject(new Error(`it could not be begun: ${error.message.split('\n')[0]}`))
      else done(stdout)
    }).stdin?.end()
  })
  const { trace, error } = JSON.parse(firstLine) as { trace?: unknown; error?: { message?: unknown } }
  if (typeof trace === 'string') return trace
  throw new Error(String(error?.message ?? 'it began no trace'))
}

/**
 * The worker's settings apply to what it begins, in any folder, unless the schedule names its own; its home always applies.
 */
export function commandLine(words: readonly string[], call: Pick<Call, 'text' | 'home'>): readonly string[] {
  const config = call.text('config')
  return [...(config === null ? [] : ['--config', resolve(config)]), ...words, '--home', call.home]
}

export const workerVerb =
  (serve: ServeWorker): Verb =>
  async (call) => {
    const stop = new AbortController()
    const halt = (): void => {
      if (stop.signal.aborted) process.exit(EXIT.interrupted)
      stop.abort()
    }
    const release = answerInterrupts(halt)
    // Service managers stop with this signal; without a handler the command would end at once.
    process.removeAllListeners('SIGTERM')
    process.on('SIGTERM', halt)
    try {
      await serve({
        location: locationOf(call),
        name: call.text('name') ?? ownName(),
        version: packageVersion(),
        slots: call.count('concurrency') ?? SLOTS,
        tags: readList(call.texts('tags')),
        config: call.text('config'),
        graceMs: readGrace(call.text('grace')),
        signal: stop.signal,
        listen: call.text('listen'),
        begin: (words, folder) => beginRun(commandLine(words, call), folder),
        log: (line) => void process.stderr.write(`${line}\n`),
      })
    } finally {
      release()
      process.off('SIGTERM', halt)
    }
    return { value: { ended: true }, lines: [] }
  }
