// Sessions that their hosts left open: closed once nothing happened in them for long, when another session begins.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { announcing, attached, type Bench, gateOf, shell } from './attached-host.ts'
import { type Json, witan } from './command.ts'

/** As if the machine's clock had been set back. */
const CLOCK = `
const hours = Number(process.env.HOURS_AGO)
const Real = Date
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])) }
  static now() { return Real.now() - hours * 3_600_000 }
}
`

async function callAt(bench: Bench, hoursAgo: number): Promise<void> {
  const clock = join(bench.cwd, 'clock.cjs')
  await writeFile(clock, CLOCK)
  const { command } = await gateOf(bench)
  const env = { ...bench.env, NODE_OPTIONS: `--require ${clock}`, HOURS_AGO: String(hoursAgo) }
  // By itself: what it leaves behind would have that clock, too.
  const alone = command.replaceAll(/ --socket '[^']*'/g, '').replaceAll('[ -S ', '[ -S /nowhere')
  const call = { ...announcing(bench, 'Bash'), session_id: `${hoursAgo} hours ago` }
  const { code, stderr } = await shell(alone, { ...bench, env }, JSON.stringify(call))
  expect([code, stderr]).toEqual([0, ''])
}

/** Once something was closed. */
async function summaryOf(bench: Bench): Promise<Json> {
  for (;;) {
    const { json } = await witan(bench, 'agents', 'summary', '--json')
    const total = json.total as { readonly open: number }
    if (total.open < 2) return json.total as Json
  }
}

describe.each([
  ['the process that stays', []],
  ['the hook of its start', ['--no-resident']],
])('a session in which nothing happened for long, by %s', (_, options) => {
  it('AGT-X-7 is closed as such when another one begins, and one that is younger is left open', async () => {
    const bench = await attached('claude', ...options)
    await callAt(bench, 13)
    await callAt(bench, 11)
    const [start = {}] = bench.payloads
    expect(start.hook_event_name).toBe('SessionStart')
    expect(await bench.tell(start)).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await summaryOf(bench)).toMatchObject({ sessions: 2, open: 1, calls: 2 })
    const { json } = await witan(bench, 'list', '--json')
    const traces = json.traces as readonly { readonly trace: string; readonly status: string }[]
    const closed = traces.find(({ status }) => status === 'completed')?.trace ?? 'none'
    expect((await witan(bench, 'show', closed)).stdout).toContain('nothing came from the host for long')
    expect((await witan(bench, 'verify', closed, '--json')).json.status).toMatch(/^pass/)
  })
})
