// A running evaluation, the same for every entrance: opened, resumed, graded again, and driven to its end.
// Its councils are separate traces in the same home.

import { randomBytes } from 'node:crypto'
import { artifactBytes } from '../../clerk/artifact-bytes.ts'
import { forkTrace } from '../../clerk/fork.ts'
import { openTrace } from '../../clerk/open-trace.ts'
import { evalPerformer } from '../../clerk/performers/eval/performer.ts'
import type { Ports } from '../../clerk/ports.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import type { SeatRecord } from '../../council/events.ts'
import type { CouncilPolicy } from '../../council/policy.ts'
import { evalProtocol } from '../../eval/eval.ts'
import { EVALUATOR, type EvalOpened, GRADER, OPENED, SAMPLED } from '../../eval/events.ts'
import { EDITION } from '../../eval/schema.ts'
import { readItems, SET_ARTIFACT, writeItems } from '../../eval/set-artifact.ts'
import { gradingSeat, type Item } from '../../eval/sets/item.ts'
import { type EvalState, isOpened, type Opened } from '../../eval/state.ts'
import type { WithOpenCalls } from '../../ledger/calls.ts'
import { asJsonObject } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Artifact } from '../../ledger/event.ts'
import type { RunKit } from '../home/signers.ts'
import { type Driven, driveTrace, type RunEnd } from '../run.ts'
import { type EvalTable, makeCouncilRunner } from './evaluated-council.ts'
import type { EvalPlan } from './plan-eval.ts'
import type { SetFile } from './set-file.ts'

export type EvalLog = TraceLog<WithOpenCalls<EvalState>>

/** What is needed to ask its seats: the recorded table, with the models that can be asked now. */
export type TableFor = (opened: EvalOpened) => Promise<EvalTable>

export interface Evaluation {
  readonly trace: string
  readonly state: Opened
  drive(options?: Pick<Driven<unknown>, 'signal' | 'hear' | 'grace'>): Promise<RunEnd>
}

export const recordsOf = ({ seats }: EvalOpened): readonly SeatRecord[] =>
  seats.map(({ prompt_chars, ...seat }) => ({
    ...seat,
    embedded: false,
    ...(prompt_chars !== null && { prompt_chars }),
  }))

/** As the councils of this evaluation record it. */
export const policyIn = ({ policy }: EvalOpened): CouncilPolicy => policy as object as CouncilPolicy

const signersOf = (convener: string, { seats }: Pick<EvalOpened, 'seats'>) => [
  { agent: convener, roles: [EVALUATOR, 'convener'] },
  ...seats.map(({ seat }) => ({ agent: seat, roles: [SAMPLED, 'chair', GRADER] })),
]

async function keepSet({ store }: Ports, items: readonly Item[]): Promise<Artifact> {
  const { hash, size } = await store.putArtifact(writeItems(items))
  return { hash, size, name: SET_ARTIFACT, media_type: 'application/json' }
}

const setRecord = (set: SetFile): EvalOpened['set'] => ({
  name: set.name.slice(0, 300),
  format: set.format,
  sha256: set.sha256,
  size: set.size,
  items: set.items.length,
})

export function openedIn(state: EvalState): Opened {
  if (isOpened(state)) return state
  throw new WitanError(
    'VAULT_CORRUPT',
    `the opening event of ${state.trace} cannot be read`,
    'See `witan verify`.',
  )
}

async function makeEvaluation(runKit: RunKit, log: EvalLog, table: EvalTable): Promise<Evaluation> {
  const { ports } = runKit
  const state = openedIn(log.state.inner)
  const registrar = await runKit.registerSigners(signersOf(table.convener, state.opened))
  const bytes = state.set === null ? null : await artifactBytes(ports.store, state.set)
  const items = bytes && readItems(bytes)
  if (!items)
    throw new WitanError('ARTIFACT_NOT_FOUND', `the set of ${log.trace} is gone`, 'See `witan verify`.')
  const hold = makeCouncilRunner(runKit, table, state.opened.seed)
  const perform = evalPerformer({ ports, registrar, log, items, seats: table.seats, hold })
  return {
    trace: log.trace,
    get state() {
      return openedIn(log.state.inner)
    },
    drive: (options = {}) => driveTrace({ ...options, ports, registrar, log, perform }),
  }
}

/** Records the first event: set, arms, the primary comparison, seats, seed. Asks nothing. */
export async function openEval(runKit: RunKit, plan: EvalPlan, table: EvalTable): Promise<Evaluation> {
  const { ports } = runKit
  const { set, arms, primary, repeat, stability, concurrency, budget } = plan
  const payload: EvalOpened = {
    edition: EDITION,
    set: setRecord(set),
    arms,
    primary,
    repeat,
    stability,
    seats: table.records.map(({ seat, provider, vendor, model, roles, prompt_chars = null }) => ({
      seat,
      provider,
      vendor,
      model,
      roles,
      prompt_chars,
    })),
    chairs: table.chairs,
    policy: asJsonObject(table.policy),
    seed: randomBytes(32).toString('hex'),
    concurrency,
    budget_usd: budget,
    artifacts: [await keepSet(ports, set.items)],
  }
  const registrar = await runKit.registerSigners(signersOf(table.convener, payload))
  const log: EvalLog = new TraceLog(ports, evalProtocol(ports.sha256), ports.newTrace())
  const actor = registrar.actor(table.convener, EVALUATOR)
  await openTrace(ports, log, [{ type: OPENED, actor, payload: asJsonObject(payload) }])
  return makeEvaluation(runKit, log, table)
}

export async function evalLog({ ports }: { readonly ports: Ports }, trace: string): Promise<EvalLog> {
  const log: EvalLog = new TraceLog(ports, evalProtocol(ports.sha256), trace)
  await log.refresh()
  return log
}

/** Continues from its current state: what was answered and graded is neither asked nor graded again. */
export async function resumeEval(runKit: RunKit, trace: string, tableFor: TableFor): Promise<Evaluation> {
  const log = await evalLog(runKit, trace)
  return makeEvaluation(runKit, log, await tableFor(openedIn(log.state.inner).opened))
}

/** A model judged the answers against the target as it was then. */
function refuseChanged(before: readonly Item[], after: readonly Item[]): void {
  const next =
    'Give the same items with other targets or graders that ask no model; otherwise run a new evaluation.'
  for (const [i, item] of before.entries()) {
    const now = after[i]
    if (!now || now.id !== item.id || now.input !== item.input)
      throw new WitanError('USAGE', `item ${item.id} is another one in this set`, next)
    const isJudged = gradingSeat(now.grader) !== null
    if (isJudged && (now.grader !== item.grader || now.target.join('\n') !== item.target.join('\n')))
      throw new WitanError('USAGE', `item ${item.id} would have to be graded by a model again`, next)
  }
}

/** Grades the recorded answers again, by a corrected set, in a new trace. No model is asked. */
export async function regradeEval(
  runKit: RunKit,
  trace: string,
  set: SetFile,
  convener: string,
): Promise<Evaluation> {
  const { ports } = runKit
  const parent = await evalLog(runKit, trace)
  const state = openedIn(parent.state.inner)
  const bytes = state.set === null ? null : await artifactBytes(ports.store, state.set)
  const before = (bytes && readItems(bytes)) ?? []
  const byId = new Map(set.items.map((item) => [item.id, item]))
  const items = before.flatMap(({ id }) => byId.get(id) ?? [])
  refuseChanged(before, items)
  const registrar = await runKit.registerSigners(signersOf(convener, state.opened))
  const payload = {
    set: { ...setRecord(set), items: items.length, size: Math.max(set.size, items.length) },
    artifacts: [await keepSet(ports, items)],
  }
  const actor = registrar.actor(convener, EVALUATOR)
  const from = { parent: trace, seq: parent.size - 1 }
  const log = await forkTrace(ports, evalProtocol(ports.sha256), from, actor, asJsonObject(payload))
  const table = { records: [], chairs: [], seats: new Map(), policy: policyIn(state.opened), convener }
  return makeEvaluation(runKit, log, table)
}
