// Hooks whose home cannot be used: a full disk, a damaged database, a home of someone else. A gated call is denied with words;
// a recorded one passes at once, and shows as a gap as soon as the home can be written again.

import { cp, rename, rm, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { databaseFile } from '../../src/stores/sqlite/open.ts'
import { announcing, attached, type Bench, closed, gateOf, shell } from './attached-host.ts'
import { type Ran, witan } from './command.ts'

const call = (bench: Bench, id: string): string =>
  JSON.stringify({ ...announcing(bench, 'Bash'), tool_use_id: id, tool_input: { command: `ls ${id}` } })

interface Fault {
  readonly name: string
  /** Of the words that the host is shown. */
  readonly words: RegExp
  /** Tells the hook of a call while the fault is there. */
  tell(bench: Bench, command: string, input: string): Promise<Ran>
}

async function withDamaged(bench: Bench, work: () => Promise<Ran>): Promise<Ran> {
  const database = databaseFile(bench.home)
  await rename(database, `${database}.whole`)
  for (const more of ['-wal', '-shm']) await rm(`${database}${more}`, { force: true })
  await writeFile(database, 'no database '.repeat(1_000))
  try {
    return await work()
  } finally {
    await cp(`${database}.whole`, database)
  }
}

const FAULTS: readonly Fault[] = [
  {
    name: 'no room on the disk',
    words: /disk|full|large|I\/O/i,
    // Room for a note of some words, and for nothing else: in blocks of 512 bytes.
    tell: (bench, command, input) => shell(`ulimit -f 2; ${command}`, bench, input),
  },
  {
    name: 'a damaged database',
    words: /this is not a SQLite file/,
    tell: (bench, command, input) => withDamaged(bench, () => shell(command, bench, input)),
  },
]

describe.each(FAULTS)('hooks with $name', ({ words, tell }) => {
  it('AGT-X-7 denies a gated call and says why', async () => {
    const bench = await attached('claude', '--gate', '--no-resident', '--wait', '0')
    const { command } = await gateOf(bench)
    expect((await shell(command, bench, call(bench, 'before'))).code).toBe(0)
    const { code, stdout, stderr } = await tell(bench, command, call(bench, 'denied'))
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^Witan cannot record this call, so it is denied: /),
    ])
    expect(stderr).toMatch(words)
    expect((await shell(command, bench, call(bench, 'after'))).code).toBe(0)
    expect((await closed(bench)).calls).toBe(2)
    expect((await witan(bench, 'verify', 'last', '--json')).code).toBe(0)
  })

  it('AGT-X-7 lets a recorded call pass, and verify warns of it afterwards', async () => {
    const bench = await attached('claude', '--no-resident')
    await writeFile(bench.transcript, '')
    const { command } = await gateOf(bench)
    expect((await shell(command, bench, call(bench, 'before'))).code).toBe(0)
    expect((await tell(bench, command, call(bench, 'missed'))).code).toBe(0)
    expect((await shell(command, bench, call(bench, 'after'))).code).toBe(0)
    expect(await closed(bench)).toMatchObject({ calls: 2, gaps: 1 })
    expect((await witan(bench, 'verify', 'last', '--json')).json).toMatchObject({
      status: 'pass-with-warnings',
      failures: [
        { code: 'RECORD_GAP', message: expect.stringContaining('let pass though it could not be recorded') },
      ],
    })
  })
})
