// A council as one of the critics of a session. It judges one intent or proposal, in its own trace that the
// session names before it begins, and is resumed there after an interruption. It is told the objective, the
// intent with its arguments and the policy's decision. Any result other than a chair's verdict is passed on
// as degraded.

import { artifactsShown, councilParts } from '../../agents/prompts/prompts.ts'
import { artifactBytes } from '../../clerk/artifact-bytes.ts'
import type { CouncilCritic } from '../../clerk/performers/agents/ports.ts'
import type { PackText } from '../../council/context.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { readHeader, readPayload } from '../../ledger/event.ts'
import { MAX_READ_BYTES } from '../../protocol.ts'
import type { Store } from '../../stores/store.ts'
import type { Settings } from '../config/config.ts'
import { beginCouncil, type Council, openLog, resumeCouncil, seatsFromSettings } from '../council/council.ts'
import { type CouncilTable, councilTable } from '../council/council-table.ts'
import type { Convening } from '../council/open-council.ts'
import { policyOf } from '../council/plan.ts'
import { worldHere } from '../council/seating.ts'
import type { Home } from '../home/home.ts'
import { personName, runKitOf } from '../home/signers.ts'
import { stoppedEarly } from '../run.ts'
import { seatNamed } from '../seating/seat-table.ts'
import type { SessionLog } from './decide.ts'

const MODE = 'architecture'
const OTHERWISE =
  'Adopt only if nothing stands against it; reject what is dangerous, needless or other than it is said to be.'
const OF_INTENT = `May an agent run this one call of a tool, with these arguments, for this objective? ${OTHERWISE}`
const OF_PROPOSAL = `May an agent carry out this proposal, with these tools, for this objective? ${OTHERWISE}`

/** A council that judges a session, and its seats whose model also plans or executes there. */
export interface JudgingTable {
  readonly table: CouncilTable
  readonly acting: readonly string[]
}

/**
 * The seats of the council; refused before a session begins when no council is possible here. The model that acts
 * does not judge if two others are ready; otherwise it takes a seat, and the record says so.
 */
export async function criticTable(
  settings: Settings,
  signal: AbortSignal,
  actors: readonly string[],
): Promise<JudgingTable> {
  const table = await councilTable({ seats: [], chair: null, mode: MODE }, settings, worldHere(signal))
  return judgingTable(table, actors, Math.max(2, settings.council.quorum?.r1_min ?? 2))
}

/** `least`: how many other seats are needed. */
export function judgingTable(table: CouncilTable, actors: readonly string[], least: number): JudgingTable {
  const same = actors.flatMap((name) => seatNamed(table, name)?.seat ?? [])
  const acts = ({ seat }: CouncilTable['seats'][number]): boolean =>
    same.some((one) => one === seat || (one.provider === seat.provider && one.model === seat.model))
  const acting = table.seats.filter(acts).map(({ id }) => id)
  const others = table.seats.filter((seat) => !acts(seat))
  const voices = others.filter(({ seat }) => seat.roles.includes('participant'))
  if (acting.length === 0 || voices.length < least) return { table, acting }
  const isChaired = others.some(({ seat }) => seat.roles.includes('chair'))
  const seats = others.map((voice) =>
    !isChaired && voice === voices[0]
      ? { ...voice, seat: { ...voice.seat, roles: [...voice.seat.roles, 'chair' as const] } }
      : voice,
  )
  const rolesOf = new Map(seats.map(({ id, seat }) => [id, seat.roles]))
  const records = table.records.flatMap((record) => {
    const roles = rolesOf.get(record.seat)
    return roles ? [{ ...record, roles }] : []
  })
  const chairs = records.filter(({ roles }) => roles.includes('chair')).map(({ seat }) => seat)
  return { table: { ...table, seats, records, chairs }, acting: [] }
}

async function packFor(
  { ports }: Home,
  session: SessionLog,
  subject: string,
  council: string,
): Promise<Convening['context']> {
  const state = session.state.inner
  const contents = new Map<string, Uint8Array>()
  for (const hash of artifactsShown(state, subject)) {
    const artifact = await ports.store.statArtifact(hash)
    const bytes = artifact && artifact.size <= MAX_READ_BYTES ? await artifactBytes(ports.store, hash) : null
    if (bytes) contents.set(hash, bytes)
  }
  const material = { sha256: ports.sha256, content: (hash: string) => contents.get(hash) ?? null }
  const shown = councilParts(state, subject, council, material)
  const parts = shown.map(({ text }) => ({ name: 'context', text }))
  const text: PackText = { parts, condensed: parts }
  const bytes = parts.reduce((sum, part) => sum + utf8(part.text).length, 0)
  return { record: { kind: 'full', files: [], excluded: {}, bytes, tokens: null, diff: null }, text }
}

/** A council spends no more than the session has left, and no more than the limit of a council. */
function costLeft(session: SessionLog, { council }: Settings): number | null {
  const { task, cost } = session.state.inner
  const bounds = [council.budget?.cost, task?.limits.cost && Math.max(0, task.limits.cost - cost)]
  const known = bounds.filter((bound) => typeof bound === 'number')
  return known.length > 0 ? Math.min(...known) : null
}

/** What a session records of it. */
function heardOf(council: Council) {
  const { report, status, reason, degraded, metrics } = council.result()
  const { total_cost_estimate: usd } = metrics
  // A chair that disagrees with the majority and cites no evidence for that has not decided.
  const isGrounded = !report?.unsupported.some(({ place }) => place === 'decision')
  const isChairs = status === 'reported' && report?.synthesis === 'chair' && !degraded && isGrounded
  const unresolved =
    report?.unresolved.filter(({ severity }) => ['high', 'critical'].includes(severity)) ?? []
  const reasons = [
    ...(report ? [report.conclusion] : []),
    ...unresolved.map(({ id, description }) => `${id} is not answered: ${description}`),
    ...(isChairs ? [] : [`the council ended as ${status ?? 'unfinished'}${reason ? `: ${reason}` : ''}`]),
  ]
  return {
    head: council.head.hash,
    size: council.head.size,
    decision: report?.decision ?? null,
    unresolved_high: unresolved.length,
    degraded: !isChairs,
    reasons: reasons.filter((words) => words !== '').map((words) => words.slice(0, 2_000)),
    cost: usd === null ? null : { usd, from: 'council' },
  }
}

export function councilCritic(
  home: Home,
  session: SessionLog,
  settings: Settings,
  table: CouncilTable,
): CouncilCritic {
  return async (trace, subject, signal) => {
    const known = await openLog(home, trace)
    const convener = personName()
    const seatsFor = seatsFromSettings(async () => settings, worldHere(signal))
    const convening = {
      question: session.state.inner.proposals.has(subject) ? OF_PROPOSAL : OF_INTENT,
      mode: MODE,
      seats: table.records,
      chairs: table.chairs,
      labelled: false,
      policy: policyOf(
        settings.council,
        { maxCost: costLeft(session, settings) },
        { panel: table.from === 'embedded', slow: false },
      ),
      follow: null,
    } as const
    const runKit = runKitOf(home)
    if (known.size === 0) {
      const context = await packFor(home, session, subject, trace)
      const seats = new Map(table.seats.map(({ id, seat }) => [id, seat]))
      await beginCouncil(runKit, { ...convening, context }, { convener, seats, trace })
    }
    const council = await resumeCouncil(runKit, trace, { convener, seatsFor })
    const end = await council.drive({ signal, hear: () => undefined })
    if (end.status !== 'finished') {
      signal.throwIfAborted()
      throw stoppedEarly(trace, 'Resume the session.')
    }
    return heardOf(council)
  }
}

// The councils that judged for a session are separate traces; anyone who gets the session should get them too.

/** Those that exist here, in the order in which they were convened. */
export async function findCriticCouncils(store: Store, trace: string): Promise<readonly string[]> {
  const named: string[] = []
  for await (const event of store.read(trace)) {
    const header = readHeader(event.header)
    if (typeof header === 'string' || header.type !== 'council_convened' || !event.payload) continue
    const payload = readPayload(event.payload)
    if (typeof payload === 'object' && typeof payload.trace === 'string') named.push(payload.trace)
  }
  const there = await Promise.all(named.map(async (one) => (await store.head(one)) !== null))
  return named.filter((_, at) => there[at])
}
