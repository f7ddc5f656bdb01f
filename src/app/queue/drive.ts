// Drives a trace as a worker does: with the settings, models and keys of this machine, and no person to ask.
// Consent given when it was queued counts; what waits for a person is parked.

import { toHex } from '../../ledger/bytes.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import type { Pace } from '../../models/pace.ts'
import { sha256 } from '../../stores/digest.ts'
import type { DriveEnd, Queue, QueueItem } from '../../stores/queue.ts'
import { loadSettings, type Settings } from '../config/config.ts'
import type { SeatsFor } from '../council/council.ts'
import { readSmallFile } from '../home/files.ts'
import type { Home } from '../home/home.ts'
import { personName, runKitOf } from '../home/signers.ts'
import { NO_PERSON } from '../person.ts'
import type { RunEnd } from '../run.ts'

/** What a worker needs to drive traces. */
export interface DriveKit {
  readonly home: Home
  /** `--config`, and where the nearest settings are searched. */
  readonly config: string | null
  readonly from: string
  /** How fast all workers together ask providers. */
  readonly pace: Pace
  readonly queue: Pick<Queue, 'find' | 'enqueue'>
}

interface Driving {
  readonly kit: DriveKit
  readonly item: QueueItem
  readonly signal: AbortSignal
}

const readSettings = async ({ kit, item }: Driving): Promise<Settings> => ({
  ...(await loadSettings({
    home: kit.home.directory,
    from: kit.from,
    file: kit.config,
    timeoutMs: item.details.timeoutMs ?? null,
  })),
  pace: kit.pace,
})

async function driveCouncil(driving: Driving): Promise<RunEnd> {
  const { kit, item, signal } = driving
  const [{ resumeCouncil, seatsFromSettings }, { worldHere }] = await Promise.all([
    import('../council/council.ts'),
    import('../council/seating.ts'),
  ])
  const seatsFor: SeatsFor = async (opened) => {
    if (!opened.scripted) return seatsFromSettings(() => readSettings(driving), worldHere())(opened)
    return (await import('../demo/council-demo.ts')).scriptedSeats(1)
  }
  const how = { convener: personName(), seatsFor }
  return (await resumeCouncil(runKitOf(kit.home), item.trace, how)).drive({ signal })
}

/**
 * A task is never sent to a worker: its operator puts the same file in the same place, and tags the worker for it.
 * The worker runs exactly what was queued.
 */
async function taskHere({ trace, details: { task } }: QueueItem): Promise<string | null> {
  if (!task) return null
  const bytes = await readSmallFile(task.file).catch((error: unknown) => {
    if (!isWitanError(error, 'FILE_NOT_FOUND')) throw error
    throw new WitanError(
      'FILE_NOT_FOUND',
      `this worker has no ${task.file}, the task of ${trace}`,
      'Put it there with its workspace, or queue it with --tag for workers that have it.',
    )
  })
  if (toHex(sha256(bytes)) === task.sha256) return task.file
  throw new WitanError(
    'CONFIG_INVALID',
    `${task.file} is not the task that was queued as ${trace}`,
    'Have the same file on every worker with its tag, then: witan queue retry',
  )
}

async function driveSession(driving: Driving): Promise<RunEnd> {
  const { kit, item, signal } = driving
  const { resumeSession } = await import('../agents/session.ts')
  const settings = () => readSettings(driving)
  const session = await resumeSession(kit.home, item.trace, {
    settings,
    person: NO_PERSON,
    consented: true,
    task: await taskHere(item),
  })
  try {
    return await session.drive({ signal })
  } finally {
    await session.close()
  }
}

/**
 * Where a policy or its observer continues it in another trace, that trace is queued too: the granted rounds run
 * there, and an answer given there wakes it. If a worker is lost before it did so, its successor finds it undone.
 */
async function driveExchange({ kit, item, signal }: Driving): Promise<RunEnd> {
  const [{ resumeInHome }, { mindsFromSettings }] = await Promise.all([
    import('../exchange/exchange.ts'),
    import('../exchange/minds.ts'),
  ])
  const exchange = await resumeInHome(kit.home, item.trace, {
    mindsFor: mindsFromSettings(() => readSettings({ kit, item, signal })),
    by: null,
    keyFile: null,
    means: async () => 'none',
  })
  try {
    const end = await exchange.drive({ signal })
    const { movedTo } = exchange.state
    if (movedTo !== null && (await kit.queue.find(movedTo)) === null)
      await kit.queue.enqueue({ ...item, trace: movedTo })
    return end
  } finally {
    await exchange.close()
  }
}

/** This worker runs its councils, as many at once as the evaluation says. */
async function driveEvaluation(driving: Driving): Promise<RunEnd> {
  const { kit, item, signal } = driving
  const [{ resumeEval }, { tableFromSettings }, { worldHere }] = await Promise.all([
    import('../eval/eval.ts'),
    import('../eval/table.ts'),
    import('../council/seating.ts'),
  ])
  const tableFor = tableFromSettings(() => readSettings(driving), worldHere(), personName())
  return (await resumeEval(runKitOf(kit.home), item.trace, tableFor)).drive({ signal })
}

const DRIVERS: Readonly<Record<string, (driving: Driving) => Promise<RunEnd>>> = {
  'council/1': driveCouncil,
  'agents/1': driveSession,
  'eval/1': driveEvaluation,
  'exchange/1': driveExchange,
}

export async function driveQueued(kit: DriveKit, item: QueueItem, signal: AbortSignal): Promise<DriveEnd> {
  const driver = Object.hasOwn(DRIVERS, item.protocol) ? DRIVERS[item.protocol] : undefined
  if (!driver)
    throw new WitanError(
      'PROTOCOL_UNKNOWN',
      `this version cannot run traces of ${item.protocol}`,
      'Update Witan.',
    )
  const { status, size } = await driver({ kit, item, signal })
  if (status === 'waiting') return { as: 'parked', size }
  if (status === 'interrupted') return { as: 'interrupted' }
  return { as: 'finished' }
}
