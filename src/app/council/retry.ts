// Asks failed seats of a finished council again: a fork before its closing in which the named failures are
// void. Seats that answered are not asked again; conclusions that were drawn without the others are drawn
// again, including the report.

import { forkTrace } from '../../clerk/fork.ts'
import { councilProtocol } from '../../council/council.ts'
import { editionOf } from '../../council/editions.ts'
import { type Amendment, CONVENER, type CouncilOpened } from '../../council/events.ts'
import { type RetryableFailure, retryableFailures } from '../../council/retry.ts'
import type { CouncilState } from '../../council/state.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { RunKit } from '../home/signers.ts'
import { type Council, councilFrom, type GoingOn, openedIn, openLog, signersOf } from './council.ts'

export interface RetryRequest {
  /** By name of the seat or its provider; empty for all failed seats. */
  readonly seats: readonly string[]
  /** How long a seat may be silent from now on; null to keep the limit. */
  readonly timeoutMs: number | null
}

const older = (trace: string): WitanError =>
  new WitanError(
    'USAGE',
    `${trace} is of edition 1, in which a failed seat cannot be asked again`,
    `Ask a new council; or fork it with other seats (\`witan fork ${trace} --after R1 --seats …\`) or another chair (--after R2 --chair SEAT).`,
  )

function namedFailures(
  trace: string,
  { state, opened }: { readonly state: CouncilState; readonly opened: CouncilOpened },
  names: readonly string[],
): readonly RetryableFailure[] {
  const failures = retryableFailures(state)
  if (failures.length === 0) {
    const next = `See \`witan show ${trace}\`; to continue from a round with other seats: \`witan fork ${trace} --after R1 --seats …\`.`
    throw new WitanError('USAGE', `no seat failed in ${trace}`, next)
  }
  const called = (seat: string): readonly string[] => [
    seat,
    ...opened.seats.flatMap((known) => (known.seat === seat ? [known.provider] : [])),
  ]
  const stray = names.find((name) => failures.every(({ seat }) => !called(seat).includes(name)))
  if (stray !== undefined) {
    const failed = [...new Set(failures.map(({ seat }) => seat))].join(', ')
    throw new WitanError('USAGE', `${stray} did not fail in ${trace}`, `These failed: ${failed}.`)
  }
  if (names.length === 0) return failures
  return failures.filter(({ seat }) => called(seat).some((name) => names.includes(name)))
}

function amendmentFor(
  state: CouncilState,
  opened: CouncilOpened,
  failures: readonly RetryableFailure[],
  { timeoutMs }: RetryRequest,
): Amendment {
  const chairs = failures.flatMap(({ round, seat }) => (round === 'R3' ? [seat] : []))
  const named = opened.chairs.filter((seat) => chairs.includes(seat))
  const others = named.length < opened.chairs.length && chairs.length > 0
  // The failures of chairs become void together: those that are not to be asked again leave the chair.
  const all = chairs.length === 0 ? [] : retryableFailures(state).filter(({ round }) => round === 'R3')
  const retry = new Set([...failures, ...all].map(({ event }) => event))
  const { policy } = opened
  return {
    retry: [...retry],
    ...(others && { chairs: named }),
    ...(timeoutMs !== null && { policy: { ...policy, timeouts: { ...policy.timeouts, each: timeoutMs } } }),
  }
}

export async function retryCouncil(
  runKit: RunKit,
  trace: string,
  how: GoingOn & RetryRequest,
): Promise<Council> {
  const parent = await openLog(runKit, trace)
  const state = parent.state.inner
  const opened = openedIn(state)
  if (!editionOf({ opened }).additions) throw older(trace)
  if (!state.isClosed || parent.head === null) {
    throw new WitanError('USAGE', `${trace} is not finished yet`, `Resume it: witan resume ${trace}`)
  }
  const failures = namedFailures(trace, { state, opened }, how.seats)
  const amend = amendmentFor(state, opened, failures, how)
  const registrar = await runKit.registerSigners(signersOf(how.convener, opened.seats))
  const actor = registrar.actor(how.convener, CONVENER)
  const from = { parent: trace, seq: parent.head.size - 2 }
  const protocol = councilProtocol(runKit.ports.sha256)
  const log = await forkTrace(runKit.ports, protocol, from, actor, asJsonObject({ amend }))
  return councilFrom(runKit, log, how)
}
