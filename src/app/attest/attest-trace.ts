// Has the checkpoint of a trace timestamped and the registry that records it cosigned, by the authorities and
// witnesses in the home's settings, and records the results in the registry. Witnesses see only the registry:
// they keep one log for each home.

import type { Registrar } from '../../clerk/registrar.ts'
import { WitanError } from '../../ledger/errors.ts'
import { each } from '../../ledger/registry/registry.ts'
import { cosignatureBy, timestampsOf, withLines } from '../../ledger/tree/attestations.ts'
import type { NoteSignature } from '../../ledger/tree/checkpoint.ts'
import { hashBytes, readTreeHead, type TraceCheckpoint } from '../../ledger/tree/tree-head.ts'
import { sha256 } from '../../stores/digest.ts'
import type { Store } from '../../stores/store.ts'
import { configFile, type HomeLocation, signingRegistrar, withHome } from '../home/home.ts'
import { findTrace } from '../traces/trace-name.ts'
import { type Asked, askTimestamp, askWitness } from './ask-outside.ts'
import { type Attestors, readAttestors, type Witness } from './pinned.ts'

/** Which outsiders were asked, and the results. */
export interface AttestedTrace {
  readonly trace: string
  readonly size: number
  readonly timestamps: readonly { readonly by: string; readonly time: string }[]
  readonly witnesses: readonly { readonly by: string; readonly time: string }[]
  readonly failed: readonly { readonly by: string; readonly why: string }[]
}

interface Outcome {
  readonly by: string
  readonly asked: Asked
}

const answersIn = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ by, asked }) => ('line' in asked ? [{ by, time: asked.time, line: asked.line }] : []))

const refused = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ by, asked }) => ('why' in asked ? [{ by, why: asked.why }] : []))

async function record(registrar: Registrar, note: string, lines: readonly NoteSignature[]): Promise<void> {
  if (lines.length > 0) await registrar.recordNote(withLines(note, lines))
}

/** The size of the registry that this witness cosigned last, as recorded here. */
function lastSeen(registrar: Registrar, { key }: Witness): number {
  for (const { trace, size, note } of each(registrar.log.state.checkpoints)) {
    if (trace !== registrar.trace) continue
    if (readTreeHead(note).signatures.some((line) => cosignatureBy(key, line))) return size
  }
  return 0
}

async function stamp(registrar: Registrar, trace: string, { authorities }: Attestors) {
  const note = await registrar.checkpoint(trace)
  const checkpoint: TraceCheckpoint = readTreeHead(note)
  const have = new Set(timestampsOf(sha256, checkpoint).map(({ name }) => name))
  const outcomes = await Promise.all(
    authorities
      .filter(({ name }) => !have.has(name))
      .map(async (authority) => ({ by: authority.name, asked: await askTimestamp(authority, checkpoint) })),
  )
  await record(
    registrar,
    note,
    answersIn(outcomes).map(({ line }) => line),
  )
  return { size: checkpoint.size, outcomes }
}

async function cosign(store: Store, registrar: Registrar, { witnesses }: Attestors) {
  if (witnesses.length === 0) return []
  const note = await registrar.sign(registrar.trace)
  const checkpoint = readTreeHead(note)
  const leaves = (await store.hashes(registrar.trace, 0, checkpoint.size)).map(hashBytes)
  const outcomes = await Promise.all(
    witnesses.map(async (witness) => ({
      by: witness.key.name,
      asked: await askWitness(witness, checkpoint, leaves, lastSeen(registrar, witness)),
    })),
  )
  await record(
    registrar,
    note,
    answersIn(outcomes).map(({ line }) => line),
  )
  return outcomes
}

/** Asks all of them; a failure does not stop the others. */
export async function attestIn(
  store: Store,
  registrar: Registrar,
  trace: string,
  attestors: Attestors,
): Promise<AttestedTrace> {
  const { size, outcomes: stamped } = await stamp(registrar, trace, attestors)
  const seen = await cosign(store, registrar, attestors)
  const plain = (outcomes: readonly Outcome[]) => answersIn(outcomes).map(({ by, time }) => ({ by, time }))
  return {
    trace,
    size,
    timestamps: plain(stamped),
    witnesses: plain(seen),
    failed: [...refused(stamped), ...refused(seen)],
  }
}

/** Has a trace attested by all authorities and witnesses in the home's settings. */
export const attestTrace = (location: HomeLocation, name: string): Promise<AttestedTrace> =>
  withHome({ ...location, mode: 'write' }, async (home) => {
    const trace = await findTrace(home.store, name)
    const attestors = await readAttestors(location.directory)
    if (attestors.authorities.length + attestors.witnesses.length > 0)
      return attestIn(home.store, await signingRegistrar(home), trace, attestors)
    const file = configFile(location.directory)
    const next = `Name some under timestamps: or witnesses: in ${file}; docs/independent-time.md shows how.`
    throw new WitanError('USAGE', 'no authority and no witness is named in the settings of this home', next)
  })
