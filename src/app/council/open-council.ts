// The first word of a council: what is asked, of whom, under which policy, with what laid before it. Chance enters
// here, as a seed, and the pack is in the vault before the event that names it.

import { randomBytes } from 'node:crypto'
import type { Ports } from '../../clerk/ports.ts'
import { putOnRecord } from '../../clerk/put-on-record.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { PACK, type PackText } from '../../council/context.ts'
import { councilProtocol } from '../../council/council.ts'
import { NEWEST } from '../../council/editions.ts'
import {
  CONVENER,
  type ContextRecord,
  type CouncilOpened,
  type Follow,
  OPENED,
  type SeatRecord,
} from '../../council/events.ts'
import type { CouncilPolicy } from '../../council/policy.ts'
import type { Mode } from '../../council/replies/opinion.ts'
import type { CouncilState } from '../../council/state.ts'
import { utf8 } from '../../ledger/bytes.ts'
import type { Called } from '../../ledger/calls.ts'
import { asJsonObject, canonicalize } from '../../ledger/canonical.ts'
import type { Artifact } from '../../ledger/event.ts'

export type CouncilLog = TraceLog<Called<CouncilState>>

export interface Convening {
  readonly question: string
  readonly mode: Mode
  readonly constraints?: readonly string[]
  readonly focus?: readonly string[]
  readonly seats: readonly SeatRecord[]
  readonly chairs: readonly string[]
  readonly labelled: boolean
  readonly policy: CouncilPolicy
  readonly context: { readonly record: ContextRecord; readonly text: PackText } | null
  readonly follow: Follow | null
  /** 32 bytes as hex; drawn when not given. */
  readonly seed?: string
}

const NO_CONTEXT: ContextRecord = {
  kind: 'none',
  files: [],
  excluded: {},
  bytes: 0,
  tokens: null,
  diff: null,
}

/** Who signs in a council: its convener, and each seat under its own name. */
export const signersOf = (
  convener: string,
  seats: readonly SeatRecord[],
): readonly { readonly agent: string; readonly roles: readonly string[] }[] => [
  { agent: convener, roles: [CONVENER] },
  ...seats.map(({ seat }) => ({ agent: seat, roles: ['participant', 'chair'] })),
]

async function kept(ports: Ports, text: PackText): Promise<readonly Artifact[]> {
  const { hash, size } = await ports.store.putArtifact(utf8(canonicalize(text)))
  return [{ hash, size, name: PACK, media_type: 'application/json' }]
}

export async function openCouncil(
  ports: Ports,
  registrar: Registrar,
  convener: string,
  convening: Convening,
): Promise<CouncilLog> {
  const { context, question, mode, constraints = [], focus = [] } = convening
  const { seats, chairs, labelled, policy, follow } = convening
  const payload: CouncilOpened = {
    question,
    mode,
    constraints,
    focus,
    seats,
    chairs,
    seed: convening.seed ?? randomBytes(32).toString('hex'),
    labelled,
    policy,
    edition: NEWEST,
    context: context?.record ?? NO_CONTEXT,
    follow,
    artifacts: context ? await kept(ports, context.text) : [],
  }
  const log = new TraceLog(ports, councilProtocol(ports.sha256), ports.newTrace())
  const actor = registrar.actor(convener, CONVENER)
  await putOnRecord(ports, log, [{ type: OPENED, actor, payload: asJsonObject(payload) }])
  return log
}
