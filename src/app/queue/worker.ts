// A worker of a home: takes traces from the queue and drives each as far as possible now. Before a call that
// costs or changes something it checks that it still owns the trace: a worker that was suspended finds its
// traces taken over, and must not act on old state.

import { setTimeout as pause } from 'node:timers/promises'
import { Registrar } from '../../clerk/registrar.ts'
import { machineHere } from '../../clerk/request-keys.ts'
import { isWitanError, WitanError } from '../../ledger/errors.ts'
import {
  type DriveEnd,
  type HeldProvider,
  QUEUE_STATES,
  type Queue,
  type QueueItem,
  type Schedule,
  type WorkerEvent,
  type Working,
} from '../../stores/queue.ts'
import type { Store } from '../../stores/store.ts'
import type { Home, HomeLocation } from '../home/home.ts'
import { openOrCreateHome } from '../home/signers.ts'
import { answerRequests, sealFinished } from '../keys/machines.ts'
import { countQueued } from './count.ts'
import { driveQueued } from './drive.ts'
import { openQueue, queueUrl } from './queue.ts'
import { nextRun } from './schedules.ts'
import { sharedPace } from './shared-pace.ts'

export type { WorkerEvent } from '../../stores/queue.ts'

export interface WorkerSettings {
  readonly location: HomeLocation
  readonly name: string
  readonly version: string
  readonly slots: number
  readonly tags: readonly string[]
  readonly config: string | null
  readonly from: string
  tell(event: WorkerEvent): void
}

/** Counted since the worker began. */
interface WorkerFigures {
  readonly ended: Record<DriveEnd['as'], number>
  failures: number
  setAside: number
  lost: number
  swept: number
  calls: number
  inputTokens: number
  outputTokens: number
  usd: number
  rateLimits: number
  heldMs: number
}

/** The state of the queue. */
interface QueueFigures {
  readonly states: Readonly<Record<string, number>>
  readonly oldestWaitingSeconds: number
  readonly workers: number
  readonly slots: number
  /** Until when each provider is held back. */
  readonly held: readonly HeldProvider[]
}

/** A running worker, until it is stopped. */
export interface RunningWorker {
  /** Resolves with the reason why this machine may not work any more: others continue its traces. */
  readonly expelled: Promise<WitanError>
  readonly isReady: boolean
  readonly figures: Readonly<WorkerFigures> & { readonly running: number; readonly ready: boolean }
  queueFigures(): Promise<QueueFigures>
  /** The schedules that this worker is to begin now. */
  takeDue(): Promise<readonly Schedule[]>
  tellScheduled(
    name: string,
    ended: { readonly trace: string | null; readonly error: string | null },
  ): Promise<void>
  stop(graceMs: number): Promise<void>
}

function counter(): { readonly figures: WorkerFigures; count(event: WorkerEvent): void } {
  const figures: WorkerFigures = {
    ended: { finished: 0, parked: 0, interrupted: 0 },
    failures: 0,
    setAside: 0,
    lost: 0,
    swept: 0,
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    usd: 0,
    rateLimits: 0,
    heldMs: 0,
  }
  return {
    figures,
    count(event) {
      if (event.type === 'ended') figures.ended[event.as]++
      if (event.type === 'ended' || event.type === 'failed') {
        figures.calls += event.asked?.calls ?? 0
        figures.inputTokens += event.asked?.inputTokens ?? 0
        figures.outputTokens += event.asked?.outputTokens ?? 0
        figures.usd += event.usd ?? 0
      }
      if (event.type === 'failed') {
        figures.failures++
        if (event.setAside) figures.setAside++
      }
      if (event.type === 'lost') figures.lost++
      if (event.type === 'swept') figures.swept += event.traces
    },
  }
}

async function queueFigures(queue: Queue): Promise<QueueFigures> {
  const [rows, workers, held] = await Promise.all([queue.figures(), queue.workers(), queue.heldProviders()])
  const none = Object.fromEntries(QUEUE_STATES.map((state) => [state, 0]))
  return {
    states: { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) },
    oldestWaitingSeconds: Math.max(
      0,
      ...rows.filter(({ state }) => state === 'waiting' || state === 'offered').map(({ oldest }) => oldest),
    ),
    workers: workers.length,
    slots: workers.reduce((sum, { slots }) => sum + slots, 0),
    held,
  }
}

/** If several workers see a schedule due, one begins it. */
async function takeDue(queue: Queue, tags: readonly string[]): Promise<readonly Schedule[]> {
  const taken: Schedule[] = []
  for (const schedule of await queue.due(tags)) {
    const next = await nextRun(schedule.cron, schedule.timezone, new Date())
    // One that never comes again stays listed, far in the future.
    const following = next?.toISOString() ?? '9999-12-31T00:00:00.000Z'
    if (await queue.beginScheduled(schedule, following)) taken.push(schedule)
  }
  return taken
}

const MOST_SLOTS = 256
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

function check({ slots, tags, name }: WorkerSettings): void {
  const usage = (message: string, next: string) => new WitanError('USAGE', message, next)
  if (slots < 1 || slots > MOST_SLOTS)
    throw usage(`--concurrency is from 1 to ${MOST_SLOTS}, not ${slots}`, 'Give another number.')
  for (const word of [...tags, name])
    if (!NAME.test(word)) throw usage(`'${word}' cannot be a name or a tag`, 'Use letters, digits and . _ -')
}

/** What is awaited before a call also confirms that the worker still owns the trace. */
const fencedHome = (home: Home, confirm: () => Promise<void>): Home => {
  const settled = async (): Promise<void> => {
    await home.store.settled()
    await confirm()
  }
  const store: Store = { ...home.store, settled }
  const ports = { ...home.ports, store }
  return { ...home, store, ports, isWorker: true, registrar: () => Registrar.open(ports) }
}

/** KEY_NOT_FOUND on a machine that was not admitted, or no longer is: it cannot sign. */
async function checkAdmitted(home: Home): Promise<void> {
  const registrar = await home.registrar()
  if (!registrar.holdsKey) machineHere(registrar.log.state, home.ports.holds)
}

const REGISTRY_MS = 1_000

/** On the machine with the registrar's key: registers what others request, and seals what they finished. */
function keepRegistry(
  home: Home,
  queue: Queue,
  { tell, isReady }: { readonly tell: WorkerSettings['tell']; isReady(): boolean },
): { readonly stop: () => Promise<void> } {
  const over = new AbortController()
  const work = async (): Promise<void> => {
    const registrar = await home.registrar()
    while (!over.signal.aborted && registrar.holdsKey) {
      try {
        if (isReady()) await answerRequests(home, registrar, queue)
        if (isReady()) await sealFinished(registrar, queue)
      } catch (error) {
        tell({ type: 'trouble', error: error instanceof Error ? error.message : String(error) })
      }
      await pause(REGISTRY_MS, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  const working = work()
  return {
    async stop() {
      over.abort()
      await working
    },
  }
}

export async function startWorker(settings: WorkerSettings): Promise<RunningWorker> {
  check(settings)
  const { location, config, from, name, version, slots, tags, tell } = settings
  await queueUrl(location)
  const home = await openOrCreateHome(location)
  const closing: (() => Promise<void>)[] = [() => home.close()]
  const close = async (): Promise<void> => {
    for (const closePart of closing.reverse()) await closePart()
  }
  try {
    await checkAdmitted(home)
    const queue = await openQueue(location, true)
    closing.push(() => queue.close())
    const { figures, count } = counter()
    let working: Working | null = null
    const confirm = async (): Promise<void> => working?.confirm()
    const trouble = (error: unknown): void =>
      tell({ type: 'trouble', error: error instanceof Error ? error.message : String(error) })
    const pace = sharedPace(queue, name, { figures, confirm, trouble })
    const kit = { home: fencedHome(home, confirm), config, from, pace, queue }
    let expel: (why: WitanError) => void = () => undefined
    const expelled = new Promise<WitanError>((resolve) => {
      expel = resolve
    })
    /** A fault of this machine is not a fault of the trace. */
    const drive = async (item: QueueItem, signal: AbortSignal): Promise<DriveEnd> => {
      try {
        return await driveQueued(kit, item, signal)
      } catch (error) {
        if (!isWitanError(error, 'KEY_NOT_FOUND')) throw error
        const why = await checkAdmitted(home).catch((reason: unknown) => reason)
        if (!isWitanError(why)) throw error
        expel(why)
        return { as: 'interrupted' }
      }
    }
    working = await queue.work({
      name,
      version,
      slots,
      tags,
      attend: (pool) => home.store.attend(pool),
      drive,
      count: (item) => countQueued(home.store, item),
      tell: (event) => {
        count(event)
        tell(event)
      },
    })
    const own = working
    const registering = keepRegistry(kit.home, queue, { tell, isReady: () => own.isReady })
    return {
      expelled,
      get isReady() {
        return own.isReady
      },
      get figures() {
        return { ...figures, running: own.running, ready: own.isReady }
      },
      queueFigures: () => queueFigures(queue),
      takeDue: () => takeDue(queue, tags),
      tellScheduled: (name, ended) => queue.endScheduled(name, ended),
      async stop(graceMs) {
        await own.stop(graceMs)
        await registering.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
