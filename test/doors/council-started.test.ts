// `witan ask` as a process: what V8 made of its code is kept in the user's cache, and nothing depends on it.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directory, witan } from './command.ts'

const ask = (home: string, ...more: readonly string[]) =>
  witan({ home }, 'ask', 'Shall we move the orders?', '--seats', 'embedded', '--json', ...more)

/** The command is given its home as that of the user too. */
const cacheIn = async (home: string): Promise<string> => {
  const folder = join(home, '.cache/witan')
  const [name = 'none', ...others] = await readdir(folder)
  expect(others).toEqual([])
  return join(folder, name)
}

describe('a council that is started from the command line', () => {
  it('keeps what V8 made of its code, and does without where that is damaged', async () => {
    const home = join(await directory(), 'home')
    expect((await ask(home)).code).toBe(0)
    const cache = await cacheIn(home)
    const whole = await readFile(cache)
    const answer = await ask(home)
    expect([answer.code, answer.stderr]).toEqual([0, expect.not.stringContaining('Warning')])
    // It was used as it is: what is used is not written again.
    expect(await readFile(cache)).toEqual(whole)
    const damaged = Buffer.from(whole)
    for (let at = 64; at < damaged.length; at += 997) damaged[at] = (damaged[at] ?? 0) ^ 0xff
    for (const bytes of [damaged, whole.subarray(0, 1_000)]) {
      await writeFile(cache, bytes)
      expect((await ask(home)).code).toBe(0)
      expect((await readFile(cache)).length).toBeGreaterThan(100_000)
    }
  })

  it('keeps no code in a home, which may come from someone else', async () => {
    const cache = await directory()
    const home = join(await directory(), 'home')
    const asked = await witan(
      { home, env: { XDG_CACHE_HOME: cache } },
      ...['ask', 'Shall we move the orders?', '--seats', 'embedded', '--json'],
    )
    expect(asked.code).toBe(0)
    expect(await readdir(join(cache, 'witan'))).toHaveLength(1)
    const written = await readdir(home, { recursive: true })
    expect(written.filter((name) => name.endsWith('.cache'))).toEqual([])
  })

  it('writes nothing to a folder that is no home', async () => {
    const folder = await directory()
    await writeFile(join(folder, 'letter.txt'), 'not a home')
    const elsewhere = await ask(await directory(), `--home=${folder}`)
    expect([elsewhere.code, elsewhere.stdout + elsewhere.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('HOME_EXISTS'),
    ])
    expect(await readdir(folder)).toEqual(['letter.txt'])
  })
})
