// `--config FILE` says who sits wherever models are asked, whichever verb asks them.

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveMinds } from '../fakes/minds.ts'
import { agentsHome, writeTask } from '../support/agents-home.ts'
import { openPoolHouse } from '../support/pool-house.ts'
import { type Where, witan } from './command.ts'

/** Takes the settings out of the home into a file elsewhere, and trusts that. */
async function settingsElsewhere(where: Where, folder: string): Promise<string> {
  const own = join(where.home, 'config.yaml')
  const file = join(folder, 'seats.yaml')
  await writeFile(file, await readFile(own))
  await rm(own)
  expect(await witan(where, 'trust', file)).toMatchObject({ code: 0 })
  return file
}

describe('--config', () => {
  it('seats the minds of a session of agents', async () => {
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

  it('seats the minds of an exchange', async () => {
    const house = await openPoolHouse()
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
