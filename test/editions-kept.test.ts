// Traces in real homes: those of edition 1 are resumed, forked and verified by the rules they were begun under, and
// those of an edition that is not known here are refused by verifiers and clerks alike.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signersOf } from '../src/app/council/council.ts'
import { seatingOf } from '../src/app/council/program-council.ts'
import { inHome, type Storage } from '../src/app/storage.ts'
import { wholeBundle } from '../src/clerk/extract.ts'
import { forkTrace } from '../src/clerk/fork.ts'
import { TraceLog } from '../src/clerk/trace-log.ts'
import { councilProtocol } from '../src/council/council.ts'
import type { Payload } from '../src/ledger/event.ts'
import type { Report } from '../src/ledger/verify/report.ts'
import type { Protocol } from '../src/protocol.ts'
import { sha256 } from '../src/stores/digest.ts'
import { examine } from '../src/stores/verify-answers.ts'
import { type CouncilServer, playCouncil } from './fakes/council.ts'
import { SignedSession } from './support/agents-scene.ts'
import { agents } from './support/agents-walk.ts'
import { by, MIND, plan, plannedTask, read } from './support/agents-world.ts'
import { workAt } from './support/council-clerk.ts'
import { seatAt, THREE, verdictOn } from './support/council-run.ts'
import { opening as councilOpening, protocol, Sitting } from './support/council-sitting.ts'
import { verified as exchangeVerified, openExchangeHome, recordRun } from './support/exchange-home.ts'
import { ExchangeRun, protocol as exchange } from './support/exchange-run.ts'
import { opening as exchangeOpening, termsIn } from './support/exchange-script.ts'
import { council, verified as councilVerified } from './support/sealed-council.ts'
import { actor, smuggle } from './support/tamper.ts'

const withoutEdition = <Opening extends { readonly edition?: unknown }>({ edition: _, ...rest }: Opening) =>
  rest

describe('a council of edition 1', () => {
  let home: string
  let storage: Storage
  let server: CouncilServer
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'witan-editions-'))
    storage = await inHome(home)
    server = await playCouncil(THREE)
  })
  afterAll(async () => {
    await server.close()
    await storage.close()
    await rm(home, { recursive: true, force: true })
  })

  /** The codes of the tags that each reader was shown, in the order of asking. */
  const codes = (from: number): readonly string[] =>
    server.heard.slice(from).map(({ round, model, words }) => {
      const code = /tags that end in -([0-9a-f]{12})\./.exec(words)?.[1]
      return `${round} ${model} ${code}`
    })

  it('VER-3 is resumed, forked and verified by the rules it was opened under', async () => {
    const names = ['a', 'b', 'c']
    const seats = names.map((name) => ({ seat: seatAt(server.url, name) }))
    const { convening } = seatingOf({ question: 'Shall we do it?', seats, chairs: ['a'] })
    const registrar = await storage.registerSigners(signersOf('ana', convening.seats))
    const { chairs, policy } = convening
    const records = convening.seats.map(({ prompt_chars: _, ...seat }) => seat)
    const opening = { ...withoutEdition(councilOpening({ seats: records, chairs, policy })), prompts: 1 }
    const log = new TraceLog(storage.ports, councilProtocol(sha256), storage.ports.newTrace())
    await log.append([
      { type: 'council_opened', actor: registrar.actor('ana', 'convener'), payload: opening as never },
    ])
    await workAt(storage, server.url, { trace: log.trace })
    const first = codes(0)
    expect(new Set(first.filter((code) => code.startsWith('R1')).map((code) => code.slice(-12))).size).toBe(1)
    expect(await verdictOn(storage, log.trace)).toMatchObject({ status: 'pass', failures: [] })

    await log.refresh()
    const last = Number(log.state.inner.spans.R2?.last.split('/')[1])
    const from = { parent: log.trace, seq: last }
    const before = server.heard.length
    const fork = await forkTrace(storage.ports, log.protocol, from, registrar.actor('ana', 'convener'))
    await workAt(storage, server.url, { trace: fork.trace })
    expect(codes(before)).toEqual(first.filter((code) => code.startsWith('R3')))
    expect(await verdictOn(storage, fork.trace)).toMatchObject({ status: 'pass', failures: [] })

    const heard = server.heard.length
    const trace = await workAt(storage, server.url, { trace: null })
    // One for round one, one for each of three reviewers and one for the chair.
    expect(new Set(codes(heard).map((code) => code.slice(-12))).size).toBe(5)
    expect(await verdictOn(storage, trace)).toMatchObject({ status: 'pass', failures: [] })
  }, 60_000)
})

const WORLD = { plan: () => ({ proposals: [plan] }), act: (_: string, turn: number) => acts(turn) }
const acts = (turn: number) => (turn === 1 ? read('a') : { give_up: { reason: 'enough' } })

describe.each([
  ['edition 1', withoutEdition(plannedTask([MIND])), undefined],
  ['the newest edition', plannedTask([MIND]), 2],
] as const)('a session of %s', (_, task, edition) => {
  it('VER-3 is resumed, forked and verified by the rules it was opened under', async () => {
    const session = await SignedSession.open(task, WORLD)
    await session.run('act/p1/2')
    const middle = session.log.size
    await session.run()
    expect(session.phase).toBe('completed')
    expect((await session.verify()).failures).toEqual([])
    const fork = await session.fork(middle - 1)
    expect(fork.log.state.inner.task?.edition).toBe(edition)
    await fork.run()
    expect([fork.phase, (await fork.verify()).failures]).toEqual(['completed', []])
  })
})

describe.each([
  ['edition 1', { prompts: 1 }, 1],
  ['the newest edition', { edition: 2 }, 2],
] as const)('an exchange of %s', (_, named, edition) => {
  it('VER-3 is resumed, branched and verified by the rules it was opened under', async () => {
    const run = new ExchangeRun()
    run.person('exchange_opened', { ...withoutEdition(exchangeOpening(termsIn(edition))), ...named })
    run.rounds(6)
    const branch = run.branch({ round: 3 }).rounds(5)
    const home = await openExchangeHome()
    for (const { trace } of [await recordRun(home, run), await recordRun(home, branch)]) {
      expect((await exchangeVerified(home, trace)).failures).toEqual([])
      const log = new TraceLog(home.ports, exchange, trace)
      await log.refresh()
      expect([log.flaw, log.state.inner.edition]).toEqual([null, edition])
    }
  })
})

describe('an edition that is not known here', () => {
  const found = ({ status, failures }: Report) => ({
    status,
    failures: failures.map(({ code, event, message }) => `${code} ${event?.split('/')[1]} ${message}`),
  })
  const unknown = (id: string) => ({
    status: 'fail',
    failures: [
      `SCHEMA_INVALID 0 edition 3 of ${id} is not known to this release of Witan, which knows editions up to 2`,
    ],
  })
  const NEWER = {
    code: 'EDITION_UNKNOWN',
    message: expect.stringContaining('edition 3'),
    next: expect.stringContaining('newer release'),
  }

  it('VER-3 VER-1 fails a council once, no matter what follows, and no clerk goes on with it', async () => {
    const honest = new Sitting().open().run()
    const newer = new Sitting()
    for (const bytes of honest.artifacts) newer.artifacts.set(...bytes)
    for (const [i, spoken] of honest.spoken.entries())
      newer.take(i === 0 ? { ...spoken, payload: { ...spoken.payload, edition: 3, other: true } } : spoken)
    const home = await council()
    expect(found(await councilVerified(newer, home))).toEqual(unknown('council/1'))
    await expect(new TraceLog(home.ports, protocol, newer.trace).refresh()).rejects.toMatchObject(NEWER)
    const from = { parent: newer.trace, seq: 3 }
    await expect(forkTrace(home.ports, protocol, from, actor('olga', 'convener'))).rejects.toMatchObject(
      NEWER,
    )
  })

  it('VER-3 VER-1 fails a session, and no clerk goes on with it', async () => {
    const { scene } = await SignedSession.open()
    const payload = { ...plannedTask(), edition: 3 } as unknown as Payload
    const trace = scene.ports.newTrace()
    const draft = { type: 'session_initialized', actor: by('olga'), payload, protocol: 'agents/1' }
    const told = { type: 'session_aborted', actor: by('olga'), payload: { reason: 'x', via: 'terminal' } }
    await smuggle(scene, trace, draft, { ...told, protocol: 'agents/1' })
    const bundle = await wholeBundle(scene.store, trace)
    const report = await examine(bundle, scene.store, scene.trust, [agents as Protocol])
    expect(found(report)).toEqual(unknown('agents/1'))
    await expect(new TraceLog(scene.ports, agents, trace).refresh()).rejects.toMatchObject(NEWER)
  })

  it('VER-3 VER-1 fails an exchange, and no clerk goes on with it', async () => {
    const home = await openExchangeHome()
    const trace = home.ports.newTrace()
    const payload = { ...exchangeOpening(termsIn(2)), edition: 3 } as Payload
    const draft = {
      type: 'exchange_opened',
      actor: actor('ana', 'observer'),
      payload,
      protocol: 'exchange/1',
    }
    const told = { ...draft, type: 'continued', payload: { until: 3, mode: 'run' } }
    await smuggle({ ...home, trace }, trace, draft, told)
    expect(found(await exchangeVerified(home, trace))).toEqual(unknown('exchange/1'))
    await expect(new TraceLog(home.ports, exchange, trace).refresh()).rejects.toMatchObject(NEWER)
  })
})
