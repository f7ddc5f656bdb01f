// The queue for people: what waits, what runs where, what was set aside and why.

import { msBetween } from '../ledger/clock.ts'
import { type Paint, plain } from './plain.ts'
import { ageText } from './time.ts'

interface QueueLine {
  readonly trace: string
  readonly protocol: string
  readonly tenant: string
  readonly tag: string | null
  readonly state: string
  readonly worker: string | null
  readonly losses: number
  readonly failures: number
  readonly error: string | null
  readonly enqueued: string
}

export interface WorkerLine {
  readonly name: string
  readonly slots: number
  readonly running: number
  readonly tags: readonly string[]
  readonly stopping: boolean
  /** For how many seconds it has not reported. */
  readonly silent: number
}

/** Workers report every two seconds, and are given up after ten by any other worker. */
const SILENT_SECONDS = 10

interface HeldLine {
  readonly provider: string
  readonly transport: string
  readonly until: string
  readonly worker: string
}

interface QueueLayout {
  readonly paint: Paint
  readonly now: string
}

const secondsText = (seconds: number): string =>
  seconds < 120 ? `${Math.floor(seconds)} s` : `${Math.floor(seconds / 60)} min`

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

function itemLines(item: QueueLine, { paint, now }: QueueLayout): readonly string[] {
  const { trace, state, protocol, tenant, tag, worker, losses, failures, error, enqueued } = item
  const kind = protocol.split('/')[0] ?? protocol
  const facts = [
    ageText(enqueued, now),
    `for ${plain(tenant)}`,
    ...(tag === null ? [] : [`needs ${plain(tag)}`]),
    ...(worker !== null && state === 'running' ? [`on ${plain(worker)}`] : []),
    ...(losses > 0 ? [`${plural(losses, 'worker')} lost`] : []),
    ...(failures > 0 ? [`failed ${plural(failures, 'time')}`] : []),
  ]
  const painted = state === 'set aside' ? paint.red(state.padEnd(9)) : state.padEnd(9)
  return [
    `${trace}  ${painted}  ${kind.padEnd(8)}  ${facts.join(', ')}`,
    ...(error === null ? [] : [`    ${plain(error)}`]),
  ]
}

/** Why work does not proceed though there are workers. */
const heldLines = (providers: readonly HeldLine[], { paint, now }: QueueLayout): readonly string[] =>
  providers.map(({ provider, transport, until, worker }) => {
    const seconds = Math.max(0, Math.ceil(msBetween(now, until) / 1_000))
    const place = `${plain(provider)} (${plain(transport)})`
    return paint.yellow(`  ${place} is not asked for ${seconds} s: it told ${plain(worker)} to slow down`)
  })

export interface TenantLine {
  readonly tenant: string
  readonly slots: number | null
  readonly usdPerDay: number | null
  readonly running: number
  readonly usd: number
}

const limitText = (usd: number): string => (Number.isInteger(usd) ? String(usd) : usd.toFixed(2))

/** The usage and limits of a tenant. */
export const tenantLine = ({ tenant, slots, usdPerDay, running, usd }: TenantLine): string =>
  `${plain(tenant)}: ${[
    ...(slots === null ? [] : [`${running} of ${slots} at once`]),
    ...(usdPerDay === null ? [] : [`$${usd.toFixed(2)} of $${limitText(usdPerDay)} within a day`]),
  ].join(', ')}`

const isUsedUp = ({ slots, usdPerDay, running, usd }: TenantLine): boolean =>
  (slots !== null && running >= slots) || (usdPerDay !== null && usd >= usdPerDay)

export interface QueueLines {
  readonly items: readonly QueueLine[]
  readonly workers: readonly WorkerLine[]
  readonly held: readonly HeldLine[]
  readonly tenants: readonly TenantLine[]
}

export function queueLines(
  { items, workers, held, tenants }: QueueLines,
  layout: QueueLayout,
): readonly string[] {
  const liveWorkers = workers.filter(({ silent }) => silent <= SILENT_SECONDS)
  const slots = liveWorkers.reduce((sum, worker) => sum + worker.slots, 0)
  const busy = liveWorkers.reduce((sum, worker) => sum + worker.running, 0)
  const head =
    liveWorkers.length === 0
      ? 'No worker is there. Start one with: witan worker'
      : `${plural(liveWorkers.length, 'worker')}, ${busy} of ${plural(slots, 'slot')} in use`
  const there = workers.map(({ name, slots: own, running, tags, stopping, silent }) => {
    const words = [
      ...(tags.length > 0 ? [`tags ${plain(tags.join(', '))}`] : []),
      ...(stopping ? ['stopping'] : []),
      ...(silent > SILENT_SECONDS ? [layout.paint.yellow(`not heard of for ${secondsText(silent)}`)] : []),
    ]
    return `  ${plain(name)}  ${running} of ${own}${words.length > 0 ? `  (${words.join('; ')})` : ''}`
  })
  const shownItems =
    items.length === 0 ? ['Nothing is in the queue.'] : items.flatMap((item) => itemLines(item, layout))
  const limited = tenants.map((tenant) => {
    const line = `  ${tenantLine(tenant)}`
    return isUsedUp(tenant) ? layout.paint.yellow(line) : line
  })
  return [head, ...there, ...heldLines(held, layout), ...limited, '', ...shownItems]
}

export interface ScheduleLine {
  readonly name: string
  readonly cron: string
  readonly timezone: string
  readonly words: readonly string[]
  readonly folder: string | null
  readonly nextAt: string
  readonly lastAt: string | null
  readonly lastTrace: string | null
  readonly error: string | null
}

const quoted = (word: string): string => (/^[\w.,:/@=+-]+$/.test(word) ? word : JSON.stringify(word))

export function scheduleLines(
  schedules: readonly ScheduleLine[],
  { paint }: { readonly paint: Paint },
): readonly string[] {
  if (schedules.length === 0) return ['Nothing is scheduled.']
  return schedules.flatMap((schedule) => [
    `${paint.bold(plain(schedule.name))}  ${plain(schedule.cron)} ${plain(schedule.timezone)}  next ${schedule.nextAt}`,
    `    witan ${plain(schedule.words.map(quoted).join(' '))}${schedule.folder === null ? '' : `  in ${plain(schedule.folder)}`}`,
    ...(schedule.lastAt === null
      ? []
      : [
          `    last ${schedule.lastAt}: ${schedule.error === null ? (schedule.lastTrace ?? 'begun') : paint.red(plain(schedule.error))}`,
        ]),
  ])
}
