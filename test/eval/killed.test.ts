// An evaluation that is killed without warning, again and again, and resumed.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inHome } from '../../src/app/storage.ts'
import { machines } from '../council/table.ts'
import { ended, start } from '../doors/command.ts'
import { scriptsOf, simulatedSet } from '../fakes/simulated-members.ts'

const open = machines()
const ITEMS = 10

const MODELS = scriptsOf({
  members: Object.fromEntries(
    ['ada', 'ben', 'cyd'].map((name, m) => [
      name,
      { knows: (item: number) => ((item + m) % 3 === 0 ? -item : item) },
    ]),
  ),
  chair: (item) => item,
})

const ARGS = ['set.jsonl', '--yes', '--arms', 'council,single,vote,plain:ben,council-no-r2']

const gradesIn = (report: { readonly [name: string]: unknown }): unknown =>
  (report.items as { id: string; grades: unknown }[]).map(({ id, grades }) => [id, grades])

/** Every call that was announced in any trace of the home, and how many of them were lost. */
async function announced(
  home: string,
): Promise<{ started: number; lost: number; answered: number; twice: string[] }> {
  const storage = await inHome(home)
  let [started, lost, answered] = [0, 0, 0]
  const twice: string[] = []
  try {
    for (const { trace } of await storage.ports.store.traces()) {
      const seen = new Set<string>()
      for await (const event of storage.ports.store.read(trace)) {
        const { type } = JSON.parse(Buffer.from(event.header).toString('utf8'))
        const { action } = JSON.parse(Buffer.from(event.payload ?? []).toString('utf8'))
        if (type === 'call_started') started++
        if (type === 'call_lost') lost++
        if (!/_given$/.test(type)) continue
        answered++
        const base = String(action).slice(0, String(action).lastIndexOf('/'))
        if (seen.has(base)) twice.push(`${trace} ${base}`)
        seen.add(base)
      }
    }
    return { started, lost, answered, twice }
  } finally {
    await storage.close()
  }
}

describe('an evaluation that is killed', () => {
  it('COU-X-4 goes on to the same grades, and nothing that was answered is paid for again', async () => {
    const whole = await open(MODELS)
    await writeFile(join(whole.cwd, 'set.jsonl'), simulatedSet(ITEMS))
    const expected = await whole.run('eval', ...ARGS, '--json')
    const calls = whole.server.heard.length
    expect(calls).toBe(ITEMS * 9)

    const { server, run, ...where } = await open(MODELS)
    await writeFile(join(where.cwd, 'set.jsonl'), simulatedSet(ITEMS))
    for (const [round, death] of [7, 30, 55].entries()) {
      const args = round === 0 ? ['eval', ...ARGS] : ['resume', 'last:eval']
      const child = start(args, where)
      const over = ended(child)
      while (server.heard.length < death && child.exitCode === null)
        await new Promise((go) => setTimeout(go, 1))
      child.kill('SIGKILL')
      await over
    }
    const report = await run('resume', 'last:eval', '--json')
    expect(report.code).toBe(0)
    expect(gradesIn(report.json)).toEqual(gradesIn(expected.json))
    const { started, lost, answered, twice } = await announced(where.home)
    expect(twice).toEqual([])
    expect(answered).toBe(calls)
    expect(started).toBe(calls + lost)
    // All that reached a model was announced before, and beyond the first asking it was lost.
    expect(server.heard.length).toBeLessThanOrEqual(started)
    expect(lost).toBeGreaterThan(0)
    expect((await run('verify', String(report.json.trace), '--json')).json).toMatchObject({ status: 'pass' })
  }, 180_000)
})
