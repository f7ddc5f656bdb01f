// A limit that the operator writes into the settings of the home is the one that a sandbox is held to.

import { describe, expect, inject, it } from 'vitest'
import {
  agentsHome,
  COUNTING,
  eventsOf,
  layCounting,
  runTask,
  traceOf,
  writeFiles,
} from '../support/agents-home.ts'

const HOARD = 'x=$(head -c 100000000 /dev/zero | tr "\\0" a)\necho "$x" | wc -c\necho counted\n'

async function hoarding(limits: object): Promise<string> {
  const home = await agentsHome()
  await layCounting(home, HOARD)
  const agents = { policy: 'lenient', commands: ['./count.sh'], limits }
  await writeFiles(home.home, { 'config.yaml': JSON.stringify({ agents }) })
  const ran = await runTask(home, COUNTING)
  return JSON.stringify([ran.json, await eventsOf(home, traceOf(ran))])
}

describe.skipIf(inject('bubblewrap') === null)('a limit of the settings', () => {
  it('AGT-TOOL-6 reaches the sandbox of a command', async () => {
    expect(await hoarding({ memory_mib: 2_048 })).toContain('"text":"it was counted","confidence"')
    const held = await hoarding({ memory_mib: 32 })
    expect(held).not.toContain('"text":"it was counted","confidence"')
    expect(held).toMatch(/more than 32 MiB of memory|exit code/)
  }, 60_000)
})
