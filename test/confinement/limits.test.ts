// How much of the machine a sandbox may take, tried for real with small limits; and that no secret of a server stands
// on a command line while it runs.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { mcpTools } from '../../src/tools/mcp/mcp.ts'
import { shellTools } from '../../src/tools/shell/shell.ts'
import type { ToolOutcome, Toolset } from '../../src/tools/toolset.ts'
import { callNow, cleanPlanted, textOf } from '../contracts/toolsets.ts'
import { bundleScript } from '../support/children.ts'

const MIB = 2 ** 20
const limits = { memoryBytes: 400 * MIB, diskBytes: 64 * MIB, temporaryBytes: 32 * MIB, processes: 30 }
const forbidden = { never: [], homes: [] }
const TOKEN = 'token-of-the-server-0123456789'
let folder: string
let server: string
const toolsets: Toolset[] = []

beforeAll(async () => {
  server = await bundleScript('test/fakes/mcp/tools-server.ts')
  folder = await mkdtemp(join(tmpdir(), 'witan-limits-'))
})
afterEach(async () => {
  for (const toolset of toolsets.splice(0)) await toolset.close()
})
afterAll(() => rm(folder, { recursive: true }))

function inside(kind: 'shell' | 'mcp'): (script: string) => Promise<ToolOutcome> {
  const roots = [{ name: 'workspace', path: folder, write: true }]
  const common = { clean: cleanPlanted }
  if (kind === 'shell') {
    const toolset = shellTools({ ...common, roots, forbidden, commands: [['sh']], limits })
    return (script) =>
      callNow(toolset, { tool: 'shell.run', input: { command: ['sh', '-c', script] } }, { timeoutMs: 60_000 })
  }
  const enclosure = { roots, forbidden, network: false, folders: [], limits }
  const command = [process.execPath, server, '/tmp']
  const toolset = mcpTools({ ...common, name: 'fake', server: { command, env: { TOKEN } }, enclosure })
  toolsets.push(toolset)
  return (script) =>
    callNow(toolset, { tool: 'mcp.fake.run', input: { words: script } }, { timeoutMs: 60_000 })
}

const taking = (mebibytes: number): string =>
  `node -e 'const kept = []; for (let i = 0; i < ${mebibytes}; i++) kept.push(Buffer.alloc(1 << 20, 1)); setTimeout(() => {}, 20000)'`

describe.skipIf(inject('bubblewrap') === null).each(['shell', 'mcp'] as const)(
  'a sandbox of a %s',
  (kind) => {
    it('AGT-TOOL-6 takes no more memory than it may, in one process or in several', async () => {
      const alone = await inside(kind)(`${taking(900)} && echo TAKEN; true`)
      expect(textOf(alone)).not.toContain('TAKEN')
      const several = await inside(kind)(`for i in 1 2 3 4 5; do ${taking(150)} & done; wait`)
      expect(several).toMatchObject({
        ok: false,
        message: expect.stringContaining('more than 400 MiB of memory'),
      })
    }, 120_000)

    it('AGT-TOOL-6 fills neither the disk nor its temporary folders', async () => {
      const one = await inside(kind)('dd if=/dev/zero of=large bs=1M count=100 && echo TAKEN; rm -f large')
      expect(textOf(one)).not.toContain('TAKEN')
      const temporary = await inside(kind)(
        'for at in /tmp /home/witan; do dd if=/dev/zero of=$at/x bs=1M count=40 && echo TAKEN; done; true',
      )
      expect(textOf(temporary)).not.toContain('TAKEN')
      const many =
        'for i in 1 2 3 4 5; do dd if=/dev/zero of=part$i bs=1M count=30 conv=fsync; done; sleep 20'
      expect(await inside(kind)(many)).toMatchObject({
        ok: false,
        message: expect.stringContaining('wrote more than 64 MiB'),
      })
      await inside(kind)('rm -f part*')
    }, 120_000)

    it('AGT-TOOL-6 starts no more processes than it may', async () => {
      const outcome = await inside(kind)('for i in $(seq 300); do sleep 20 & done; wait')
      expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('more than 30 processes') })
    }, 60_000)
  },
)

it.skipIf(inject('bubblewrap') === null)(
  'AGT-TOOL-6 shows no secret of a server on a command line',
  async () => {
    const run = inside('mcp')
    const said = run(`sleep 1; node -p '"has " + process.env.TOKEN.length'`)
    const seen: string[] = []
    let isOver = false
    void said.finally(() => {
      isOver = true
    })
    while (!isOver) {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
          seen.push(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
        } catch {
          // It ended while it was looked at.
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(textOf(await said)).toContain(`has ${TOKEN.length}`)
    expect(seen.some((line) => line.includes(server))).toBe(true)
    expect(seen.filter((line) => line.includes(TOKEN))).toEqual([])
  },
)
