// The first word of an exchange: its terms, by the observer who states them. Chance enters here, as the seed of the
// marks around quoted words; the sampler's own seed is one of the terms.

import { randomBytes } from 'node:crypto'
import { putOnRecord } from '../../clerk/put-on-record.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { NEWEST } from '../../exchange/editions.ts'
import { AUDITOR, type ExchangeOpened, MIND, OBSERVER, POLICY } from '../../exchange/events.ts'
import { exchangeProtocol } from '../../exchange/exchange.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import type { Terms } from '../../exchange/terms.ts'
import type { Called } from '../../ledger/calls.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Home } from '../home/home.ts'
import type { Signer } from '../home/signers.ts'

/** How the observer said it, where that was not at a terminal. */
export type Via = 'host' | null

/** An exchange as it stands recorded. */
export type ExchangeLog = TraceLog<Called<ExchangeState>>

/** Every name that the terms use for someone who thinks. */
export const mindsIn = ({ pool, auditor }: Terms): readonly string[] => [
  ...new Set([...pool.minds, auditor.mind]),
]

export const signersOf = (terms: Terms): readonly Signer[] => [
  { agent: terms.observer.name, roles: [OBSERVER] },
  { agent: POLICY, roles: [POLICY] },
  ...terms.pool.minds.map((agent) => ({ agent, roles: [MIND] })),
  { agent: terms.auditor.mind, roles: [AUDITOR] },
]

export async function logOf({ ports }: Pick<Home, 'ports'>, trace: string): Promise<ExchangeLog> {
  const log = new TraceLog(ports, exchangeProtocol(ports.sha256), trace)
  await log.refresh()
  return log
}

export async function openExchange(
  { ports }: Pick<Home, 'ports'>,
  registrar: Registrar,
  terms: Terms,
  { encoder, seats }: Pick<ExchangeOpened, 'encoder' | 'seats'>,
  via: Via = null,
): Promise<ExchangeLog> {
  const log = new TraceLog(ports, exchangeProtocol(ports.sha256), ports.newTrace())
  const fence = randomBytes(16).toString('hex')
  const opened: ExchangeOpened = { terms, encoder, fence, edition: NEWEST, seats }
  const actor = registrar.actor(terms.observer.name, OBSERVER)
  await putOnRecord(ports, log, [
    { type: 'exchange_opened', actor, payload: asJsonObject({ ...opened, ...(via && { via }) }) },
  ])
  return log
}

/** The observer grants rounds; the pool takes none by itself. */
export async function grant(
  { registrar, log }: { readonly registrar: Registrar; readonly log: ExchangeLog },
  rounds: number,
  mode: 'run' | 'chat',
  via: Via = null,
): Promise<void> {
  const { terms, closed } = log.state.inner
  const actor = registrar.actor(terms?.observer.name ?? '', OBSERVER)
  const payload = { until: closed + rounds, mode, ...(via && { via }) } as Payload
  await log.append([{ type: 'continued', actor, payload }])
}
