// A council as one of the critics of a session: it is held over one intent, in a trace of its own that the session
// names before it begins, and is gone on with there when it was cut off. It is told the objective, the intent with its
// arguments and what the policy decided. Whatever falls short of a chair's verdict is handed on as degraded.

import { artifactsShown, councilParts } from '../../agents/prompts/prompts.ts'
import { artifactBytes } from '../../clerk/artifact-bytes.ts'
import type { CouncilCritic } from '../../clerk/performers/agents/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import type { PackText } from '../../council/context.ts'
import { councilProtocol } from '../../council/council.ts'
import { utf8 } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { MAX_READ_BYTES } from '../../protocol.ts'
import type { Settings } from '../config/config.ts'
import { type CouncilResult, resultOf } from '../council/council-result.ts'
import { type CouncilTable, councilTable } from '../council/council-table.ts'
import { driveCouncil } from '../council/drive-council.ts'
import { type Convening, type CouncilLog, openCouncil, signersOf } from '../council/open-council.ts'
import { policyOf } from '../council/policy.ts'
import { encoderFor } from '../council/recommendation-encoder.ts'
import { seatsOnRecord } from '../council/recorded-seats.ts'
import type { Home } from '../home/home.ts'
import { employ, personName } from '../home/signers.ts'
import { stoppedEarly } from '../run.ts'
import type { SessionLog } from './decide.ts'

const MODE = 'architecture'
const QUESTION =
  'May an agent run this one call of a tool, with these arguments, for this objective? Adopt only if nothing stands ' +
  'against it; reject what is dangerous, needless or other than it is said to be.'

const world = (signal: AbortSignal) => ({ env: process.env, signal })

/** Who would sit: refused before a session begins when no council can be held here. */
export const criticTable = (settings: Settings, signal: AbortSignal): Promise<CouncilTable> =>
  councilTable({ seats: [], chair: null, mode: MODE }, settings, world(signal))

async function packFor(
  { ports }: Home,
  session: SessionLog,
  intent: string,
  council: string,
): Promise<Convening['context']> {
  const state = session.state.inner
  const contents = new Map<string, Uint8Array>()
  for (const hash of artifactsShown(state, intent)) {
    const found = await ports.store.statArtifact(hash)
    const bytes = found && found.size <= MAX_READ_BYTES ? await artifactBytes(ports.store, hash) : null
    if (bytes) contents.set(hash, bytes)
  }
  const material = { sha256: ports.sha256, content: (hash: string) => contents.get(hash) ?? null }
  const shown = councilParts(state, intent, council, material)
  const parts = shown.map(({ text }) => ({ name: 'context', text }))
  const text: PackText = { parts, condensed: parts }
  const bytes = parts.reduce((sum, part) => sum + utf8(part.text).length, 0)
  return { record: { kind: 'full', files: [], excluded: {}, bytes, tokens: null, diff: null }, text }
}

/** A council spends no more than the session has left, nor than any council may. */
function costLeft(session: SessionLog, { council }: Settings): number | null {
  const { task, cost } = session.state.inner
  const bounds = [council.budget?.cost, task?.limits.cost && Math.max(0, task.limits.cost - cost)]
  const known = bounds.filter((bound) => typeof bound === 'number')
  return known.length > 0 ? Math.min(...known) : null
}

/** What a session records of it. */
function heardOf(log: CouncilLog, { report, status, reason, degraded, metrics }: CouncilResult) {
  const { total_cost_estimate: usd } = metrics
  const isChairs = status === 'reported' && report?.synthesis === 'chair' && !degraded
  const unresolved =
    report?.unresolved.filter(({ severity }) => ['high', 'critical'].includes(severity)) ?? []
  const said = [
    ...(report ? [report.conclusion] : []),
    ...unresolved.map(({ id, description }) => `${id} is not answered: ${description}`),
    ...(isChairs ? [] : [`the council ended as ${status ?? 'unfinished'}${reason ? `: ${reason}` : ''}`]),
  ]
  return {
    head: log.head.hash,
    size: log.head.size,
    decision: report?.decision ?? null,
    unresolved_high: unresolved.length,
    degraded: !isChairs,
    reasons: said.filter((words) => words !== '').map((words) => words.slice(0, 2_000)),
    cost: usd === null ? null : { usd, from: 'council' },
  }
}

async function held(
  home: Home,
  registrar: Registrar,
  log: CouncilLog,
  settings: Settings,
  signal: AbortSignal,
) {
  const { ports } = home
  const opened = log.state.inner.opened
  if (!opened)
    throw new WitanError('VAULT_CORRUPT', `how ${log.trace} was opened cannot be read`, 'See `witan verify`.')
  const { mode, policy } = opened
  const seats = await seatsOnRecord(
    opened.seats,
    { mode, timeouts: policy.timeouts },
    settings,
    world(signal),
  )
  const embedder = await encoderFor(home, log)
  try {
    const hear = () => undefined
    const end = await driveCouncil({ ports, registrar, log, seats, embedder, signal, hear })
    if (end.status === 'finished') return
  } finally {
    await embedder?.close()
  }
  signal.throwIfAborted()
  throw stoppedEarly(log.trace, 'Resume the session.')
}

export function councilCritic(
  home: Home,
  session: SessionLog,
  settings: Settings,
  table: CouncilTable,
): CouncilCritic {
  const { ports } = home
  return async (trace, intent, signal) => {
    const known: CouncilLog = new TraceLog(ports, councilProtocol(ports.sha256), trace)
    await known.refresh()
    const convener = personName()
    const registrar = await employ(
      home,
      signersOf(convener, known.state.inner.opened?.seats ?? table.records),
    )
    const convening = {
      question: QUESTION,
      mode: MODE,
      seats: table.records,
      chairs: table.chairs,
      labelled: false,
      policy: policyOf(settings.council, {
        shortCircuit: false,
        maxCost: costLeft(session, settings),
        panel: table.from === 'embedded',
      }),
      follow: null,
    } as const
    const log =
      known.size > 0
        ? known
        : await openCouncil({ ...ports, newTrace: () => trace }, registrar, convener, {
            ...convening,
            context: await packFor(home, session, intent, trace),
          })
    await held(home, registrar, log, settings, signal)
    return heardOf(log, resultOf(log.state.inner))
  }
}
