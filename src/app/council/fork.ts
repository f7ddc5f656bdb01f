// A council that begins in the state of another, with other seats, another chair or another policy from there on.

import { forkTrace } from '../../clerk/fork.ts'
import { councilProtocol } from '../../council/council.ts'
import { type Amendment, CONVENER, type CouncilOpened } from '../../council/events.ts'
import { endOfRound } from '../../council/follow-up.ts'
import { type CouncilState, isOpenedCouncil } from '../../council/state.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Settings } from '../config/config.ts'
import type { RunKit } from '../home/signers.ts'
import { type Consent, obtainConsent } from '../person.ts'
import { type Council, councilFrom, type GoingOn, openedIn, openLog, signersOf } from './council.ts'
import type { World } from './seating.ts'

/** What a fork changes of its parent council. */
export interface ForkRequest {
  /** By name, as in a request; empty keeps the present seats. */
  readonly seats: readonly string[]
  readonly chair: string | null
  readonly shortCircuit: boolean
  readonly maxCost: number | null
}

export async function makeAmendment(
  opened: CouncilOpened,
  { seats, chair, shortCircuit, maxCost }: ForkRequest,
  settings: () => Promise<Settings>,
  world: World,
): Promise<Amendment> {
  const policy = {
    ...opened.policy,
    short_circuit: {
      ...opened.policy.short_circuit,
      enabled: shortCircuit || opened.policy.short_circuit.enabled,
    },
    budget: { ...opened.policy.budget, ...(maxCost !== null && { cost: maxCost }) },
  }
  const isPolicyNew = shortCircuit || maxCost !== null
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
  const { councilTable } = await import('./council-table.ts')
  const table = await councilTable({ seats: named, chair, mode: opened.mode }, await settings(), world)
  // A seat that stays keeps its role; newly named seats have none.
  const records = table.records.map((record) => {
    const known = opened.seats.find(({ seat, model }) => seat === record.seat && model === record.model)
    const { stance, temperature, thinking } = known ?? record
    return {
      ...record,
      ...(stance !== undefined && { stance }),
      ...(temperature !== undefined && { temperature }),
      ...(thinking !== undefined && { thinking }),
    }
  })
  return { seats: records, chairs: table.chairs, ...(isPolicyNew && { policy }) }
}

// A fork shows what its council was shown to all seats from then on. Naming a seat says who is asked, not
// that files which someone gave to other seats may be sent to it; so providers that had no seat there need
// consent, once for each council.

/** What a fork would show to providers that had no seat there. */
export interface Sharing {
  /** The council that was shown it. */
  readonly trace: string
  readonly providers: readonly string[]
  readonly files: number
  readonly bytes: number
}

/** Texts that came with a request are listed as files and not counted in tokens; what a session's council saw is neither. */
const isOfFolder = ({ context: { kind, tokens, files }, follow }: CouncilOpened): boolean =>
  (kind !== 'none' && (tokens !== null || files.length === 0)) || follow !== null

/** Null when no content of a folder goes to a new provider. */
export function sharingOf(
  state: CouncilState,
  opened: CouncilOpened,
  { seats = [] }: Amendment,
): Sharing | null {
  const { files, bytes } = opened.context
  const known = new Set(state.seats.map(({ provider }) => provider))
  const newly = seats.filter(({ embedded, provider }) => !embedded && !known.has(provider))
  if (!isOfFolder(opened) || newly.length === 0) return null
  const [trace = ''] = (state.openedEvent ?? '').split('/')
  return { trace, providers: [...new Set(newly.map(({ provider }) => provider))], files: files.length, bytes }
}

/** Returns when it may be shown; throws otherwise. `command`: what a person types to allow it. */
export const askToShare = (
  home: string,
  { trace, providers, files, bytes }: Sharing,
  { person, consented, command }: Pick<Consent, 'person' | 'consented'> & { readonly command: string },
): Promise<void> =>
  obtainConsent(
    home,
    { folders: [], trace, providers, material: { kind: 'fork', trace, files, bytes } },
    {
      person,
      consented,
      chosen: false,
      unasked: { why: 'there is no terminal to ask on', next: `A person allows it once: ${command}` },
      instead: 'Name seats that sat there before.',
    },
  )

/** The last event that a fork takes over: of a round, or by its number. For a fork of a fork it may be in the parent. */
function pointOf(
  { trace, state }: { readonly trace: string; readonly state: CouncilState },
  after: 'R1' | 'R2' | number,
): { readonly parent: string; readonly seq: number } {
  if (typeof after === 'number') return { parent: trace, seq: after }
  const end = isOpenedCouncil(state) ? endOfRound(state, after) : null
  if (end) return { parent: end.trace, seq: end.seq }
  throw new WitanError('EVENT_NOT_FOUND', `${trace} did not reach ${after}`, 'Resume it instead.')
}

/** A new council that begins in the state of another. The old one does not change. */
export async function forkCouncil(
  runKit: RunKit,
  trace: string,
  how: GoingOn & {
    readonly after: 'R1' | 'R2' | number
    /** Its id if one was assigned before. */
    readonly into?: string
    readonly amend: (opened: CouncilOpened) => Promise<Amendment>
    /** Returns when the content of the parent may be shown to new providers; throws otherwise. */
    readonly allow: (sharing: Sharing) => Promise<void>
  },
): Promise<Council> {
  const parent = await openLog(runKit, trace)
  const opened = openedIn(parent.state.inner)
  const from = pointOf({ trace, state: parent.state.inner }, how.after)
  const amend = await how.amend(opened)
  const sharing = sharingOf(parent.state.inner, opened, amend)
  if (sharing) await how.allow(sharing)
  const registrar = await runKit.registerSigners(signersOf(how.convener, amend.seats ?? opened.seats))
  const actor = registrar.actor(how.convener, CONVENER)
  const payload = asJsonObject({ amend })
  const point = { ...from, ...(how.into !== undefined && { into: how.into }) }
  const log = await forkTrace(runKit.ports, councilProtocol(runKit.ports.sha256), point, actor, payload)
  return councilFrom(runKit, log, how)
}
