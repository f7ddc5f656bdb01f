// Runs at set times: a schedule is a command line of Witan, which a worker starts and queues when it is due.
// A cron expression in a time zone sets the times; runs that were missed while there was no worker are
// started once.

import { WitanError } from '../../ledger/errors.ts'
import { isAgentName } from '../../ledger/event.ts'
import type { Schedule } from '../../stores/queue.ts'
import type { HomeLocation } from '../home/home.ts'
import { withQueue } from './queue.ts'

export type { Schedule } from '../../stores/queue.ts'

/** What may be scheduled: commands that begin a run. */
const SCHEDULED = ['ask', 'review', 'council', 'agents run', 'exchange run', 'eval'] as const

const usage = (message: string, next: string) => new WitanError('USAGE', message, next)

/**
 * Refuses command lines that begin no run. Checked again when they are run: anyone who can write to the database
 * could have changed them.
 */
export function checkScheduled([first = '', second = '']: readonly string[]): void {
  if (SCHEDULED.some((name) => name === first || name === `${first} ${second}`)) return
  throw usage(`witan ${first} cannot be scheduled`, `These can: ${SCHEDULED.join(', ')}.`)
}

/** When it is due next after this time; null when never. */
export async function nextRun(cron: string, timezone: string, after: Date): Promise<Date | null> {
  const { Cron } = await import('croner')
  try {
    return new Cron(cron, { timezone, paused: true }).nextRun(after)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw usage(
      `'${cron}' in ${timezone} cannot be read: ${words}`,
      'Give minute, hour, day, month and weekday, like "0 3 * * *", and a zone like Europe/Paris.',
    )
  }
}

export interface Scheduling {
  readonly name: string
  readonly cron: string
  readonly timezone: string
  readonly words: readonly string[]
  /** Where the command is run; a folder that the workers with its tag have. */
  readonly folder: string | null
  readonly tenant: string
  readonly tag: string | null
}

export const addSchedule = (location: HomeLocation, scheduling: Scheduling): Promise<Schedule> =>
  withQueue(location, async (queue) => {
    if (!isAgentName(scheduling.name))
      throw usage(`'${scheduling.name}' cannot be a name`, 'Use letters, digits and . _ @ -, at most 64.')
    checkScheduled(scheduling.words)
    const next = await nextRun(scheduling.cron, scheduling.timezone, new Date())
    if (next === null) throw usage(`'${scheduling.cron}' never comes`, 'Give another time.')
    const schedule = {
      ...scheduling,
      nextAt: next.toISOString(),
      lastAt: null,
      lastTrace: null,
      error: null,
    }
    if (await queue.addSchedule(schedule)) return schedule
    throw usage(
      `there is a schedule ${scheduling.name} already`,
      `Remove it first: witan schedule remove ${scheduling.name}`,
    )
  })

export const listSchedules = (location: HomeLocation): Promise<readonly Schedule[]> =>
  withQueue(location, (queue) => queue.schedules())

export const removeSchedule = (location: HomeLocation, name: string): Promise<void> =>
  withQueue(location, async (queue) => {
    if (!(await queue.removeSchedule(name)))
      throw usage(`there is no schedule ${name}`, 'See `witan schedule list`.')
  })
