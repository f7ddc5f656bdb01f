// What a person sees at a terminal of 80 and of 120 columns, held to the letter: a council while it sits, its report, the
// approval of a write, and a chat with a signal. What differs from run to run (ids, numbers, seconds) is removed.
// WITAN_SCREENS=write keeps what is shown now; read it before you commit it.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasTmux, Pane } from '../support/tmux.ts'
import { directory, type Where, witan } from './command.ts'

const COLUMNS = [80, 120] as const
const KEPT = join(import.meta.dirname, 'screens')

const fresh = async (): Promise<Where & { readonly cwd: string }> => {
  const cwd = await directory()
  return { home: join(cwd, 'home'), cwd }
}

/** Without what differs from run to run. */
const steady = (screen: string): string =>
  screen
    .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, 'TRACE')
    // As wide as it was, so that the columns stay where they are.
    .replaceAll(/\d[\d,]* chars \d+\.\d s/g, (shown) => 'N chars N s'.padEnd(shown.length))
    .replaceAll(/\d+\.\d s\b/g, 'N s')
    .replaceAll(/ in \d+ ms/g, ' in N ms')
    // What is being written, as far as it has come.
    .replaceAll(/^(scripted-\w+) {2}(?!.*N chars N s).*$/gm, '$1  …')
    .replaceAll(/[ \t]+$/gm, '')

async function holds(name: string, columns: number, screen: string): Promise<void> {
  const file = join(KEPT, `${name}-${columns}.txt`)
  const shown = `${steady(screen).trim()}\n`
  if (process.env.WITAN_SCREENS === 'write') {
    await mkdir(KEPT, { recursive: true })
    await writeFile(file, shown)
  }
  expect(shown).toBe(await readFile(file, 'utf8'))
  const widest = Math.max(...screen.split('\n').map((line) => [...line].length))
  expect(widest).toBeLessThanOrEqual(columns)
}

/** From the last line that begins so. */
const from = (beginning: string, screen: string): string =>
  screen.slice(screen.lastIndexOf(`\n${beginning}`) + 1)

async function on(
  columns: number,
  where: Where,
  args: readonly string[],
  look: (pane: Pane) => Promise<void>,
) {
  const pane = new Pane({ ...where, columns }, ...args)
  try {
    await look(pane)
  } finally {
    pane.close()
  }
}

describe.skipIf(!hasTmux)('APP-10 a terminal', () => {
  it('APP-11 asks on a line of its own whether a file is trusted, and shows its values', async () => {
    const where = await fresh()
    const address = 'base_url: http://127.0.0.1:9/v1'
    const settings = `council:\n  providers:\n    - name: house\n      ${address}\n      model: m\n`
    expect((await witan(where, 'init')).code).toBe(0)
    await writeFile(join(where.cwd, 'witan.yaml'), settings)
    await on(80, where, ['ask', 'Shall we?'], async (pane) => {
      await pane.reads('[y/N]')
      expect(pane.screen()).toMatch(/^witan\.yaml wants to decide what runs on this machine/)
      expect(pane.screen()).toContain(address)
    })
  }, 30_000)

  for (const columns of COLUMNS) {
    it(`shows a council while it sits and its report, at ${columns} columns`, async () => {
      const where = await fresh()
      await on(columns, where, ['demo'], async (pane) => {
        let live = ''
        while (!live.includes('Nobody has counted')) live = pane.screen()
        await holds('council-live', columns, from('seat ', live))
        await pane.reads('PASS')
        const over = pane.screen()
        const report = over.slice(0, over.lastIndexOf('\n$ witan verify')).trimEnd()
        const shown = await witan(where, 'report', 'last')
        const [first = ''] = shown.stdout.split('\n')
        await holds('report', columns, from(first.slice(0, 20), report))
      })
    }, 60_000)

    it(`shows what is approved, at ${columns} columns`, async () => {
      await on(columns, await fresh(), ['demo', 'agents', '--fast'], async (pane) => {
        await pane.reads('[Enter] later')
        const screen = pane.screen()
        const folder = /work on files in\s+(\/\S+)\/shop/.exec(screen)?.[1]
        if (folder) await rm(folder, { recursive: true })
        await holds('approval', columns, from('settings.ini  ', screen))
      })
    }, 60_000)

    it(`shows a signal and what each answer does in a chat, at ${columns} columns`, async () => {
      const where = await fresh()
      expect((await witan(where, 'demo', 'exchange', '--fast')).code).toBe(0)
      await on(columns, where, ['exchange', 'chat', 'last'], async (pane) => {
        await pane.reads('/halt [WHY]')
        const screen = pane.screen()
        await holds('signal', columns, screen.slice(screen.indexOf('Type to speak.')))
        pane.type('/quit')
        await pane.reads('trace ')
      })
    }, 60_000)
  }
})
