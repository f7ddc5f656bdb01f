// Requests and replies are kept as artifacts, whole, beside the event of the call: the request as its parts,
// each with what it quotes, the outcome, and every paid answer exactly as it came. From these alone the same
// answer can be given again, without asking anyone.

import { utf8 } from '../ledger/bytes.ts'
import { canonicalize, type Json, parseCanonical } from '../ledger/canonical.ts'
import { WitanError } from '../ledger/errors.ts'
import { type Artifact, artifactsOf, type Payload } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import { type AskingFields, RAW, type RawReply, readRaw, writeRaw } from '../ledger/raw-reply.ts'
import type { JsonSchema, Outcome, Transport } from '../models/model.ts'
import type { Store } from '../stores/store.ts'
import { artifactBytes } from './artifact-bytes.ts'

/** The name of the artifact that contains the request. */
export const REQUEST = 'request.json'
const REPLY = 'reply.json'
const MEDIA_TYPE = 'application/json'

/** A request to a model, as it is kept. */
export interface RecordedRequest {
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema | null
}

/** One attempt of a seat, as the trace keeps it. */
export interface Tried {
  readonly transport: Transport
  readonly failure: { readonly type: string; readonly cause: string | null; readonly message: string } | null
  readonly latencyMs: number
  readonly waitedMs: number
  /** The raw answer, where anything came. */
  readonly raw?: RawReply | null
}

/** The payload fields of a model call; the event adds its action and its subject. */
export type AskingRecord = AskingFields<Transport>

async function keep(store: Store, name: string, value: unknown): Promise<Artifact> {
  const { hash, size } = await store.putArtifact(utf8(canonicalize(value)))
  return { hash, size, name, media_type: MEDIA_TYPE }
}

/** Schemas are constants: the text of each is made once, which saves half the time of writing a request. */
const schemaTexts = new WeakMap<JsonSchema, string>()

function schemaText(schema: JsonSchema | null): string {
  if (schema === null) return 'null'
  const known = schemaTexts.get(schema) ?? canonicalize(schema)
  schemaTexts.set(schema, known)
  return known
}

/** Stores the request alone, which can be done while waiting for the answer. */
export async function keepRequest(
  store: Store,
  { system, parts, schema }: RecordedRequest,
): Promise<Artifact> {
  const text = `{"parts":${canonicalize(parts)},"schema":${schemaText(schema)},"system":${canonicalize(system)}}`
  const { hash, size } = await store.putArtifact(utf8(text))
  return { hash, size, name: REQUEST, media_type: MEDIA_TYPE }
}

async function keepRaw(store: Store, name: string, raw: RawReply): Promise<Artifact> {
  const { hash, size } = await store.putArtifact(writeRaw(raw))
  return { hash, size, name, media_type: MEDIA_TYPE }
}

/** The answer, under `raw.json`, and those of earlier attempts, each once. */
async function keepAnswers(
  store: Store,
  outcome: Outcome,
  attempts: readonly Tried[],
): Promise<readonly Artifact[]> {
  const rawReply = outcome.ok ? outcome : outcome.raw
  const rawFiles = rawReply ? [await keepRaw(store, RAW, rawReply)] : []
  for (const [i, { raw }] of attempts.entries()) {
    const artifact = raw ? await keepRaw(store, `raw-${i + 1}.json`, raw) : null
    if (artifact && !rawFiles.some(({ hash }) => hash === artifact.hash)) rawFiles.push(artifact)
  }
  return rawFiles
}

/** The outcome without the answer, which is kept beside it. */
function bareOutcome(outcome: Outcome): object {
  if (!outcome.ok) {
    const { raw: _, ...failure } = outcome
    return failure
  }
  const { ok, usage, cost, latencyMs, transport, model } = outcome
  return { ok, usage, cost, latencyMs, transport, model }
}

/**
 * Stores request, outcome and answers; durable before the event that will name them. `recordedOutcome` is kept as
 * the outcome.
 */
export async function recordAsking(
  store: Store,
  requestOrFile: RecordedRequest | Promise<Artifact>,
  outcome: Outcome,
  attempts: readonly Tried[],
  recordedOutcome: object = bareOutcome(outcome),
): Promise<AskingRecord> {
  const keeping = requestOrFile instanceof Promise ? requestOrFile : keepRequest(store, requestOrFile)
  const [request, reply, answers] = await Promise.all([
    keeping,
    keep(store, REPLY, recordedOutcome),
    keepAnswers(store, outcome, attempts),
  ])
  return {
    artifacts: [request, reply, ...answers],
    transport: outcome.transport,
    model: outcome.ok ? outcome.model : null,
    input_tokens: outcome.usage.inputTokens,
    output_tokens: outcome.usage.outputTokens,
    cost: outcome.cost ?? null,
    latency_ms: Math.round(outcome.latencyMs),
    attempts: attempts.map(({ transport, failure, latencyMs, waitedMs }) => ({
      transport,
      error_type: failure?.type ?? null,
      cause: failure?.cause ?? null,
      error_message: failure?.message ?? null,
      latency_ms: Math.round(latencyMs),
      waited_ms: Math.round(waitedMs),
    })),
  }
}

const missing = (name: string): WitanError =>
  new WitanError(
    'ARTIFACT_NOT_FOUND',
    `the recorded ${name} is not in this vault`,
    'It was erased or never stored; `witan verify` says which. Without it this answer cannot be replayed.',
  )

/** An artifact that is canonical JSON. */
export async function readJson(store: Store, { hash, name }: Pick<Artifact, 'hash' | 'name'>): Promise<Json> {
  const content = await artifactBytes(store, hash)
  if (!content) throw missing(name)
  const value = parseCanonical(content)
  if (value === undefined) {
    throw new WitanError('ARTIFACT_CORRUPT', `the recorded ${name} cannot be read`, 'See `witan verify`.')
  }
  return value
}

async function load(store: Store, payload: Payload, name: string): Promise<Json> {
  const artifact = artifactsOf(payload).find((candidate) => candidate.name === name)
  if (!artifact) throw missing(name)
  return readJson(store, artifact)
}

/** Request and answer, from the event's artifacts. */
export async function readAsking(
  store: Store,
  payload: Payload,
): Promise<{ readonly request: RecordedRequest; readonly outcome: Outcome }> {
  const request = (await load(store, payload, REQUEST)) as Json & RecordedRequest
  const outcome = (await load(store, payload, REPLY)) as Json & Outcome
  const artifact = artifactsOf(payload).find(({ name }) => name === RAW)
  return { request, outcome: artifact ? await withAnswer(store, outcome, artifact) : outcome }
}

async function withAnswer(store: Store, outcome: Outcome, { hash, name }: Artifact): Promise<Outcome> {
  const bytes = await artifactBytes(store, hash)
  if (!bytes) throw missing(name)
  const raw = readRaw(bytes)
  if (!raw)
    throw new WitanError('ARTIFACT_CORRUPT', `the recorded ${name} cannot be read`, 'See `witan verify`.')
  return outcome.ok ? { ...outcome, ...raw } : { ...outcome, raw }
}
