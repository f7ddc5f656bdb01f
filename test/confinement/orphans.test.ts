// Who is killed without a word leaves nothing running: neither when the sandbox stands nor while it is being built.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { shellTools } from '../../src/tools/shell/shell.ts'
import { callNow } from '../contracts/toolsets.ts'
import { bundleScript, startScript } from '../support/children.ts'

let folder: string
let holder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-orphans-'))
  holder = await bundleScript('test/confinement/holder.ts')
})
afterAll(() => rm(folder, { recursive: true }))

/** The processes whose command line holds the mark, but not the holder itself. */
function marked(mark: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return words.includes(mark) && !words.includes(holder) ? [words.replaceAll('\0', ' ')] : []
      } catch {
        // It ended while it was looked at.
        return []
      }
    })
}

const newMark = (): string => `6${Math.floor(Math.random() * 1e9)}`
const isSleeping = (mark: string) => marked(mark).some((words) => words.startsWith('sleep '))

describe.skipIf(inject('bubblewrap') === null)('killed without a word', () => {
  it.each(['shell', 'mcp'])(
    'AGT-TOOL-6 leaves nothing of a %s that runs',
    async (kind) => {
      const mark = newMark()
      const child = startScript(holder, [kind, folder, mark])
      await vi.waitUntil(() => isSleeping(mark), { timeout: 30_000 })
      child.process.kill('SIGKILL')
      await child.ended
      await vi.waitUntil(() => marked(mark).length === 0, { timeout: 30_000 })
    },
    90_000,
  )

  it.each(['shell', 'mcp'])(
    'AGT-TOOL-6 leaves nothing of a %s that is being started',
    async (kind) => {
      for (let ms = 0; ms <= 120; ms += 8) {
        const mark = newMark()
        const child = startScript(holder, [kind, folder, mark])
        await child.line(/begins/)
        await pause(ms)
        child.process.kill('SIGKILL')
        await child.ended
        await vi.waitUntil(() => marked(mark).length === 0, { timeout: 30_000 })
      }
    },
    240_000,
  )

  it('AGT-TOOL-6 takes away what a killed one has left in the workspace', async () => {
    const roots = [{ name: 'workspace', path: folder, write: true }]
    const clean = (text: string) => ({ text, removed: 0 })
    const toolset = shellTools({ roots, forbidden: { never: [], homes: [] }, commands: [['true']], clean })
    const input = { command: ['true'] }
    expect(await callNow(toolset, { tool: 'shell.run', input })).toMatchObject({ ok: true })
    expect(await readdir(folder)).toEqual([])
  })
})
