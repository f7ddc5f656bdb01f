// Erases content permanently and records that in the registry. Erased content cannot be recovered, so what
// would remain is reported, unless it is to be erased too: the artifacts of an event remain after its
// payload, and so do every prompt that quoted it and every event that repeats its text by rule, with the
// prompts that quoted that one.

import { promptsQuoting, type Quoting } from '../../clerk/quoting-prompts.ts'
import { redactionOf } from '../../clerk/redaction.ts'
import { eventsRepeating, type Repeating } from '../../clerk/repeated-words.ts'
import { isHash } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { artifactsOf, readPayload } from '../../ledger/event.ts'
import type { Redaction } from '../../ledger/registry/registry.ts'
import { userName } from '../home/create-home.ts'
import { type Home, type HomeLocation, signingRegistrar, withHome } from '../home/home.ts'
import { withoutTypedSecrets } from '../person.ts'
import { findTrace } from './trace-name.ts'

/** What is erased and why. */
export interface RedactOptions {
  /** The event whose payload is erased; either this or an artifact. */
  readonly seq?: number | null
  /** The SHA-256 of the artifact that is erased, in hex. */
  readonly artifact?: string | null
  readonly reason: string
  /** Who requests it; by default the user of this machine. */
  readonly by?: string | null
  /** Erases its artifacts, the prompts that quote it and the events that repeat it too. */
  readonly everywhere?: boolean
}

/** What was erased, and what still contains text of it. */
export interface Redacted {
  readonly trace: string
  readonly seq: number | null
  readonly artifact: string | null
  readonly by: string
  readonly reason: string
  /** The event of the registry that records it. */
  readonly registry_seq: number | null
  /** The record of its erasure when it was erased before. */
  readonly before: Redaction | null
  readonly also_erased: readonly string[]
  readonly also_erased_events: readonly Repeating[]
  readonly artifacts_left: readonly string[]
  readonly quoted_in: readonly Quoting[]
  /** Events that repeat its text. */
  readonly repeated_in: readonly Repeating[]
  /** Where the ledger is: a database server keeps its own copies for a while. */
  readonly store: string
}

/** Artifacts that the payload names and that still exist in the home. */
async function artifactsLeft(home: Home, trace: string, seq: number): Promise<string[]> {
  const remaining: string[] = []
  for await (const event of home.store.read(trace, seq, seq + 1)) {
    const payload = event.payload && readPayload(event.payload)
    if (typeof payload !== 'object' || !payload) continue
    for (const { hash } of artifactsOf(payload)) if (await home.store.statArtifact(hash)) remaining.push(hash)
  }
  return remaining
}

/** In a home that is open for writing. */
export async function redactIn(home: Home, name: string, options: RedactOptions): Promise<Redacted> {
  const { seq = null, everywhere = false } = options
  const { value: reason } = await withoutTypedSecrets(options.reason)
  const artifact = options.artifact?.toLowerCase() ?? null
  if (artifact !== null && !isHash(artifact)) {
    const next = 'Copy its 64 hex digits from `witan show TRACE SEQ`.'
    throw new WitanError('USAGE', '--artifact is not a SHA-256 hash', next)
  }
  const by = options.by ?? userName()
  const trace = await findTrace(home.store, name)
  const registrar = await signingRegistrar(home)
  const target = { trace, seq, artifact }
  const before = redactionOf(registrar.log.state, target) ?? null
  const own = seq === null ? [] : await artifactsLeft(home, trace, seq)
  const repeated = seq === null ? [] : await eventsRepeating(home.store, { trace, seq })
  const spread = [target, ...repeated.map((one) => ({ ...one, artifact: null }))]
  const others = await promptsQuoting(home.store, home.ports.sha256, spread)
  const quoting = others.filter((one) => !own.includes(one.artifact))
  const theirs = await Promise.all(
    repeated.map(async (event) =>
      (await artifactsLeft(home, event.trace, event.seq)).map((hash) => ({
        trace: event.trace,
        artifact: hash,
      })),
    ),
  )
  await registrar.redact(target, by, reason)
  const all = [...own.map((hash) => ({ trace, artifact: hash })), ...quoting, ...theirs.flat()]
  const more = everywhere ? [...new Map(all.map((one) => [one.artifact, one])).values()] : []
  for (const copy of more)
    await registrar.redact({ trace: copy.trace, seq: null, artifact: copy.artifact }, by, reason)
  for (const repetition of everywhere ? repeated : [])
    await registrar.redact({ trace: repetition.trace, seq: repetition.seq, artifact: null }, by, reason)
  const recorded = redactionOf(registrar.log.state, target)
  return {
    ...target,
    by: recorded?.by ?? by,
    reason: recorded?.reason ?? reason,
    registry_seq: recorded?.seq ?? null,
    before,
    also_erased: more.map((one) => one.artifact),
    also_erased_events: everywhere ? repeated : [],
    artifacts_left: everywhere ? [] : own,
    quoted_in: everywhere ? [] : quoting,
    repeated_in: everywhere ? [] : repeated,
    store: home.store.kind,
  }
}

/** Erases the payload of one event, or the bytes of one artifact, and records who requested it and why. */
export const redact = (location: HomeLocation, name: string, options: RedactOptions): Promise<Redacted> =>
  withHome({ ...location, mode: 'write' }, (home) => redactIn(home, name, options))
