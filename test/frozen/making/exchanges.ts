// Exchanges that say every event, answer a signal in every way and stop for every reason, said by scripted minds and
// recorded through real books with the keys of tests.

import type { BranchOrder } from '../../../src/exchange/events.ts'
import type { Terms } from '../../../src/exchange/terms.ts'
import { openExchangeHome, recordRun } from '../../support/exchange-home.ts'
import { ExchangeRun, newTrace } from '../../support/exchange-run.ts'
import { ENCODER, plainScript, type Script, terms } from '../../support/exchange-script.ts'
import type { PageContext } from '../../support/tamper.ts'
import type { Made } from './councils.ts'

/** From round 5 on every mind asks for a restart. */
const restless: Script = {
  ...plainScript,
  reply: (round, mind) =>
    round < 5
      ? `---\n${mind} ${round} a\n---\n${mind} ${round} b\n---\n${mind} ${round} c`
      : `---\n[RESTART] ${mind} ${round}\n---\n[RESTART] please\n---\n[RESTART] restart ${round}`,
  cluster: (text) => (/restart/i.test(text) ? 'c9' : 'c1'),
}

/** Asks for it a while and is content again afterwards. */
const brief: Script = {
  ...restless,
  reply: (round, mind, request) =>
    round >= 5 && round < 9 ? restless.reply(round, mind, request) : plainScript.reply(round, mind, request),
}

const rare = (given: { [part: string]: object } = {}): Terms =>
  terms({
    ...given,
    pool: { window: 20, ...given.pool },
    auditor: { every: 4, ...given.auditor },
  })

const answer = (given: object): object => ({
  signal: 1,
  answer: 'acknowledge',
  reason: null,
  terms: null,
  branch: null,
  ...given,
})

const asking = (script = restless, under = rare()): ExchangeRun => ExchangeRun.open(under, script).rounds(14)

const order = (given: Partial<BranchOrder> & { readonly round: number }): BranchOrder => ({
  into: newTrace(),
  carry: 'window',
  terms: null,
  current: false,
  ...given,
})

const prompted = (under: Terms | null, prompt: string): Terms => {
  const base = under ?? rare()
  return { ...base, pool: { ...base.pool, prompt } }
}

function steered(): ExchangeRun {
  const run = ExchangeRun.open(rare()).rounds(2)
  run.person('injected', { text: 'Look at lakes too.' })
  run.person('injected', { text: 'As my host says.', via: 'host' })
  run.person('pinned', { message: '1.1' })
  run.rounds(4, 'chat')
  run.person('observer_spoke', { text: 'Stay with the second point.', audit: run.inner.lastAudit })
  run.person('unpinned', { message: '1.1' })
  run.person('terms_amended', { terms: prompted(run.inner.terms, 'Think about lakes.'), reason: 'lakes' })
  run.rounds(8, 'chat')
  if (run.inner.unanswered !== null) run.person('observer_passed', { audit: run.inner.unanswered })
  run.person('observer_spoke', { text: 'Go on.', audit: null })
  run.person('paused', { reason: 'lunch' })
  return run
}

function reembedded(): ExchangeRun {
  const run = ExchangeRun.open(rare()).rounds(2)
  const messages = run.inner.pool.map(({ id }) => ({ id, score: null }))
  const bytes = new Uint8Array(messages.length * 8).fill(7)
  const payload = {
    encoder: `${ENCODER}0`.replace('40', '4'),
    messages,
    assigned: [],
    clusters: [],
    alarms: [],
  }
  run.person('reembedded', { ...payload, artifacts: [run.kept.keep('vectors.bin', bytes)] })
  return run.rounds(3)
}

function cleared(): ExchangeRun {
  const run = asking(brief)
  while (!run.types().includes('signal_cleared') && run.inner.closed < 40) {
    const { signal } = run.inner
    if (signal) run.person('signal_answered', answer({ signal: signal.number, reason: 'it will pass' }))
    run.rounds(run.inner.closed + 2)
  }
  return run
}

/** Stops where no vectors could be made, for the observer to see. */
function stoppedWithoutVectors(): ExchangeRun {
  const run = ExchangeRun.open(rare())
  run.person('continued', { until: 3, mode: 'run' })
  run.run((actions) => actions.find(({ id }) => !id.startsWith('embed/')))
  const [embed] = run.actions()
  if (!embed) throw new Error('nothing is to be embedded')
  run.start(embed)
  const payload = { action: embed.id, round: Number(embed.input.round), message: 'no encoder' }
  run.say({ type: 'embedding_failed', agent: 'clerk', role: 'clerk', payload })
  return run
}

function lost(): ExchangeRun {
  const run = ExchangeRun.open(rare())
  run.person('continued', { until: 3, mode: 'run' })
  run.run((actions) => actions.find(({ id }) => !id.startsWith('mind/')))
  const [mind] = run.actions()
  if (mind) {
    run.start(mind)
    run.lose(mind)
  }
  return run.run()
}

/** An open round in which one mind has written and the other is being asked. */
function unfinished(): ExchangeRun {
  const run = ExchangeRun.open(rare()).rounds(2)
  run.person('continued', { until: 4, mode: 'run' })
  run.run((actions) => actions.find(({ id }) => !id.startsWith('mind/')))
  const [first] = run.actions()
  if (first) {
    run.start(first)
    run.answer(first)
  }
  return run
}

type Runs = readonly (readonly [string, ExchangeRun])[]

function answeredBy(name: string, given: (run: ExchangeRun) => object): Runs {
  const run = asking()
  run.person('signal_answered', answer(given(run)))
  return [[name, run.run()]]
}

function leading(name: 'branch' | 'rollback', given: Partial<BranchOrder>): Runs {
  const run = asking()
  const branch = order({ round: run.inner.closed, current: true, ...given })
  run.person('signal_answered', answer({ answer: name, branch, reason: 'as asked' }))
  const child = run.fork(branch.into).run()
  return [
    [`signal-${name}`, run],
    [`signal-${name}-child`, child],
  ]
}

function bySelf(name: string, policy: unknown, limit = 1): Runs {
  const run = asking(restless, rare({ restart: { policy, limit } as object }))
  return [
    [`policy-${name}`, run],
    ...[...run.children.values()].map((child) => [`policy-${name}-child`, child.run()] as const),
  ]
}

function branches(): Runs {
  const run = ExchangeRun.open(rare()).rounds(5)
  const audited = run.branch({ round: 4, carry: 'audit' }).rounds(6)
  const bare = run.branch({ round: 3, carry: 'none', terms: prompted(run.inner.terms, 'Clouds.') }).rounds(5)
  const back = run.branch({ round: 2, carry: 'window', current: true }).rounds(4)
  const grandchild = back.branch({ round: 3 }).rounds(4)
  return [
    ['branched', run],
    ['branch-audit', audited],
    ['branch-none', bare],
    ['branch-current', back],
    ['branch-of-branch', grandchild],
  ]
}

function ordered(): ExchangeRun {
  const run = ExchangeRun.open(rare()).rounds(2)
  run.person('branch_ordered', { branch: order({ round: 1 }), reason: 'not made yet' })
  return run
}

function scriptOf(change: Partial<Script>): Script {
  return { ...plainScript, ...change }
}

/** In the order in which they are recorded: a branch comes after its parent. */
function exchanges(): Runs {
  const amended = prompted(rare(), 'Think about lakes.')
  return [
    ['steered', steered()],
    ['reembedded', reembedded()],
    ['no-vectors-open', stoppedWithoutVectors()],
    ['no-vectors', stoppedWithoutVectors().rounds(3)],
    ['lost', lost()],
    ['unfinished-open', unfinished()],
    ['opened-open', ExchangeRun.open(rare())],
    ['ordered-open', ordered()],
    ['barren', ExchangeRun.open(rare(), scriptOf({ reply: () => null })).rounds(6)],
    [
      'one-fails',
      ExchangeRun.open(
        rare(),
        scriptOf({
          reply: (round, mind, request) =>
            mind === 'local' ? null : plainScript.reply(round, mind, request),
        }),
      ).rounds(3),
    ],
    [
      'audit-failed',
      ExchangeRun.open(rare({ auditor: { every: 2 } }), scriptOf({ audit: () => null })).rounds(3),
    ],
    [
      'halted',
      (() => {
        const run = ExchangeRun.open(rare()).rounds(1)
        run.person('exchange_halted', { reason: 'enough' })
        return run
      })(),
    ],
    ['signal-open', asking()],
    ...answeredBy('signal-acknowledge', () => ({ reason: 'heard' })),
    ...answeredBy('signal-halt', () => ({ answer: 'halt' })),
    ...answeredBy('signal-amend', () => ({ answer: 'amend', terms: amended })),
    ...leading('branch', { terms: amended }),
    ...leading('rollback', { round: 4 }),
    ...bySelf('acknowledge', 'acknowledge'),
    ...bySelf('halt', 'halt'),
    ...bySelf('branch', { branch: amended }),
    ...bySelf('rollback', { rollback: 'last-audit' }),
    ['signal-cleared', cleared()],
    ...branches(),
  ]
}

export async function makeExchanges(): Promise<Made> {
  const home = await openExchangeHome(true)
  // The first id is that of the registry.
  newTrace()
  const traces = new Map<string, string>()
  for (const [name, run] of exchanges()) {
    await recordRun(home, run)
    traces.set(`exchange-${name}`, run.trace)
  }
  return { scene: { ...home, trace: '' } as PageContext, traces }
}
