import { describe, expect, it } from 'vitest'
import { inOrder, type Time, timeoutFor } from '../deadline.ts'
import {
  type Availability,
  type Failure,
  failed,
  type Model,
  type Outcome,
  type Reply,
  type Request,
  type Transport,
} from '../model.ts'
import type { Pace } from '../pace.ts'
import { type Asking, createSeat, type SeatOptions } from './seat.ts'

const READY: Availability = { ready: true, detail: 'found', next: null }

/** Time that passes only when someone sleeps. */
function fakeTime(): Time & { slept: number[] } {
  let now = 0
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    async sleep(ms, signal) {
      // An availability check ends by its own timer only when nothing else happens first.
      await new Promise((done) => setTimeout(done, 5))
      if (signal.aborted) return
      slept.push(ms)
      now += ms
    },
  }
}

const reply = (transport: Transport): Reply => ({
  ok: true,
  text: `by ${transport}`,
  usage: { inputTokens: 3, outputTokens: 2 },
  cost: { usd: 0.01, from: 'prices' },
  latencyMs: 5,
  transport,
  model: 'fake-1',
})

const fails = (
  transport: Transport,
  type: Failure['type'],
  cause: Failure['cause'] = null,
  more: Partial<Failure> = {},
): Failure => ({
  ...failed({ type, cause, message: `${transport}: ${cause ?? type}` }, transport, 5),
  ...more,
})

function mind(transport: Transport, outcomes: readonly Outcome[], found: Availability | 'never' = READY) {
  const requests: Request[] = []
  let checks = 0
  const made: Model & { requests: Request[]; checks(): number } = {
    provider: 'claude',
    model: 'fake-1',
    transport,
    requests,
    checks: () => checks,
    available: () => {
      checks++
      return found === 'never' ? new Promise(() => {}) : Promise.resolve(found)
    },
    ask: async (request) => {
      requests.push(request)
      return outcomes[requests.length - 1] ?? outcomes.at(-1) ?? reply(transport)
    },
  }
  return made
}

const asking = (more: Partial<Asking> = {}): Asking => ({
  round: 'R1',
  system: '',
  parts: [],
  schema: null,
  limits: { maxOutputTokens: null, maxReplyBytes: 1_000 },
  signal: new AbortController().signal,
  ...more,
})

function seat(minds: readonly Model[], more: Partial<SeatOptions> = {}) {
  const time = fakeTime()
  const made = createSeat({ provider: 'claude', model: null, roles: ['participant'], minds, time, ...more })
  return { ...made, time }
}

describe('the length of an answer', () => {
  it("VOX-1 is limited by the seat's settings if the question sets no limit", async () => {
    const api = mind('api', [reply('api')])
    const { ask } = seat([api], { maxOutputTokens: 9_000 })
    await ask(asking())
    await ask(asking({ limits: { maxOutputTokens: 200, maxReplyBytes: 1_000 } }))
    await seat([api]).ask(asking())
    expect(api.requests.map(({ limits }) => limits.maxOutputTokens)).toEqual([9_000, 200, null])
  })
})

describe('retrying', () => {
  it.each([
    ['timeout', null],
    ['rate_limit', null],
    ['network', null],
    ['network', 'server'],
  ] as const)('VOX-4 asks once more after %s (%s), a second later', async (type, cause) => {
    const api = mind('api', [fails('api', type, cause), reply('api')])
    const { ask, time } = seat([api])
    const asked = await ask(asking())
    expect(asked.outcome.ok).toBe(true)
    expect(asked.failure).toBeNull()
    expect(asked.attempts.map(({ failure, waitedMs }) => [failure?.type ?? null, waitedMs])).toEqual([
      [type, 0],
      [null, 1_000],
    ])
    expect(time.slept).toEqual([1_000])
  })

  it('VOX-4 asks once more and no more', async () => {
    const api = mind('api', [fails('api', 'network')])
    const asked = await seat([api]).ask(asking())
    expect(api.requests).toHaveLength(2)
    expect(asked.failure).toMatchObject({ error_type: 'network', retried: true, fallback_used: false })
  })

  it.each([
    ['auth', null],
    ['auth', 'billing'],
    ['auth', 'model_not_found'],
    ['parse_error', null],
    ['parse_error', 'refused'],
    ['parse_error', 'context_too_long'],
    ['parse_error', 'reply_too_large'],
    ['network', 'aborted'],
    ['network', 'unavailable'],
  ] as const)('VOX-4 does not ask again after %s (%s)', async (type, cause) => {
    const api = mind('api', [fails('api', type, cause)])
    const asked = await seat([api]).ask(asking())
    expect(api.requests).toHaveLength(1)
    expect(asked.failure).toMatchObject({ error_type: type, cause, retried: false })
  })

  it.each([
    [7_000, [7_000]],
    [200, [1_000]],
    [60_000, [60_000]],
    [300_000, [300_000]],
    [301_000, []],
  ])('VOX-4 honours a Retry-After of %i ms, unless it is too long to wait', async (retryAfterMs, slept) => {
    const api = mind('api', [fails('api', 'rate_limit', null, { retryAfterMs }), reply('api')])
    const { ask, time } = seat([api])
    await ask(asking())
    expect(time.slept).toEqual(slept)
  })

  it('VOX-4 waits for every pause that is stated, as long as the round lasts', async () => {
    const busy = fails('api', 'rate_limit', null, { retryAfterMs: 30_000 })
    const api = mind('api', [busy, busy, busy, reply('api')])
    const { ask, time } = seat([api])
    const asked = await ask(asking({ leftMs: () => 100_000 }))
    expect(asked.outcome.ok).toBe(true)
    expect(time.slept).toEqual([30_000, 30_000, 30_000])
    expect(asked.attempts).toHaveLength(4)
    const short = mind('api', [busy, busy, busy, reply('api')])
    const late = await seat([short]).ask(asking({ leftMs: () => 70_000 }))
    expect(late.failure).toMatchObject({ error_type: 'rate_limit', retried: true })
    expect(short.requests).toHaveLength(3)
  })

  it('VOX-4 VOX-18 ends after two silences, with any number of transports', async () => {
    const silent = (transport: Transport) => mind(transport, [fails(transport, 'timeout')])
    const alone = silent('api')
    await seat([alone]).ask(asking())
    expect(alone.requests).toHaveLength(2)
    const [mcp, cli, api] = [silent('mcp'), silent('cli'), silent('api')]
    const asked = await seat([mcp, cli, api]).ask(asking())
    expect([mcp, cli, api].map(({ requests }) => requests.length)).toEqual([1, 1, 0])
    expect(asked.failure).toMatchObject({ error_type: 'timeout', fallback_used: true })
  })

  it('VOX-4 has one retry for all its transports', async () => {
    const [cli, api] = [mind('cli', [fails('cli', 'network')]), mind('api', [fails('api', 'network')])]
    await seat([cli, api]).ask(asking())
    expect([cli.requests.length, api.requests.length]).toEqual([2, 1])
  })

  it('stops when the caller gives up while it waits', async () => {
    const abort = new AbortController()
    const api = mind('api', [fails('api', 'network')])
    const sleep = async (ms: number) => {
      if (ms === 1_000) abort.abort()
      else await new Promise(() => {})
    }
    const time: Time = { now: () => 0, sleep }
    const asked = await seat([api, mind('cli', [])], { time }).ask(asking({ signal: abort.signal }))
    expect(api.requests).toHaveLength(1)
    expect(asked.failure).toMatchObject({
      error_type: 'network',
      cause: 'aborted',
      retried: false,
      fallback_used: false,
    })
  })
})

/** As several seats share it; the provider is held back until that moment. */
function sharedPace(time: Time): Pace & { readonly told: [string, Transport, number][] } {
  let until = 0
  const told: [string, Transport, number][] = []
  return {
    told,
    heldMs: async () => Math.max(0, until - time.now()),
    slowDown: async (provider, transport, ms) => {
      told.push([provider, transport, ms])
      until = Math.max(until, time.now() + ms)
    },
  }
}

describe('a pace that is shared', () => {
  it('VOX-4 APP-14 delays a seat by a pause that another seat was told, and records how long', async () => {
    const time = fakeTime()
    const pace = sharedPace(time)
    const busy = mind('api', [fails('api', 'rate_limit', null, { retryAfterMs: 7_000 })])
    const late = { leftMs: () => 5_000 }
    await seat([busy], { time, pace }).ask(asking(late))
    expect(pace.told).toEqual([['claude', 'api', 7_000]])
    const api = mind('api', [reply('api')])
    // There is not time enough: it fails as the provider itself would have it, and no one is asked.
    const tooLate = await seat([api], { time, pace }).ask(asking(late))
    expect(tooLate.failure).toMatchObject({ error_type: 'rate_limit', retried: false })
    expect(api.requests).toHaveLength(0)
    const asked = await seat([api], { time, pace }).ask(asking())
    expect(asked.attempts.map(({ failure, waitedMs }) => [failure, waitedMs])).toEqual([[null, 7_000]])
    expect(time.slept).toEqual([7_000])
  })

  it('VOX-4 is slowed down by a refusal without a stated time too, and by no other failure', async () => {
    const time = fakeTime()
    const pace = sharedPace(time)
    const api = mind('api', [fails('api', 'rate_limit'), reply('api')])
    await seat([api], { time, pace }).ask(asking())
    expect([pace.told, time.slept]).toEqual([[['claude', 'api', 1_000]], [1_000]])
    await seat([mind('api', [fails('api', 'network'), reply('api')])], { time, pace }).ask(asking())
    expect(pace.told).toHaveLength(1)
  })
})

describe('falling back', () => {
  it('asks the next transport after a failure, and keeps every attempt with its reason', async () => {
    const mcp = mind('mcp', [fails('mcp', 'auth')])
    const cli = mind('cli', [fails('cli', 'timeout')])
    const api = mind('api', [reply('api')])
    const asked = await seat([mcp, cli, api]).ask(asking())
    expect(asked.outcome).toMatchObject({ ok: true, text: 'by api' })
    expect(asked.attempts.map(({ transport, failure }) => [transport, failure?.message ?? null])).toEqual([
      ['mcp', 'mcp: auth'],
      ['cli', 'cli: timeout'],
      ['api', null],
    ])
  })

  it('skips a missing transport, and says why and what to do', async () => {
    const mcp = mind('mcp', [], { ready: false, detail: 'no server is configured', next: 'Add one.' })
    const cli = mind('cli', [reply('cli')])
    const asked = await seat([mcp, cli, mind('api', [])]).ask(asking())
    expect(mcp.requests).toEqual([])
    expect(asked.attempts[0]?.failure).toMatchObject({
      type: 'network',
      cause: 'unavailable',
      message: 'no server is configured. Add one.',
    })
    expect(asked.outcome).toMatchObject({ text: 'by cli' })
  })

  it('waits 5 s to hear whether an MCP server is there, and asks the next when it is silent', async () => {
    const { ask, time } = seat([mind('mcp', [], 'never'), mind('api', [reply('api')])])
    const asked = await ask(asking())
    expect(time.slept).toEqual([5_000])
    expect(asked.attempts.map(({ failure }) => failure?.cause ?? null)).toEqual(['unavailable', null])
  })

  it('asks a command that has not said within 3 s what it is: one that is missing says so at once', async () => {
    const { ask, time } = seat([mind('cli', [reply('cli')], 'never'), mind('api', [])])
    const asked = await ask(asking())
    expect(time.slept).toEqual([3_000])
    expect(asked.outcome).toMatchObject({ ok: true, text: 'by cli' })
  })

  it('looks for a transport once, and never for the only one or the last', async () => {
    const [cli, api] = [mind('cli', [reply('cli')]), mind('api', [reply('api')])]
    const { ask } = seat([cli, api])
    await ask(asking())
    await ask(asking())
    expect([cli.checks(), api.checks()]).toEqual([1, 0])
  })

  it('does not try a refused or cancelled question on another transport', async () => {
    for (const cause of ['refused', 'aborted'] as const) {
      const api = mind('api', [])
      const cli = mind('cli', [fails('cli', cause === 'refused' ? 'parse_error' : 'network', cause)])
      const asked = await seat([cli, api]).ask(asking())
      expect(api.requests).toEqual([])
      expect(asked.failure).toMatchObject({ cause, fallback_used: false })
    }
  })

  it('VOX-5 reports the most informative failure, in its own words', async () => {
    const cli = mind('cli', [fails('cli', 'auth', 'billing', { message: 'Your credit balance is too low' })])
    const api = mind('api', [fails('api', 'auth', 'unavailable', { message: 'no key' })])
    const asked = await seat([cli, api]).ask(asking({ round: 'R2' }))
    expect(asked.failure).toEqual({
      provider: 'claude',
      round: 'R2',
      error_type: 'auth',
      cause: 'billing',
      error_message: 'Your credit balance is too low',
      retried: false,
      fallback_used: true,
    })
    expect(asked.outcome).toMatchObject({ message: 'Your credit balance is too low' })
  })

  it('fails as unavailable if it has no transport', async () => {
    expect((await seat([]).ask(asking())).failure).toMatchObject({
      error_type: 'network',
      cause: 'unavailable',
    })
  })
})

describe('the time given', () => {
  it('VOX-3 is 60, 90 and 120 s by round over HTTP and MCP, and 180 s for a command', async () => {
    const times = (transport: Transport) => ['R1', 'R2', 'R3'].map((round) => timeoutFor(transport, round))
    expect(times('api')).toEqual([60_000, 90_000, 120_000])
    expect(times('mcp')).toEqual([60_000, 90_000, 120_000])
    expect(times('cli')).toEqual([180_000, 180_000, 180_000])
    expect(timeoutFor('api', 'audit')).toBe(120_000)
  })

  it('VOX-3 is the configured one, for any transport', () => {
    expect(timeoutFor('api', 'R1', { R1: 5 })).toBe(5)
    expect(timeoutFor('cli', 'R1', { R1: 5 })).toBe(5)
    expect(timeoutFor('cli', 'R1', { R1: 5, cli: 9 })).toBe(9)
    expect(timeoutFor('api', 'R2', { R1: 5, cli: 9 })).toBe(90_000)
  })

  it('VOX-18 is the one of the command, otherwise of the provider, otherwise of the round', () => {
    const own = { each: 3, R2: 4 }
    expect(timeoutFor('api', 'R1', { each: 2, R1: 5, own })).toBe(2)
    expect(timeoutFor('api', 'R1', { R1: 5, own })).toBe(3)
    expect(timeoutFor('api', 'R2', { R1: 5, own })).toBe(4)
    expect(timeoutFor('cli', 'R1', { cli: 9, own })).toBe(3)
    expect(timeoutFor('cli', 'R1', { cli: 9, own: { cli: 8 } })).toBe(8)
    expect(timeoutFor('api', 'plan', { own })).toBe(3)
    expect(seat([mind('cli', []), mind('api', [])], { timeouts: { own } }).capMs('R2')).toBe(20)
  })

  it('VOX-3 reaches each transport', async () => {
    const minds = [mind('cli', [fails('cli', 'auth')]), mind('api', [reply('api')])]
    await seat(minds, { timeouts: { R3: 7 } }).ask(asking({ round: 'R3' }))
    await seat(minds).ask(asking({ round: 'R3' }))
    expect(minds.flatMap(({ requests }) => requests.map(({ limits }) => limits.timeoutMs))).toEqual([
      7, 180_000, 7, 120_000,
    ])
  })
})

describe('the order of transports', () => {
  const minds = (['api', 'embedded', 'cli', 'mcp'] as const).map((transport) => ({ transport }))
  const names = (order: Parameters<typeof inOrder>[1]) =>
    inOrder(minds, order).map(({ transport }) => transport)

  it('is MCP, command, HTTP when left open', () => {
    expect(names('auto')).toEqual(['mcp', 'cli', 'api', 'embedded'])
  })

  it('is the one given, and nothing else', () => {
    expect(names(['api', 'cli'])).toEqual(['api', 'cli'])
  })
})
