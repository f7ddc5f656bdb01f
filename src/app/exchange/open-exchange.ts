// The first event of an exchange: its terms, signed by the observer. Randomness enters here, as the seed of
// the marks around quoted text; the sampler's own seed is one of the terms.

import { randomBytes } from 'node:crypto'
import { openTrace } from '../../clerk/open-trace.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { NEWEST } from '../../exchange/editions.ts'
import { AUDITOR, type ExchangeOpened, JUDGE, MIND, OBSERVER, POLICY } from '../../exchange/events.ts'
import { EXCHANGE_PROTOCOL, exchangeProtocol } from '../../exchange/exchange.ts'
import { markOf } from '../../exchange/means.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import { isScripted, judgeOf, type Terms } from '../../exchange/terms.ts'
import type { WithOpenCalls } from '../../ledger/calls.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Means } from '../../ledger/means.ts'
import type { Home } from '../home/home.ts'
import type { Signer } from '../home/signers.ts'
import { byActivity, findTrace } from '../traces/trace-name.ts'

/** An exchange as recorded. */
export type ExchangeLog = TraceLog<WithOpenCalls<ExchangeState>>

export const signersOf = (terms: Terms): readonly Signer[] => [
  { agent: terms.observer.name, roles: [OBSERVER] },
  { agent: POLICY, roles: [POLICY] },
  ...terms.pool.minds.map((agent) => ({ agent, roles: [MIND] })),
  { agent: terms.auditor.mind, roles: [AUDITOR] },
  ...[judgeOf(terms)].flatMap((agent) => (agent === null ? [] : [{ agent, roles: [JUDGE] }])),
]

export async function openLog({ ports }: Pick<Home, 'ports'>, trace: string): Promise<ExchangeLog> {
  const log = new TraceLog(ports, exchangeProtocol(ports.sha256), trace)
  await log.refresh()
  return log
}

/** The exchange of that name; `last` is the most recently active one, in the trace where it continues now. */
export async function exchangeNamed(home: Home, name: string): Promise<string> {
  if (name !== 'last') return findTrace(home.store, name)
  const [last] = byActivity(await home.store.traces()).filter(
    ({ protocol }) => protocol === EXCHANGE_PROTOCOL,
  )
  if (!last)
    throw new WitanError(
      'TRACE_NOT_FOUND',
      'this home holds no exchange yet',
      'Begin one: witan exchange run --demo',
    )
  for (let trace = last.trace; ; ) {
    const { movedTo } = await readExchangeState(home, trace)
    if (movedTo === null) return trace
    trace = movedTo
  }
}

/** The state of an exchange. */
export const readExchangeState = async (kit: Pick<Home, 'ports'>, trace: string): Promise<ExchangeState> =>
  (await openLog(kit, trace)).state.inner

/** In one word: `waiting` where the observer has to do something other than grant rounds. */
export async function exchangeStatus(
  kit: Pick<Home, 'ports'>,
  trace: string,
): Promise<'halted' | 'branched' | 'waiting' | 'open'> {
  const { protocol, state } = await openLog(kit, trace)
  const { halted, movedTo } = state.inner
  if (movedTo !== null) return 'branched'
  if (halted) return 'halted'
  const asked = protocol.decide(state).some(({ id, waitsFor }) => waitsFor && !id.startsWith('grant/'))
  return asked ? 'waiting' : 'open'
}

export async function openExchange(
  { ports }: Pick<Home, 'ports'>,
  registrar: Registrar,
  terms: Terms,
  { encoder, seats }: Pick<ExchangeOpened, 'encoder' | 'seats'>,
  via: Means,
): Promise<ExchangeLog> {
  const log = new TraceLog(ports, exchangeProtocol(ports.sha256), ports.newTrace())
  const fence = randomBytes(16).toString('hex')
  const scripted = isScripted(terms) ? ({ scripted: true } as const) : {}
  const opened = { terms, encoder, fence, edition: NEWEST, seats, ...scripted } satisfies ExchangeOpened
  const actor = registrar.actor(terms.observer.name, OBSERVER)
  await openTrace(ports, log, [
    { type: 'exchange_opened', actor, payload: asJsonObject({ ...opened, ...markOf(opened, via) }) },
  ])
  return log
}
