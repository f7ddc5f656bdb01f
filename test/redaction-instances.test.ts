// An erased event explains what depended on it, and nothing that depended on another of its kind. A forger who may have
// words erased erases something harmless, forges elsewhere, and is found all the same.

import { describe, expect, it } from 'vitest'
import { TraceLog } from '../src/clerk/trace-log.ts'
import type { Payload } from '../src/ledger/event.ts'
import { Erasing } from './support/erasing.ts'
import { openExchangeHome, recordRun, verified } from './support/exchange-home.ts'
import { ExchangeRun, protocol } from './support/exchange-run.ts'
import { answerTo, terms } from './support/exchange-script.ts'
import { type Forgery, forge } from './support/forging.ts'
import { bundleBytes, manifest, readFrozen } from './support/frozen.ts'
import { actor, smuggle } from './support/tamper.ts'

const { bundles } = manifest()

interface Attack {
  readonly of: string
  readonly forges: string
  readonly forgery: Forgery
  /** Numbers of harmless events; each is erased alone. */
  readonly erases: readonly number[]
}

/** `agents-everyone`: proposal p1 up to event 6, p1-i1 from 7 to 20, p1-i2 from 21 on, its person approves at 31. */
const started = { type: 'tool_execution_started', nth: 1, before: 'intent_approved', beforeNth: 7 } as const

interface Part {
  readonly name: string
  readonly text: string
  readonly quotes: { readonly kind: string; readonly id: string } | null
}
type Request = { readonly [name: string]: unknown }
const changed = (request: Request, change: (parts: readonly Part[]) => readonly Part[]) => ({
  ...request,
  parts: change(request.parts as readonly Part[]),
})

/** The opinion of this event says something else. */
const otherOpinion = (seq: number) => (request: Request) =>
  changed(request, (parts) =>
    parts.map((part) =>
      part.name === 'opinions' && part.quotes?.id.endsWith(`/${seq}`)
        ? { ...part, text: part.text.replace('a', 'o') }
        : part,
    ),
  )

/** The first two opinions change places. */
const swapped = (request: Request) =>
  changed(request, (parts) => {
    const at = parts.flatMap(({ name }, i) => (name === 'opinions' ? [i] : []))
    const [first = 0, second = 0] = at
    return parts.map((part, i) => parts[i === first ? second : i === second ? first : -1] ?? part)
  })

/** One more, quoted from an event that is none. */
const withStray = (request: Request) =>
  changed(request, (parts) =>
    parts.flatMap((part, i) => {
      if (part.name !== 'opinions' || parts.findIndex(({ name }) => name === 'opinions') !== i) return [part]
      const id = part.quotes?.id.replace(/\d+$/, '7') ?? ''
      return [part, { ...part, quotes: { kind: 'event', id } }]
    }),
  )

const ATTACKS: readonly Attack[] = [
  {
    of: 'agents-everyone',
    forges: 'the start of a tool that no person approved',
    forgery: started,
    // What was assessed, said, heard and approved of the intent before it; what was said of the proposal.
    erases: [4, 8, 9, 11, 12, 13, 15, 16, 17],
  },
  {
    of: 'agents-everyone',
    forges: 'the start of a tool that lacks two approvals',
    forgery: { ...started, beforeNth: 6 },
    // One of them may be explained by an erasure: the policy's own word on this very intent. The other is not.
    erases: [23],
  },
  {
    of: 'agents-everyone',
    forges: 'the start of an intent that was never signed',
    forgery: {
      ...started,
      payload: () => ({ intent: 'p1-i9', action: 'start/p1-i9/1' }),
    },
    erases: [7],
  },
  {
    of: 'agents-everyone',
    forges: 'a claim that the plan does not hold',
    forgery: { type: 'claim_issued', payload: () => ({ text: 'all is well' }) },
    erases: [4, 11, 25, 18, 32],
  },
  {
    of: 'agents-everyone',
    forges: 'other words that set a critic up',
    forgery: { type: 'critic_answered', nth: 2, request: (request) => ({ ...request, system: 'Obey.' }) },
    erases: [4, 8, 11, 20],
  },
  {
    of: 'agents-replanned',
    forges: 'an intent of a proposal that its critic has not reviewed',
    forgery: { type: 'tool_intent_signed', nth: 1, before: 'proposal_reviewed', beforeNth: 5 },
    // Also the same critic's review of another proposal that was open at that time.
    erases: [9, 25, 28],
  },
  {
    of: 'agents-replanned',
    forges: 'an intent of a proposal that nobody has reviewed',
    forgery: { type: 'tool_intent_signed', nth: 1, before: 'proposal_reviewed', beforeNth: 4 },
    erases: [7, 10, 25, 28],
  },
  {
    of: 'agents-everyone',
    forges: 'a second answer to a call that was answered',
    forgery: { type: 'critic_answered', nth: 0, before: 'tool_intent_signed' },
    erases: [5, 6],
  },
  {
    of: 'council-reported',
    forges: 'the end of a council while a review is awaited',
    forgery: { type: 'council_closed', before: 'review_given', beforeNth: 2 },
    erases: [4, 5, 6, 7, 11, 12],
  },
  {
    of: 'council-reported',
    forges: 'the end of a council while an opinion is awaited',
    forgery: { type: 'council_closed', before: 'opinion_given', beforeNth: 2 },
    erases: [4, 5],
  },
  {
    of: 'council-reported',
    forges: 'the end of a council before a chair was asked',
    forgery: { type: 'council_closed', before: 'short_circuit_decided', beforeNth: 1 },
    erases: [7, 11, 12, 13],
  },
  {
    of: 'council-round-closed-r1',
    forges: 'the end of a council in another round than the one that was closed',
    forgery: { type: 'council_closed', before: 'review_given', beforeNth: 2 },
    erases: [4, 5, 8, 12],
  },
  {
    of: 'council-reported',
    forges: 'another status of a council whose chair reported',
    forgery: { type: 'council_closed', payload: () => ({ status: 'degraded' }) },
    erases: [4, 5, 6, 7, 11, 12, 13, 14, 16],
  },
  {
    of: 'council-reported',
    forges: 'a second answer to a call that was answered',
    forgery: { type: 'opinion_given', nth: 0, before: 'short_circuit_decided' },
    erases: [4, 5, 6],
  },
  {
    of: 'council-reported',
    forges: 'a round that begins before it was decided whether to skip it',
    forgery: { type: 'call_started', nth: 3, before: 'short_circuit_decided' },
    erases: [4, 5, 6],
  },
  {
    of: 'council-reported',
    forges: 'a call of a seat that has answered',
    forgery: { type: 'call_started', nth: 0, before: 'opinion_given', beforeNth: 2 },
    erases: [4, 5],
  },
  {
    of: 'council-reported',
    forges: 'a loss of a call that is not open',
    forgery: { type: 'call_started', nth: 0, before: 'review_given', as: 'call_lost' },
    erases: [5, 6, 7],
  },
  {
    of: 'council-reported',
    forges: 'another decision on skipping a round',
    forgery: { type: 'short_circuit_decided', nth: 1, payload: () => ({ triggered: true }) },
    erases: [7],
  },
  {
    of: 'council-reported',
    forges: 'a review that the reply does not say',
    forgery: {
      type: 'review_given',
      payload: ({ review }) => ({ review: { ...(review as object), stance_after: 'reject' } }),
    },
    erases: [4, 5, 6],
  },
  {
    of: 'council-reported',
    forges: 'other words of an opinion that is at hand',
    forgery: { type: 'report_given', request: otherOpinion(5) },
    erases: [4, 6, 11, 12, 13],
  },
  {
    of: 'council-reported',
    forges: 'another order of the opinions',
    forgery: { type: 'report_given', request: swapped },
    erases: [4, 5, 6, 11],
  },
  {
    of: 'council-reported',
    forges: 'an opinion that nobody gave',
    forgery: { type: 'report_given', request: withStray },
    erases: [4, 5, 6, 11],
  },
  {
    of: 'exchange-steered',
    forges: 'a second answer to a call that was answered',
    forgery: { type: 'mind_wrote', nth: 0, before: 'messages_embedded', beforeNth: 1 },
    erases: [1, 7],
  },
]

describe('an erased event', () => {
  it.each(ATTACKS)('LED-14 excuses nothing of another one: not $forges', async ({ of, forgery, erases }) => {
    const erasing = new Erasing(forge(await readFrozen(bundleBytes(of)), forgery), bundles[of]?.keys ?? [])
    const last = erasing.events.at(-1)
    const isFound = (numbers: readonly number[]): boolean =>
      erasing
        .judge(numbers.map((number) => ({ event: erasing.events[number]?.id ?? '' })))
        .failures.some(({ event, severity }) => event === last?.id && severity === 'error')
    expect(isFound([])).toBe(true)
    expect(erases.filter((number) => !isFound([number]))).toEqual([])
  })

  it('LED-14 of another trace makes no clerk continue on what the rules refuse', async () => {
    const home = await openExchangeHome()
    const [one, other] = [0, 1].map(() => ExchangeRun.open(terms()).rounds(2)) as [ExchangeRun, ExchangeRun]
    await recordRun(home, one)
    await recordRun(home, other)
    const payload = { audit: 7, via: 'terminal' }
    await smuggle({ ...home, trace: other.trace }, other.trace, {
      ...{ type: 'observer_passed', payload, actor: actor('ana', 'observer'), protocol: 'exchange/1' },
    })
    const flawed = async (): Promise<boolean> => {
      const log = new TraceLog(home.ports, protocol, other.trace)
      await log.refresh()
      return log.flaw !== null
    }
    expect(await flawed()).toBe(true)
    await home.registrar.redact({ trace: one.trace, seq: 1, artifact: null }, 'ana', 'asked')
    expect(await flawed()).toBe(true)
    // That the observer let it continue explains no answer to an audit; a round may have been one.
    await home.registrar.redact({ trace: other.trace, seq: 1, artifact: null }, 'ana', 'asked')
    expect(await flawed()).toBe(true)
    await home.registrar.redact({ trace: other.trace, seq: 2, artifact: null }, 'ana', 'asked')
    expect(await flawed()).toBe(false)
  })

  it('LED-14 of terms that were replaced since excuses no prompt under the terms in force', async () => {
    const home = await openExchangeHome()
    const run = ExchangeRun.open(terms()).rounds(1)
    const first = run.person('terms_amended', {
      terms: terms({ pool: { prompt: 'Think about lakes.' } }),
      reason: 'asked',
    })
    run.rounds(2)
    run.person('terms_amended', { terms: terms({ pool: { prompt: 'Think about seas.' } }), reason: null })
    run.person('continued', { until: 4, mode: 'run' })
    run.run((actions) => actions.find(({ id }) => id.startsWith('round/')))
    const [action] = run.actions()
    if (!action) throw new Error('nobody is asked')
    run.start(action)
    await recordRun(home, run)
    const said = answerTo(action, run.inner, run.script, run.kept.keep, () => '')
    if (!said) throw new Error('nobody answers')
    const request = said.payload.artifacts as readonly { readonly name: string; readonly hash: string }[]
    const shown = request.find(({ name }) => name === 'request.json')
    const bytes = run.kept.content.get(shown?.hash ?? '') ?? new Uint8Array()
    const forged = Buffer.from(Buffer.from(bytes).toString().replace('about seas', 'about arms'))
    const other = run.kept.keep('request.json', forged)
    const artifacts = request.map((one) => (one.name === 'request.json' ? other : one))
    for (const content of run.kept.content.values()) await home.store.putArtifact(content)
    const payload = { ...said.payload, artifacts } as unknown as Payload
    const signer = actor(said.agent, said.role)
    await smuggle({ ...home, trace: run.trace }, run.trace, {
      ...{ type: said.type, payload, actor: signer },
      protocol: 'exchange/1',
    })
    const failing = async (): Promise<readonly string[]> =>
      (await verified(home, run.trace)).failures.flatMap(({ severity, message }) =>
        severity === 'error' ? message : [],
      )
    expect(await failing()).toMatchObject([expect.stringContaining('not what was in force')])
    const target = { trace: run.trace, seq: first.seq, artifact: null }
    await home.registrar.redact(target, 'ana', 'asked')
    expect(await failing()).toMatchObject([expect.stringContaining('not what was in force')])
  })
})
