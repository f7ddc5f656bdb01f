// Files that were shown to one table do not reach another by a fork: who did not sit there needs a yes of its own, however
// it is named.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { THREE } from '../support/council-run.ts'
import { hasTerminal, Terminal } from '../support/terminal.ts'
import { type Machine, machines } from './table.ts'

const open = machines()

/** A council of a, b and c before which a file was laid; d is set up, and did not sit there. */
async function held(): Promise<Machine & { readonly trace: string; readonly heardByD: () => number }> {
  const one = await open({ ...THREE, d: {} })
  const asked = await one.run('ask', 'Good?', '--context', 'README.md', '--seats', 'a,b,c', '--json')
  expect(asked.code).toBe(0)
  const heardByD = () => one.server.heard.filter(({ model }) => model === 'd').length
  return { ...one, trace: String(asked.json.trace), heardByD }
}

describe('a fork that seats someone new', () => {
  it.each([
    ['R1', '--seats', 'b,c,d'],
    ['R2', '--chair', 'd'],
  ])(
    'COU-C-2 VOX-14 after %s with %s shows it no file without consent, and remembers a yes',
    async (after, by, who) => {
      const { run, trace, heardByD, home } = await held()
      const fork = (...more: readonly string[]) =>
        run('fork', trace, '--after', after, by, who, '--json', ...more)
      const refused = await fork()
      expect(refused.code).toBe(2)
      expect(refused.json).toMatchObject({
        error: {
          message: `what was laid before ${trace} was never shown to d, and there is no terminal to ask on`,
          next: expect.stringContaining(`witan fork ${trace} --after ${after} ${by} ${who} --yes`),
        },
      })
      expect(heardByD()).toBe(0)
      expect((await fork('--yes')).code).toBe(0)
      expect(heardByD()).toBeGreaterThan(0)
      const kept = JSON.parse(await readFile(join(home, 'consents.json'), 'utf8'))
      expect(kept.folders[`trace:${trace}`]).toEqual(['d'])
      expect((await fork()).code).toBe(0)
    },
    60_000,
  )

  it('COU-C-2 VOX-14 needs no consent for who sat there, nor where nothing of a folder was laid', async () => {
    const { run, trace } = await held()
    expect((await run('fork', trace, '--after', 'R2', '--chair', 'b', '--json')).code).toBe(0)
    const bare = await run('ask', 'Good?', '--seats', 'a,b,c', '--json')
    const fork = await run('fork', String(bare.json.trace), '--after', 'R2', '--chair', 'd', '--json')
    expect(fork.code).toBe(0)
  }, 60_000)

  it.skipIf(!hasTerminal)(
    'COU-C-2 VOX-14 asks at the terminal, and takes anything but a yes as a no',
    async () => {
      const one = await held()
      const answered = async (word: string): Promise<number | null> => {
        const terminal = new Terminal(one, 'fork', one.trace, '--after', 'R2', '--chair', 'd')
        await terminal.reads('Send this to d? [y/N]')
        expect(terminal.screen).toContain('(1 file, ')
        terminal.type(word)
        return terminal.ended
      }
      expect(await answered('n')).toBe(2)
      expect(one.heardByD()).toBe(0)
      expect(await answered('y')).toBe(0)
      expect(one.heardByD()).toBe(1)
    },
    60_000,
  )
})
