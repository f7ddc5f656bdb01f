import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findCommand, parseOptions } from '../parse.ts'
import { commandLine } from './worker.ts'

function optionsOf(scheduled: readonly string[], config: string | null) {
  const call = { home: '/srv/home', text: (name: string) => (name === 'config' ? config : null) }
  const found = findCommand(commandLine(scheduled, call))
  if (found.kind !== 'command') throw new Error(found.kind)
  const { values, args } = parseOptions(found.command, found.rest)
  return { command: found.command.name, home: values.home, config: values.config, args }
}

describe('a run that a worker begins', () => {
  const common = { command: 'ask', home: '/srv/home', args: ['Why?'] }

  it('APP-6 has the home and the settings of the worker, from any folder', () => {
    expect(optionsOf(['ask', 'Why?'], 'seats.yaml')).toEqual({ ...common, config: resolve('seats.yaml') })
    expect(optionsOf(['ask', 'Why?'], null)).toEqual({ ...common, config: undefined })
  })

  it('APP-6 has the settings that the schedule names before those of the worker, and never another home', () => {
    const scheduled = ['ask', 'Why?', '--config', '/srv/own.yaml', '--home', '/srv/other']
    expect(optionsOf(scheduled, 'seats.yaml')).toEqual({ ...common, config: '/srv/own.yaml' })
  })
})
