// A signal is answered in each of the five ways, in a chat and through a host, as it is from the command line
// (signal.test.ts): the same event by the same observer, and a trace that verifies.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HeldCouncils } from '../../src/doors/mcp/council/held-council.ts'
import { People } from '../../src/doors/mcp/person-at-host.ts'
import { Runs } from '../../src/doors/mcp/runs.ts'
import { EXCHANGE_TOOLS } from '../../src/doors/mcp/tools/exchange.ts'
import { start } from '../doors/command.ts'
import { call, hostClient } from '../support/mcp-host.ts'
import { OutputReader } from '../support/output-reader.ts'
import {
  copyOf,
  openPoolHome,
  type PoolHome,
  restartScript,
  traceOf,
  verifyFault,
} from '../support/pool-home.ts'

const origin = process.cwd()
let first: PoolHome
let trace: string
beforeAll(async () => {
  first = await openPoolHome()
  first.script = restartScript
  const terms = await first.terms('restless.yaml')
  trace = traceOf(await first.witan('exchange', 'run', '--terms', terms, '--rounds', '12', '--json'), 8)
  await first.terms('lakes.yaml', { pool: { prompt: 'Think about lakes.' } })
  process.chdir(first.where.cwd)
})
afterAll(async () => {
  process.chdir(origin)
  await first.server.close()
})

/** What came of the signal: who answered how and by what means, and whether verifiers and replays agree. */
async function outcome(house: PoolHome) {
  const events = await house.events(trace)
  const [answered] = events.filter(({ type }) => type === 'signal_answered')
  const { answer, via, branch } = answered?.payload ?? {}
  const into = (branch as { into?: string } | null | undefined)?.into ?? null
  const disputes = await Promise.all(
    [trace, ...(into === null ? [] : [into])].map((one) => verifyFault(house, one)),
  )
  return {
    by: answered?.actor.agent,
    answer,
    via,
    isElsewhere: into !== null,
    disputes: disputes.filter(Boolean),
  }
}

const elsewhere = (answer: string): boolean => answer === 'branch' || answer === 'rollback'

describe('a signal in a chat', () => {
  it.each([
    ['acknowledge', '/ack heard', 'acknowledge'],
    ['amend', '/terms lakes.yaml', 'amend'],
    ['branch', '/branch', 'branch'],
    ['rollback', '/rollback 2', 'rollback'],
    ['halt', '/halt enough', ''],
  ])('EXC-INT-2 EXC-CHAT-1 is answered by %s', async (answer, typed, told) => {
    const house = await copyOf(first)
    const child = start(['exchange', 'chat', trace, '--rounds', '1'], house.where)
    const reading = new OutputReader(child, child.stderr)
    const ended = new Promise((resolve) => child.on('close', resolve))
    await reading.until('waits for your answer')
    child.stdin?.write(`${typed}\n`)
    await reading.until(told)
    child.stdin?.end('/quit\n')
    await ended
    expect(await outcome(house)).toEqual({
      ...{ by: 'ana', answer, via: 'none', isElsewhere: elsewhere(answer), disputes: [] },
    })
  })
})

describe('a signal inside a host', () => {
  it.each([
    ['acknowledge', {}],
    ['amend', { terms: 'lakes.yaml' }],
    ['branch', { terms: 'lakes.yaml', carry: 'audit' }],
    ['rollback', { round: 2 }],
    ['halt', {}],
  ])('EXC-INT-2 APP-4 is answered by %s, once the observer agreed', async (act, more) => {
    const house = await copyOf(first)
    const providers = ['one', 'two'].map((name) => ({
      name,
      model: name,
      base_url: `${house.server.url}/v1`,
    }))
    const settings = { council: { providers }, exchange: { acts_via_host: true } }
    await writeFile(join(house.where.home, 'config.yaml'), JSON.stringify(settings))
    const [sittings, runs] = [new HeldCouncils(), new Runs()]
    const kit = {
      home: house.where.home,
      postgres: null,
      config: null,
      sittings,
      runs,
      people: new People(),
    }
    const client = await hostClient(kit, { capabilities: { elicitation: {} } }, EXCHANGE_TOOLS)
    const shown: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      shown.push(params.message)
      return { action: 'accept', content: { allow: true, reason: 'as asked' } }
    })
    try {
      const looked = await call(client, 'exchange_observe', { trace })
      for (const one of ['acknowledge', 'amend', 'branch', 'rollback', 'halt'])
        expect(looked.text).toMatch(new RegExp(`act ${one}`))
      const done = await call(client, 'exchange_observe', { trace, act, text: 'as asked', ...more })
      expect(done, done.text).toMatchObject({ isError: false, told: { done: act, by: 'ana', via: 'host' } })
      expect(shown[0]).toContain('ana, as the observer of')
      if ('terms' in more) expect(shown[0]).toContain('Think about lakes.')
      expect(await outcome(house)).toEqual({
        ...{ by: 'ana', answer: act, via: 'host', isElsewhere: elsewhere(act), disputes: [] },
      })
      if (act === 'halt') return
      const on = String(done.told.into ?? trace)
      const ran = await call(client, 'exchange_run', { trace: on, rounds: 1 })
      expect(ran, ran.text).toMatchObject({ isError: false })
      const phase = act === 'acknowledge' ? 'free-running' : 'structured'
      expect(ran.told).toMatchObject({ phase })
    } finally {
      await client.close()
      await Promise.all([sittings.stopAll(), runs.stopAll()])
    }
  })
})
