// What the command does with a council that is on record, a program does too: continue it, fork it, end it, ask
// further; and it may leave to the settings who sits.

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  abortCouncil,
  council,
  forkCouncil,
  inHome,
  inStore,
  resumeCouncil,
  type Speaking,
  type Storage,
} from '../../src/doors/library/council.ts'
import { newHome } from '../doors/command.ts'
import { type CouncilServer, playCouncil } from '../fakes/council.ts'
import { writeFiles } from '../support/agents-home.ts'
import { seatAt, verdictOn } from '../support/council-run.ts'
import { seatsAt } from '../support/mcp-host.ts'

let server: CouncilServer
beforeAll(async () => {
  server = await playCouncil({ a: {}, b: {}, c: {} })
})
afterAll(() => server.close())

const seats = () => ['a', 'b', 'c'].map((name) => ({ seat: seatAt(server.url, name) }))
const asked = (storage: Storage) => ({ question: 'Shall we do it?', seats: seats(), chairs: ['a'], storage })

describe('a program', () => {
  it('COU-X-1 goes on with a council that it stopped', async () => {
    const storage = await inStore()
    const stopped = council({ ...asked(storage), signal: AbortSignal.abort() })
    await expect(stopped.result).rejects.toMatchObject({ code: 'INTERRUPTED' })
    const trace = await stopped.trace
    const result = await resumeCouncil(trace, { storage, seats: seats() }).result
    expect(result).toMatchObject({ trace, status: 'reported' })
    expect(await verdictOn(storage, trace)).toMatchObject({ status: 'pass' })
  })

  it('VOX-19 hears what seats write while they write it, of every round', async () => {
    const heard = new Map<string, string>()
    const speaks = ({ seat, round, words }: Speaking): void => {
      const place = `${round} ${seat}`
      heard.set(place, words === null ? '' : `${heard.get(place) ?? ''}${words}`)
    }
    const result = await council({ ...asked(await inStore()), speaks }).result
    expect(result.status).toBe('reported')
    expect([...heard.keys()].sort()).toEqual(['R1 a', 'R1 b', 'R1 c', 'R2 a', 'R2 b', 'R2 c', 'R3 a'])
    expect(heard.get('R1 a')).toContain(result.rounds[0].opinions[0]?.summary)
  })

  it('COU-X-2 COU-X-3 forks after a round with another chair, and asks further', async () => {
    const storage = await inStore()
    const first = await council(asked(storage)).result
    const before = server.calls().length
    const forked = forkCouncil(first.trace, { storage, after: 'R2', seats: seats(), chair: 'b' })
    expect(await forked.result).toMatchObject({ status: 'reported' })
    expect(server.calls().slice(before)).toEqual(['R3 b'])
    const next = await council({ ...asked(storage), question: 'And then?', follow: first.trace }).result
    expect(next).toMatchObject({ question: 'And then?', status: 'reported' })
    expect(server.heard.at(-1)?.words).toContain('Shall we do it?')
  })

  it('ends a council before its time, once', async () => {
    const storage = await inStore()
    const stopped = council({ ...asked(storage), signal: AbortSignal.abort() })
    await stopped.result.catch(() => undefined)
    const trace = await stopped.trace
    const ended = await abortCouncil(trace, { storage, seats: seats(), reason: 'enough' }).result
    expect(ended.status).not.toBe('reported')
    const again = abortCouncil(trace, { storage, seats: seats() })
    await expect(again.result).rejects.toMatchObject({ code: 'TRACE_FINISHED' })
  })

  it('leaves to the settings of a home who sits, or names them', async () => {
    const { home } = await newHome()
    await writeFiles(home, { 'config.yaml': seatsAt(server.url, 'a', 'b') })
    const storage = await inHome(home)
    try {
      const settings = { home, config: join(home, 'config.yaml') }
      const all = await council({ question: 'Shall we?', storage, settings }).result
      expect(all.rounds[0].opinions.map(({ seat }) => seat)).toEqual(['a', 'b'])
      const alone = await council({ question: 'Shall we?', seats: ['b'], storage, settings }).result
      expect(alone.rounds[0].opinions.map(({ seat }) => seat)).toEqual(['b', 'b-2', 'b-3'])
    } finally {
      await storage.close()
    }
  })
})
