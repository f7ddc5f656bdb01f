// Opens the fake server's program for a test: writes what it shall do into a folder of its own and reads there what
// became of it.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleScript, isAlive } from '../../support/children.ts'
import type { Behaviour } from './stdio-server.ts'

export interface FakeProgram {
  readonly command: readonly string[]
  /** What its tool was called with, call by call. */
  calls(): readonly Readonly<Record<string, unknown>>[]
  /** Which calls the client told it to give up. */
  cancelled(): readonly number[]
  /** Its processes that still live, given a moment to go. */
  alive(): Promise<readonly number[]>
  /** How often it was started. */
  starts(): number
  dispose(): Promise<void>
}

export async function fakeProgram(behaviour: Behaviour): Promise<FakeProgram> {
  const script = await bundleScript('test/fakes/mcp/stdio-server.ts')
  const folder = await mkdtemp(join(tmpdir(), 'witan-mcp-'))
  await writeFile(join(folder, 'behaviour.json'), JSON.stringify(behaviour))
  const notes = <Note>(file: string): Note[] => {
    if (!existsSync(join(folder, file))) return []
    const text = readFileSync(join(folder, file), 'utf8')
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  const living = () => notes<number>('pids').filter(isAlive)
  return {
    command: [process.execPath, script, folder],
    calls: () => notes('seen'),
    cancelled: () => notes('cancelled'),
    starts: () => notes('starts').length,
    async alive() {
      for (let tries = 0; tries < 20 && living().length > 0; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      return living()
    },
    async dispose() {
      for (const pid of living()) process.kill(pid, 'SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
