// `witan ask` as a process: what V8 made of its code is kept in the user's cache, and nothing depends on it.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../support/sources.ts'
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

  it('APP-7 loads nothing of PostgreSQL or of the queue where the ledger is in a file', async () => {
    const [home, seen] = [join(await directory(), 'home'), await directory()]
    /** The files that a command loaded, as V8 tells of them. */
    const loaded = async (...words: readonly string[]): Promise<readonly string[]> => {
      const folder = join(seen, words.join('-'))
      await witan({ home, env: { NODE_V8_COVERAGE: folder } }, ...words)
      const files = await readdir(folder)
      const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
      return texts.flatMap((text) => (JSON.parse(text).result as { url: string }[]).map(({ url }) => url))
    }
    const ofQueue = (urls: readonly string[]) =>
      urls.filter((url) =>
        /node_modules\/(pg|pg-pool|graphile-worker|croner)\/|\/(postgres|queue)\//.test(url),
      )
    const asked = await loaded('ask', 'Shall we?', '--seats', 'embedded')
    expect(asked.some((url) => url.includes('better-sqlite3') || url.includes('sqlite'))).toBe(true)
    expect(ofQueue(asked)).toEqual([])
    // What would be seen: a home whose ledger is in PostgreSQL, even where no server answers.
    await writeFile(join(home, 'config.yaml'), 'vault: {postgres: "postgres://u:p@127.0.0.1:1/none"}\n', {
      mode: 0o600,
    })
    expect(ofQueue(await loaded('queue', 'list'))).toContainEqual(expect.stringContaining('node_modules/pg/'))
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

  it('has its imports handed to its starter, and the same words in a text left alone', async () => {
    const script = pathToFileURL(join(projectRoot, 'scripts/own-imports.js')).href
    const { withOwnImports } = (await import(script)) as { withOwnImports(text: string): string }
    const texts = `const a='import("x")',b=/import\\("/,c=\`import("\${import("y")}\`;// import("z")\n`
    expect(withOwnImports(`${texts}import(  "a").then(()=>import(a+import("b")))`)).toBe(
      `${texts.replace('${import', '${OWN_IMPORT')}OWN_IMPORT(  "a").then(()=>OWN_IMPORT(a+OWN_IMPORT("b")))`,
    )
    const built = await readFile(join(projectRoot, 'dist/command-in-one/witan.cjs'), 'utf8')
    expect(built).toContain('OWN_IMPORT("@ai-sdk/anthropic")')
    expect(built).not.toContain('=>import(')
  })
})
