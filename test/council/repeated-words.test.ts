// What one answer said stands again in what follows from it by rule. Erasing names those events, and erases them too where it is
// to be erased everywhere; the rest still verifies.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../doors/command.ts'
import { opinion } from '../fakes/council.ts'
import { everythingIn, type Machine, machines } from './table.ts'

const open = machines()
const WORDS = 'The quetzalplover nests behind the third sluice.'

interface Told {
  readonly seq: number
  readonly header: { readonly type: string; readonly actor: { readonly agent: string } }
  readonly payload: Json | null
}

const eventsOf = async ({ run }: Machine, trace: string): Promise<readonly Told[]> =>
  (await run('show', trace, '--json')).json.events as readonly Told[]

const seqOf = (events: readonly Told[], type: string, agent?: string): number =>
  events.find(
    ({ header, payload }) =>
      header.type === type &&
      (agent === undefined || header.actor.agent === agent) &&
      JSON.stringify(payload).includes('quetzalplover'),
  )?.seq ?? -1

describe('erasing one part of an opinion', () => {
  /** A review in parts whose chair fails, so that its report is put together from what a said. */
  async function held(): Promise<{ readonly one: Machine; readonly trace: string }> {
    const said = opinion({ summary: WORDS })
    const silent = { act: 'error', kind: 'auth', message: 'no' } as const
    const one = await open(
      { a: { R1: [said], R3: [silent] }, b: { R3: [silent] }, c: { R3: [silent] } },
      { provider: ', context_window: 16000' },
    )
    for (const name of ['x', 'y'])
      await writeFile(join(one.cwd, `${name}.md`), `${name} line\n`.repeat(6_000))
    const ran = await one.run('review', 'x.md', 'y.md', '--yes', '--json', '--parts', '9')
    return { one, trace: String(ran.json.trace) }
  }

  it('LED-14 names what repeats it, and everywhere erases that too', async () => {
    const { one, trace } = await held()
    const before = await eventsOf(one, trace)
    const part = seqOf(before, 'opinion_given', 'a')
    const joined = seqOf(before, 'opinion_joined', 'a')
    const report = seqOf(before, 'report_assembled')
    expect([part, joined, report].every((seq) => seq > 0)).toBe(true)
    const told = await one.run('redact', trace, String(part), '--reason', 'a name', '--json')
    const repeated = told.json.repeated_in as readonly { readonly seq: number; readonly type: string }[]
    expect(repeated.map(({ seq }) => seq)).toEqual(expect.arrayContaining([joined, report]))
    for (const hash of told.json.artifacts_left as readonly string[])
      expect((await one.run('redact', trace, '--artifact', hash, '--reason', 'a name')).code).toBe(0)
    const all = await one.run('redact', trace, String(part), '--everywhere', '--reason', 'a name', '--json')
    expect(all.json).toMatchObject({ already: true, repeated_in: [], quoted_in: [] })
    // What is erased already can be told from its kind alone; its other parts say the same here, and are erased next.
    for (const { seq, payload } of await eventsOf(one, trace)) {
      if (!JSON.stringify(payload).includes('quetzalplover')) continue
      const more = await one.run('redact', trace, String(seq), '--everywhere', '--reason', 'a name', '--json')
      expect(more.code).toBe(0)
    }
    expect(await everythingIn(one.home)).not.toContain('quetzalplover')
    const { json } = await one.run('verify', trace, '--json')
    expect(json.status).toBe('pass-with-warnings')
    const codes = (json.failures as readonly { readonly code: string }[]).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set(['REDACTION_LIMITED']))
  }, 120_000)
})
