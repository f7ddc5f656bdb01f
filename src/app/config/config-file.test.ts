// `--config FILE` says who sits wherever models are asked, whichever verb asks them.

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { machines, repository } from '../../../test/council/table.ts'
import { type Where, witan } from '../../../test/doors/command.ts'
import { serveMinds } from '../../../test/fakes/minds.ts'
import { agentsHome, writeTask } from '../../../test/support/agents-home.ts'
import { THREE } from '../../../test/support/council-run.ts'
import { openPoolHome } from '../../../test/support/pool-home.ts'

/** Takes the settings out of the home into a file elsewhere, and trusts that. */
async function settingsElsewhere(where: Where, folder: string): Promise<string> {
  const own = join(where.home, 'config.yaml')
  const file = join(folder, 'seats.yaml')
  await writeFile(file, await readFile(own))
  await rm(own)
  expect(await witan(where, 'trust', file)).toMatchObject({ code: 0 })
  return file
}

const open = machines()

describe('--config', () => {
  it('APP-6 decides who sits in councils of every command and in their forks, and what doctor shows', async () => {
    const one = await open(THREE)
    repository(one.cwd)
    const config = await settingsElsewhere(one, one.cwd)
    const run = (...args: readonly string[]) => one.run(...args, '--json', '--config', config)
    const seatsOf = async (...args: readonly string[]): Promise<readonly string[]> => {
      const before = one.server.heard.length
      const ran = await run(...args)
      expect([ran.code, ran.stderr]).toEqual([0, expect.anything()])
      return [...new Set(one.server.heard.slice(before).map(({ model }) => model))].sort()
    }
    const all = ['a', 'b', 'c']
    expect(await seatsOf('ask', 'Shall we?')).toEqual(all)
    expect(await seatsOf('council', 'Shall we?', '--mode', 'architecture')).toEqual(all)
    expect(await seatsOf('review', 'README.md')).toEqual(all)
    expect(await seatsOf('fork', 'last', '--after', 'R2', '--chair', 'b')).toEqual(['b'])
    const doctor = await run('doctor')
    expect(JSON.stringify(doctor.json)).toContain(`${one.server.url}/v1`)
  }, 60_000)

  it('decides which models work in a session of agents', async () => {
    const home = await agentsHome()
    const minds = await serveMinds({ planner: [{ proposals: [] }] })
    try {
      await minds.settings(home.home)
      const config = await settingsElsewhere(home, home.folder)
      const task = await writeTask(home, {
        roles: { planner: 'ollama', executor: 'ollama' },
        tools: ['files.read'],
      })
      const args = ['agents', 'run', task, '--yes', '--json', '--config', config] as const
      const ran = await witan(home, ...args)
      expect(ran.json).toMatchObject({ trace: expect.any(String) })
      const resumed = await witan(
        home,
        'resume',
        String(ran.json.trace),
        '--yes',
        '--json',
        '--config',
        config,
      )
      expect(resumed.json).not.toHaveProperty('error')
    } finally {
      await minds.close()
    }
  })

  it('decides which models speak in an exchange', async () => {
    const house = await openPoolHome()
    try {
      const terms = await house.terms('terms.yaml')
      const config = await settingsElsewhere(house.where, house.where.cwd)
      const ran = await house.witan(
        'exchange',
        'run',
        '--terms',
        terms,
        '--rounds',
        '1',
        '--json',
        '--config',
        config,
      )
      expect(ran.json).toMatchObject({ round: 1 })
    } finally {
      await house.server.close()
    }
  })
})
