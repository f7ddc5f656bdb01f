import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inHome } from '../../src/app/storage.ts'
import { type CouncilServer, playCouncil } from '../fakes/council.ts'
import { bundleScript, startScript } from '../support/children.ts'
import { workAt } from '../support/council-clerk.ts'
import { THREE, verdictOn } from '../support/council-run.ts'

let script: string
let home: string
let server: CouncilServer

beforeAll(async () => {
  script = await bundleScript('test/support/council-process.ts')
  home = await mkdtemp(join(tmpdir(), 'witan-killed-'))
  server = await playCouncil(THREE)
})
afterAll(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})

/** A council whose clerk died at that moment, if it came so far; its trace. */
async function killed(death: string): Promise<{ readonly trace: string; readonly isKilled: boolean }> {
  const child = startScript(script, [home, server.url, death])
  const { signal, errors } = await child.ended
  expect(errors).toBe('')
  const [first = ''] = child.lines()
  return { trace: first.slice('trace '.length), isKilled: signal === 'SIGKILL' }
}

async function resume(trace: string): Promise<void> {
  const storage = await inHome(home)
  await workAt(storage, server.url, { trace })
  await storage.close()
}

const ASKED = { opinion: 'R1', review: 'R2', report: 'R3' } as const

/** Nothing answered was asked again, what was lost is on record, and the minutes verify. */
async function expectHonest(trace: string, heard: readonly string[]): Promise<{ lost: number }> {
  const storage = await inHome(home)
  try {
    const started = new Set<string>()
    const outcomes = new Map<string, number>()
    let lost = 0
    for await (const event of storage.ports.store.read(trace)) {
      const { type } = JSON.parse(Buffer.from(event.header).toString('utf8'))
      const { action, seat } = JSON.parse(Buffer.from(event.payload ?? []).toString('utf8'))
      const [kind = ''] = String(action).split('/')
      if (!Object.hasOwn(ASKED, kind)) continue
      if (type === 'call_started') started.add(action)
      if (type === 'call_lost') lost++
      if (/_given$/.test(type)) {
        const name = `${ASKED[kind as keyof typeof ASKED]} ${seat}`
        outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
      }
    }
    expect([...outcomes].sort()).toEqual(
      ['R1 a', 'R1 b', 'R1 c', 'R2 a', 'R2 b', 'R2 c', 'R3 a'].map((name) => [name, 1]),
    )
    // Every call that reached a model was announced before, and every one beyond the first was lost first.
    expect(heard.length).toBeLessThanOrEqual(started.size)
    expect(started.size).toBe(7 + lost)
    const report = await verdictOn(storage, trace)
    expect(report.failures).toEqual([])
    expect(report.status).toBe('pass')
    return { lost }
  } finally {
    await storage.close()
  }
}

describe('a council whose clerk is killed', () => {
  it('COU-X-1 LED-17 after any commit is finished by the next one, which asks nothing answered again', async () => {
    let commits = 0
    for (; commits < 30; commits++) {
      const before = server.heard.length
      const { trace, isKilled } = await killed(`commit:${commits + 1}`)
      if (!isKilled) break
      await resume(trace)
      await expectHonest(trace, server.calls().slice(before))
    }
    // Announcements, seven answers, two decisions and the closing: each was the last thing a clerk did.
    expect(commits).toBeGreaterThanOrEqual(12)
  }, 120_000)

  it('COU-X-1 LED-17 inside any call leaves it lost on record, to be asked again', async () => {
    for (const nth of [1, 2, 3, 4, 5, 6, 7]) {
      const before = server.heard.length
      const { trace, isKilled } = await killed(`ask:${nth}`)
      expect(isKilled).toBe(true)
      await resume(trace)
      const { lost } = await expectHonest(trace, server.calls().slice(before))
      expect(lost).toBeGreaterThan(0)
    }
  }, 120_000)
})
