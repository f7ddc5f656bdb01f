// How councils that were begun before are gone on with, forked and given up.

import { logOf } from '../../../app/council/council-log.ts'
import { councilTable } from '../../../app/council/council-table.ts'
import { readGate } from '../../../app/council/gate.ts'
import { type CouncilLog, signersOf } from '../../../app/council/open-council.ts'
import { seatsOnRecord } from '../../../app/council/recorded-seats.ts'
import { employ, personName } from '../../../app/home/signers.ts'
import type { Place } from '../../../app/place.ts'
import { forkTrace } from '../../../clerk/fork.ts'
import { councilProtocol } from '../../../council/council.ts'
import { type Amendment, CLOSE_REQUESTED, CONVENER, type CouncilOpened } from '../../../council/events.ts'
import { endOfRound } from '../../../council/follow-up.ts'
import { type CouncilState, isConvened } from '../../../council/state.ts'
import { asJsonObject } from '../../../ledger/canonical.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Outcome } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { usage } from '../parse.ts'
import { settingsOf } from './convene.ts'
import { readList, readMoney } from './flags.ts'
import { holdCouncil } from './hold.ts'

const world = () => ({ env: process.env, signal: new AbortController().signal })

function openedIn({ opened, trace }: CouncilState): CouncilOpened {
  if (opened) return opened
  throw new WitanError('VAULT_CORRUPT', `how ${trace} was opened cannot be read`, 'See `witan verify`.')
}

async function goOn(place: Place, log: CouncilLog): Promise<Outcome> {
  const { home, call } = place
  const { seats: records, mode, policy } = openedIn(log.state.inner)
  const convener = personName()
  const registrar = await employ(home, signersOf(convener, records))
  const asked = { mode, timeouts: policy.timeouts }
  const seats = log.protocol.finished(log.state)
    ? new Map()
    : await seatsOnRecord(records, asked, await settingsOf(call), world())
  const gate = readGate(call.text('fail-on'))
  return holdCouncil({ home, registrar, log, seats, call, gate, convener })
}

export const resume = async (place: Place): Promise<Outcome> =>
  goOn(place, await logOf(place.home, place.trace))

/** The last event of a round: everything up to it is taken over. Of a fork it may lie in the parent. */
function pointOf(
  trace: string,
  after: string,
  state: CouncilState,
): { readonly parent: string; readonly seq: number } {
  if (/^\d{1,9}$/.test(after)) return { parent: trace, seq: Number(after) }
  if (after !== 'R1' && after !== 'R2') {
    throw usage(`--after cannot be '${after}'`, 'It is R1, R2 or the number of an event.')
  }
  const end = isConvened(state) ? endOfRound(state, after) : null
  if (end) return { parent: end.trace, seq: end.seq }
  throw new WitanError('EVENT_NOT_FOUND', `${trace} did not come to ${after}`, 'Resume it instead.')
}

async function amendmentOf(place: Place, opened: CouncilOpened): Promise<Amendment> {
  const { call } = place
  const seats = readList(call.texts('seats'))
  const chair = call.text('chair')
  const maxCost = readMoney(call.text('max-cost'))
  const policy = {
    ...opened.policy,
    short_circuit: {
      ...opened.policy.short_circuit,
      enabled: call.flag('short-circuit') || opened.policy.short_circuit.enabled,
    },
    budget: { ...opened.policy.budget, ...(maxCost !== null && { cost: maxCost }) },
  }
  const isPolicyNew = call.flag('short-circuit') || maxCost !== null
  if (seats.length === 0 && chair === null) return isPolicyNew ? { policy } : {}
  const known = opened.seats.find(({ seat, provider }) => chair === seat || chair === provider)
  if (seats.length === 0 && known) {
    const chaired = opened.seats.map((record) =>
      record.seat === known.seat && !record.roles.includes('chair')
        ? { ...record, roles: [...record.roles, 'chair' as const] }
        : record,
    )
    return { chairs: [known.seat], seats: chaired, ...(isPolicyNew && { policy }) }
  }
  const named = seats.length > 0 ? seats : opened.seats.map(({ provider }) => provider)
  const wish = { seats: named, chair, mode: opened.mode }
  const table = await councilTable(wish, await settingsOf(call), world())
  return { seats: table.records, chairs: table.chairs, ...(isPolicyNew && { policy }) }
}

export async function fork(place: Place): Promise<Outcome> {
  const { home, trace, call } = place
  const parent = await logOf(place.home, place.trace)
  const opened = openedIn(parent.state.inner)
  const from = pointOf(trace, call.text('after') ?? '', parent.state.inner)
  const amend = await amendmentOf(place, opened)
  const convener = personName()
  const registrar = await employ(home, signersOf(convener, amend.seats ?? opened.seats))
  const actor = registrar.actor(convener, CONVENER)
  const protocol = councilProtocol(home.ports.sha256)
  const payload = asJsonObject({ amend })
  const log = await forkTrace(home.ports, protocol, from, actor, payload)
  return goOn({ ...place, trace: log.trace }, log)
}

export async function abort(place: Place): Promise<Outcome> {
  const log = await logOf(place.home, place.trace)
  if (log.protocol.finished(log.state)) {
    throw new WitanError('TRACE_FINISHED', `${place.trace} is over already`, 'See `witan show`.')
  }
  const convener = personName()
  const registrar = await employ(place.home, signersOf(convener, openedIn(log.state.inner).seats))
  const payload = { reason: place.call.text('reason') ?? '' }
  await log.append([{ type: CLOSE_REQUESTED, actor: registrar.actor(convener, CONVENER), payload }])
  const outcome = await goOn(place, log)
  return { ...outcome, exit: EXIT.aborted }
}
