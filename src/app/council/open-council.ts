// The first event of a council: the question, the seats, the policy and the context, in as many parts as
// the smallest context window requires. Randomness enters here, as a seed, and the pack is stored before
// the event that names it.

import { randomBytes } from 'node:crypto'
import { openTrace } from '../../clerk/open-trace.ts'
import type { Ports } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import { PACK, type PackText, type Unseen } from '../../council/context.ts'
import { councilProtocol } from '../../council/council.ts'
import { NEWEST } from '../../council/editions.ts'
import {
  CONVENER,
  type ContextRecord,
  type CouncilOpened,
  type Follow,
  type LeftOut,
  OPENED,
  type SeatRecord,
} from '../../council/events.ts'
import type { CouncilPolicy } from '../../council/policy.ts'
import { portionedFor } from '../../council/prompts/prompt.ts'
import type { Mode } from '../../council/replies/opinion.ts'
import type { CouncilState } from '../../council/state.ts'
import { utf8 } from '../../ledger/bytes.ts'
import type { WithOpenCalls } from '../../ledger/calls.ts'
import { asJsonObject, canonicalize } from '../../ledger/canonical.ts'
import type { Artifact } from '../../ledger/event.ts'

export type CouncilLog = TraceLog<WithOpenCalls<CouncilState>>

type UnseenFile = Unseen['files'][number]

/** What is shown to a council. */
interface LaidContext {
  readonly record: ContextRecord
  readonly text: PackText
  /** Files that are not included completely. */
  readonly unseen?: readonly UnseenFile[]
}

export interface Convening {
  readonly question: string
  readonly mode: Mode
  readonly constraints?: readonly string[]
  readonly focus?: readonly string[]
  readonly seats: readonly SeatRecord[]
  readonly chairs: readonly string[]
  readonly labelled: boolean
  readonly policy: CouncilPolicy
  readonly context: LaidContext | null
  /** How many parts round one may have; the usual number where none is given. */
  readonly mostParts?: number
  /** False where round one is not asked here. */
  readonly inParts?: boolean
  readonly follow: Follow | null
  /** Seats that were requested and cannot be asked. */
  readonly leftOut?: readonly LeftOut[]
  /** Every seat answers from a script: a demo. */
  readonly scripted?: true
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

/** Parts of round one, where their number is not given. */
export const MOST_PARTS = 16
const MOST_NAMED = 500

/** An opening before randomness is added, with its context in parts. */
export interface PlannedOpening {
  readonly opened: CouncilOpened
  readonly text: PackText | null
  readonly unseen: readonly UnseenFile[]
}

const unseenRecord = (files: readonly UnseenFile[]): Unseen => ({
  count: files.length,
  files: files.slice(0, MOST_NAMED),
})

export function planOpening(convening: Convening): PlannedOpening {
  const { context, question, mode, constraints = [], focus = [], mostParts = MOST_PARTS } = convening
  const { seats, chairs, labelled, policy, follow, leftOut = [], scripted } = convening
  const opened: CouncilOpened = {
    question,
    mode,
    constraints,
    focus,
    seats,
    chairs,
    seed: convening.seed ?? '0'.repeat(64),
    labelled,
    policy,
    edition: NEWEST,
    context: context?.record ?? NO_CONTEXT,
    follow,
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(scripted && { scripted }),
    artifacts: [],
  }
  if (context === null) return { opened, text: null, unseen: [] }
  const {
    parts,
    portions,
    unseen: notShown,
  } = convening.inParts === false
    ? { parts: context.text.parts, portions: 1, unseen: [] }
    : portionedFor(opened, context.text, mostParts)
  const known = new Set(notShown.map(({ path }) => path))
  const unseen = [...notShown, ...(context.unseen ?? []).filter(({ path }) => !known.has(path))]
  const gone = new Set(notShown.flatMap(({ path, shown }) => (shown === 'none' ? [path] : [])))
  const files = context.record.files.filter(({ path }) => !gone.has(path))
  return {
    opened: {
      ...opened,
      context: { ...context.record, files },
      ...(portions > 1 && { portions }),
      ...(unseen.length > 0 && { unseen: unseenRecord(unseen) }),
    },
    text: { ...context.text, parts },
    unseen,
  }
}

async function storePack(ports: Ports, text: PackText): Promise<readonly Artifact[]> {
  const { hash, size } = await ports.store.putArtifact(utf8(canonicalize(text)))
  return [{ hash, size, name: PACK, media_type: 'application/json' }]
}

export async function openCouncil(
  ports: Ports,
  registrar: Registrar,
  convener: string,
  convening: Convening,
  trace: string = ports.newTrace(),
): Promise<CouncilLog> {
  const seed = convening.seed ?? randomBytes(32).toString('hex')
  const { opened, text } = planOpening({ ...convening, seed })
  const payload: CouncilOpened = { ...opened, artifacts: text ? await storePack(ports, text) : [] }
  const log = new TraceLog(ports, councilProtocol(ports.sha256), trace)
  const actor = registrar.actor(convener, CONVENER)
  await openTrace(ports, log, [{ type: OPENED, actor, payload: asJsonObject(payload) }])
  return log
}
