// `witan schedule`: runs at set times, begun and queued by a worker.

import { resolve } from 'node:path'
import { personName } from '../../../app/home/signers.ts'
import { addSchedule, listSchedules, removeSchedule } from '../../../app/queue/schedules.ts'
import { plain } from '../../../render/plain.ts'
import { scheduleLines } from '../../../render/queue.ts'
import { locationOf, usage, type Verb } from '../command.ts'
import { checkParsed, findCommand, parseOptions } from '../parse.ts'

/** A command line that could not be run is refused now, not at three in the morning. */
function checkWords(words: readonly string[]): void {
  const target = findCommand(words)
  if (target.kind !== 'command')
    throw usage(`'${words.join(' ')}' is no command`, 'Give one after --, like: -- ask "Shall we?"')
  checkParsed(target.command, parseOptions(target.command, target.rest))
}

export const add: Verb = async (call) => {
  const [name = '', cron = '', ...words] = call.args
  checkWords(words)
  const folder = call.text('in')
  const schedule = await addSchedule(locationOf(call), {
    name,
    cron,
    words,
    timezone: call.text('timezone') ?? 'UTC',
    folder: folder === null ? null : resolve(folder),
    tenant: call.text('tenant') ?? personName(),
    tag: call.text('tag'),
  })
  return {
    value: schedule,
    lines: [`${plain(name)}: next at ${schedule.nextAt}`],
    brief: [],
    hints: ['A worker begins it then: witan worker'],
  }
}

export const list: Verb = async (call) => {
  const schedules = await listSchedules(locationOf(call))
  return {
    value: { schedules },
    lines: scheduleLines(schedules, call),
    brief: schedules.map(({ name }) => plain(name)),
  }
}

export const remove: Verb = async (call) => {
  const [name = ''] = call.args
  await removeSchedule(locationOf(call), name)
  return { value: { removed: name }, lines: [`${plain(name)} is no longer started`], brief: [] }
}
