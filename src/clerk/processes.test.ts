import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { bundleScript, type Child, startScript } from '../../test/support/children.ts'
import { countOf, type Kit, minutes, openKit, verifyAtHome } from '../../test/support/clerk-kit.ts'
import { openErrand } from '../../test/support/errand-run.ts'
import { freshDatabase } from '../../test/support/postgres.ts'
import { openVaultAt } from '../../test/support/store-at.ts'

const ROUNDS = 8
const KILLS_A_ROUND = 3

let script: string
let directory: string
let place: string
let kit: Kit
let trace: string
let side: string

beforeAll(async () => {
  script = await bundleScript('test/support/clerk-process.ts')
})
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'witan-clerks-'))
  side = join(directory, 'done.txt')
})
afterEach(async () => {
  await kit.store.close()
  await rm(directory, { recursive: true })
})

async function openHome(at: string): Promise<void> {
  place = at
  kit = await openKit(await openVaultAt(place))
  trace = (await openErrand(kit.ports, kit.registrar)).trace
}

const clerk = (took: number, role = 'work'): Child =>
  startScript(script, [place, trace, side, String(took), role])

/** What was really done, as the processes wrote it down themselves. */
const done = async (): Promise<string[]> =>
  (await readFile(side, 'utf8').catch(() => '')).split('\n').flatMap((line) => line.split(' ')[0] || [])

const idsOf = (lines: readonly string[], type: string): string[] =>
  lines.filter((line) => line.startsWith(`${type} `)).map((line) => line.slice(type.length + 1))

/** Every call that happened is on record, every record of a start came first, and no answer came twice. */
async function expectHonest(): Promise<string[]> {
  const lines = await minutes(kit.store, trace)
  const started = idsOf(lines, 'call_started')
  expect(new Set(started).size).toBe(started.length)
  const happened = await done()
  expect(new Set(happened).size).toBe(happened.length)
  for (const id of happened) expect(started).toContain(id)
  for (const seat of ['a', 'b', 'c']) {
    expect(countOf(lines, new RegExp(`^answer_given ask/${seat}/`))).toBe(1)
  }
  expect(countOf(happened, /^tool/)).toBeLessThanOrEqual(1)
  const report = await verifyAtHome(kit, trace)
  expect(report.failures).toEqual([])
  expect(report.status).toBe('pass')
  return lines
}

async function workTogether(): Promise<void> {
  const ends = await Promise.all([clerk(30), clerk(30)].map((child) => child.ended))
  for (const end of ends) expect(end).toEqual({ code: 0, signal: null, errors: '' })
  const lines = await expectHonest()
  expect(countOf(lines, /^call_lost/)).toBe(0)
  expect((await done()).sort()).toEqual(['ask/a/1', 'ask/b/1', 'ask/c/1', 'tool/fetch/1'])
}

async function goOnAfterAKilledColleague(): Promise<void> {
  const first = clerk(60_000)
  await first.line(/^doing ask\/c\/1/)
  const second = clerk(10)
  await second.line(/^ready/)
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(await done()).toHaveLength(3)
  await first.kill()
  expect(await second.ended).toEqual({ code: 0, signal: null, errors: '' })
  const lines = await expectHonest()
  expect(idsOf(lines, 'call_lost').sort()).toEqual(['ask/a/1', 'ask/b/1', 'ask/c/1'])
  expect((await done()).slice(3).sort()).toEqual(['ask/a/2', 'ask/b/2', 'ask/c/2', 'tool/fetch/1'])
}

const server = inject('postgresUrl')

describe.skipIf(server === null)('clerks at one PostgreSQL database', () => {
  let drop = async (): Promise<void> => undefined

  beforeEach(async () => {
    const database = await freshDatabase(server ?? '')
    drop = database.drop
    await openHome(database.url)
  })
  afterEach(async () => {
    await kit.store.close()
    await drop()
  })

  it('LED-17 ask no seat twice if two of them work on one trace', workTogether)
  it('LED-17 record the calls of a killed clerk as lost and ask again', goOnAfterAKilledColleague)
})

describe('clerks in processes of their own', () => {
  beforeEach(() => openHome(join(directory, 'home')))

  it('LED-17 ask no seat twice if two of them work on one trace', workTogether)
  it(
    'LED-17 record the calls of a killed clerk as lost and ask again, once and visibly',
    goOnAfterAKilledColleague,
  )

  it('LED-17 never run the tool of a killed clerk again', async () => {
    const seats = clerk(0, 'seats')
    expect((await seats.ended).code).toBe(0)
    const first = clerk(60_000)
    await first.line(/^doing tool\/fetch\/1/)
    await first.kill()
    expect((await clerk(0).ended).code).toBe(0)
    const lines = await expectHonest()
    expect(idsOf(lines, 'call_indeterminate')).toEqual(['tool/fetch/1'])
    expect(countOf(await done(), /^tool/)).toBe(1)
  })

  it('LED-17 close their open calls visibly when interrupted at the terminal', async () => {
    const child = clerk(60_000)
    await child.line(/^doing ask\/c\/1/)
    child.process.kill('SIGINT')
    expect(await child.ended).toEqual({ code: 0, signal: null, errors: '' })
    expect(child.lines().at(-1)).toBe('end interrupted discarded 0')
    const lines = await minutes(kit.store, trace)
    expect(idsOf(lines, 'call_lost').sort()).toEqual(['ask/a/1', 'ask/b/1', 'ask/c/1'])
    expect((await clerk(0).ended).code).toBe(0)
    await expectHonest()
  })

  it('leave no rejection unhandled when a call fails while others go on', async () => {
    const child = clerk(50, 'fail')
    expect(await child.ended).toEqual({ code: 0, signal: null, errors: '' })
    expect(child.lines().at(-1)).toBe('failed the provider hung up')
    const lines = await minutes(kit.store, trace)
    expect(countOf(lines, /^answer_given/)).toBe(2)
    expect(idsOf(lines, 'call_lost')).toEqual(['ask/b/1'])
  })
})

describe('clerks killed at any moment', () => {
  beforeEach(() => openHome(join(directory, 'home')))

  const anyMoment = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * ms))

  it(`LED-9 LED-17 leave a trace that the next clerk finishes and that verifies, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      side = join(directory, `done-${round}.txt`)
      trace = (await openErrand(kit.ports, kit.registrar)).trace
      for (let kill = 1; kill <= KILLS_A_ROUND; kill++) {
        const child = clerk(4)
        // The last one of a round is killed about where its tool runs; the others anywhere before.
        await child.line(kill < KILLS_A_ROUND ? /^ready/ : /^(doing tool|end)/)
        await anyMoment(kill < KILLS_A_ROUND ? 40 : 8)
        await child.kill()
      }
      expect(await clerk(1).ended).toEqual({ code: 0, signal: null, errors: '' })
      expect((await minutes(kit.store, trace)).at(-1)).toMatch(/^errand_closed/)
      await expectHonest()
    }
  }, 180_000)
})
