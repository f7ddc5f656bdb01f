// Minds, auditor and encoder of exchanges in tests: what they answer is a function of what they are shown, so that
// the same exchange can be run again. Used by the pure driver beside it and by real clerks over real stores.

import { readAudit } from '../../src/exchange/audit.ts'
import { editionOf, NEWEST } from '../../src/exchange/editions.ts'
import type { ClusterNote } from '../../src/exchange/events.ts'

import { incompleteFor } from '../../src/exchange/prompts/completing.ts'
import {
  auditRequest,
  type ExchangeRequest,
  judgedTexts,
  judgeRequest,
  mindRequest,
} from '../../src/exchange/prompts/request.ts'
import { concludeAudit, concludeJudgement, concludeMessages } from '../../src/exchange/read-answer.ts'

import { rounded } from '../../src/exchange/signal/dominance.ts'
import { takeApart } from '../../src/exchange/split-reply.ts'
import type { ExchangeState } from '../../src/exchange/state.ts'
import { readTerms, type Terms } from '../../src/exchange/terms.ts'
import { toHex, utf8 } from '../../src/ledger/bytes.ts'
import { canonicalize, type Json } from '../../src/ledger/canonical.ts'
import type { Artifact, Payload } from '../../src/ledger/event.ts'
import { type RawReply, writeRaw } from '../../src/ledger/raw-reply.ts'
import type { Action } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'

export const ENCODER = 'test:letters@1:4'
const FENCE = 'f'.repeat(32)

export interface Script {
  /** What a mind replies; null when it fails. */
  readonly reply: (round: number, mind: string, request: ExchangeRequest) => string | null
  readonly audit?: (round: number, request: ExchangeRequest) => Json | null
  /** Exactly what the auditor writes, in place of `audit`; null where that says it. */
  readonly auditText?: (round: number, isCompleting: boolean) => string | null
  readonly score?: (text: string) => number
  readonly cluster?: (text: string) => string | null
  /** What the judge replies to these messages, by id; null when it fails. What scores at least 0, if not said. */
  readonly judge?: (texts: ReadonlyMap<string, string>, state: ExchangeState) => Json
}

export interface Said {
  readonly type: string
  readonly agent: string
  readonly role: string
  readonly payload: Payload
}

export type Keep = (name: string, bytes: Uint8Array) => Artifact

type Given = { readonly [part in keyof Terms]?: object }

/** Without a judge, unless one is given: then tags alone raise the signal. */
export function terms(given: Given = {}): Terms {
  const read = readTerms({
    ...given,
    restart: { judge: 'none', enough: 20, ...given.restart },
    pool: { prompt: 'Think about rivers.', minds: ['claude', 'local'], ...given.pool },
    auditor: { spec: 'Say what the pool converges on.', mind: 'claude', every: 5, ...given.auditor },
    observer: { name: 'ana', role: 'I answer each audit; I honour a restart once.', ...given.observer },
  })
  if (typeof read === 'string') throw new Error(read)
  return read
}

/** As the first edition knows them: no one judges, and scores count. */
export function firstTerms(given: Given = {}): Terms {
  const { restart, ...rest } = terms(given)
  const { enough: _, judge: _judge, confirm: _confirm, hear: _hear, ...known } = restart
  return { ...rest, restart: known }
}

/** Terms of the edition that this opening will name. */
export const termsIn = (edition: number | null, given: Given = {}): Terms =>
  edition === null || edition === 1 ? firstTerms(given) : terms(given)

export const opening = (under: Terms): Payload =>
  ({ terms: under, encoder: ENCODER, fence: FENCE, edition: NEWEST, seats: [] }) as unknown as Payload

/** One private line and two messages that name the mind and the round. */
export const plainScript: Script = {
  reply: (round, mind) => `private thought ${round}\n---\n${mind} says ${round}\n---\n${mind} adds ${round}`,
}

const json = (keep: Keep, name: string, value: unknown): Artifact => keep(name, utf8(canonicalize(value)))

const usage = { inputTokens: 10, outputTokens: 5 }
const meta = { usage, cost: { usd: 0.001, from: 'prices' }, latencyMs: 1, transport: 'replay', model: 'test' }
const asking = (artifacts: readonly Artifact[]) => ({
  artifacts,
  transport: 'replay',
  model: 'test',
  input_tokens: 10,
  output_tokens: 5,
  cost: { usd: 0.001, from: 'prices' },
})

const failure = (keep: Keep, action: Action, request: ExchangeRequest, isFirst: boolean): Payload => {
  const outcome = {
    ok: false,
    type: 'network',
    cause: null,
    message: 'unplugged',
    retryAfterMs: null,
    latencyMs: 1,
  }
  const artifacts = [json(keep, 'request.json', request), json(keep, 'reply.json', outcome)]
  const { round, mind } = action.input
  const why = { error_type: 'network', message: 'unplugged' }
  const said = { action: action.id, round, mind, ...why, artifacts, ...(isFirst ? {} : { reading: null }) }
  return said as unknown as Payload
}

/** What was written, by the hash of what is kept of it. */
const RAWS = new Map<string, RawReply>()

function mindAnswer(action: Action, state: ExchangeState, script: Script, keep: Keep): Said {
  const mind = String(action.input.mind)
  const round = Number(action.input.round)
  const lacking = incompleteFor(state.round, mind, action.id)
  const answer = RAWS.get(lacking?.raw ?? '') ?? null
  const request = mindRequest(sha256, state, { action: action.id, mind, answer })
  const under = state.round?.under
  if (!request || !under) throw new Error('no round is open')
  const text = script.reply(round, mind, request)
  if (text === null) {
    return {
      type: 'mind_failed',
      agent: 'clerk',
      role: 'clerk',
      payload: failure(keep, action, request, editionOf(state).replies === 1),
    }
  }
  const isFirst = editionOf(state).replies === 1
  const outcome = isFirst ? { ok: true, text, object: null, repaired: false, ...meta } : { ok: true, ...meta }
  const artifacts = [
    json(keep, 'request.json', request),
    json(keep, 'reply.json', outcome),
    ...(isFirst ? [] : [keep('raw.json', writeRaw({ text }))]),
  ]
  const isCompleting = lacking !== null
  for (const { name, hash } of artifacts) if (name === 'raw.json') RAWS.set(hash, { text })
  const found = concludeMessages({ text }, under.pool, isCompleting)
  const { reading } = found
  if (!isFirst && found.is !== 'given') {
    const about = { action: action.id, round, mind, reading }
    const isFailed = found.is === 'failed'
    const why = isFailed ? { error_type: 'parse_error', message: found.message } : {}
    return {
      type: isFailed ? 'mind_failed' : 'mind_incomplete',
      agent: 'clerk',
      role: 'clerk',
      payload: { ...about, ...why, ...asking(artifacts) } as unknown as Payload,
    }
  }
  const apartOf = isFirst || found.is !== 'given' ? takeApart(text, under.pool) : found.value
  const { messages, dropped, private: apart } = apartOf
  const told = { action: action.id, round, mind, messages, dropped, private_chars: apart.length }
  const said = isFirst ? told : { ...told, reading }
  return {
    type: 'mind_wrote',
    agent: mind,
    role: 'mind',
    payload: { ...said, ...asking(artifacts) } as unknown as Payload,
  }
}

/** An audit that cites the first message it is shown. */
function citing(request: ExchangeRequest): Json {
  const first = request.parts.find(({ name }) => name.startsWith('message/'))?.name.slice('message/'.length)
  return {
    summary: 'The pool is about rivers.',
    points: first ? [{ text: 'It began', cites: [first], clusters: [] }] : [],
  }
}

/** Of a careless auditor: what it lacks, or that it failed for good. */
function carelessAudit(
  action: Action,
  request: ExchangeRequest,
  { text, isCompleting }: { readonly text: string; readonly isCompleting: boolean },
  state: ExchangeState,
  keep: Keep,
): Said {
  const raw = keep('raw.json', writeRaw({ text }))
  RAWS.set(raw.hash, { text })
  const artifacts = [
    json(keep, 'request.json', request),
    json(keep, 'reply.json', { ok: true, ...meta }),
    raw,
  ]
  const ground = { material: state.round?.material ?? new Set(), clusters: state.clusters?.notes ?? [] }
  const found = concludeAudit({ text }, request.parts, ground as never, isCompleting)
  if (found.is === 'given') throw new Error('a careless auditor says something useful')
  const { round, mind } = action.input
  const why = found.is === 'failed' ? { error_type: 'parse_error', message: found.message } : {}
  const payload = { action: action.id, round, mind, reading: found.reading, ...why, ...asking(artifacts) }
  return {
    type: found.is === 'failed' ? 'audit_failed' : 'audit_incomplete',
    agent: 'clerk',
    role: 'clerk',
    payload: payload as unknown as Payload,
  }
}

function auditAnswer(action: Action, state: ExchangeState, script: Script, keep: Keep): Said {
  const lacking = incompleteFor(state.round, String(action.input.mind), action.id)
  const request = auditRequest(sha256, state, action.id, RAWS.get(lacking?.raw ?? '') ?? null)
  if (!request || !state.round) throw new Error('no audit is open')
  const isCompleting = lacking !== null
  const written = script.auditText?.(state.round.round, isCompleting) ?? null
  if (written !== null) return carelessAudit(action, request, { text: written, isCompleting }, state, keep)
  const object = script.audit ? script.audit(state.round.round, request) : citing(request)
  const ground = { material: state.round.material, clusters: state.clusters?.notes ?? [] }
  const read = readAudit(object, ground)
  if (typeof read === 'string') {
    return {
      type: 'audit_failed',
      agent: 'clerk',
      role: 'clerk',
      payload: failure(keep, action, request, editionOf(state).replies === 1),
    }
  }
  const isFirst = editionOf(state).replies === 1
  const text = canonicalize(object)
  const outcome = isFirst ? { ok: true, text, object, repaired: false, ...meta } : { ok: true, ...meta }
  const artifacts = [
    json(keep, 'request.json', request),
    json(keep, 'reply.json', outcome),
    ...(isFirst ? [] : [keep('raw.json', writeRaw({ text }))]),
  ]
  const { reading } = concludeAudit({ text }, request.parts, ground, isCompleting)
  const about = { action: action.id, round: state.round.round, ...read, ...asking(artifacts) }
  const payload = isFirst ? about : { ...about, reading }
  return {
    type: 'audit_written',
    agent: state.round.under?.auditor.mind ?? '',
    role: 'auditor',
    payload: payload as unknown as Payload,
  }
}

const asksForRestart = (text: string): number => (/restart/i.test(text) ? 0.5 : -0.5)

function judgeAnswer(action: Action, state: ExchangeState, script: Script, keep: Keep): Said {
  const { round, mind } = action.input
  const lacking = incompleteFor(state.judging, String(mind), action.id)
  const request = judgeRequest(sha256, state, action.id, RAWS.get(lacking?.raw ?? '') ?? null)
  const texts = judgedTexts(state)
  if (!request) throw new Error('no judge is asked')
  const score = script.score ?? asksForRestart
  const byScore = [...texts].flatMap(([id, quote]) => (score(quote) >= 0 ? [{ id, quote }] : []))
  const object = script.judge ? script.judge(texts, state) : { asks: byScore }
  const byClerk = { agent: 'clerk', role: 'clerk' }
  if (object === null)
    return { type: 'judge_failed', ...byClerk, payload: failure(keep, action, request, false) }
  const raw = { text: typeof object === 'string' ? object : canonicalize(object) }
  const kept = keep('raw.json', writeRaw(raw))
  RAWS.set(kept.hash, raw)
  const artifacts = [
    json(keep, 'request.json', request),
    json(keep, 'reply.json', { ok: true, ...meta }),
    kept,
  ]
  const { reading, ...found } = concludeJudgement(raw, texts, lacking !== null)
  const about = { action: action.id, round, mind, reading, ...asking(artifacts) }
  const told = (more: object) => ({ ...about, ...more }) as unknown as Payload
  if (found.is === 'incomplete') return { type: 'judge_incomplete', ...byClerk, payload: told({}) }
  if (found.is === 'failed') {
    const why = { error_type: 'parse_error', message: found.message }
    return { type: 'judge_failed', ...byClerk, payload: told(why) }
  }
  return { type: 'restart_judged', agent: String(mind), role: 'judge', payload: told(found.value) }
}

function embedAnswer(action: Action, state: ExchangeState, script: Script, keep: Keep): Said {
  const ids = action.input.messages as readonly string[]
  const messages = ids.flatMap((id) => state.pending.find((message) => message.id === id) ?? [])
  const score = script.score ?? asksForRestart
  const assigned = messages.map(({ id, text }) => ({ id, cluster: script.cluster?.(text) ?? null }))
  const now = new Map(assigned.map(({ id, cluster }) => [id, cluster]))
  const sizes = new Map<string, number>()
  for (const { id, cluster } of state.pool) {
    const in_ = now.get(id) ?? cluster
    if (in_ !== null) sizes.set(in_, (sizes.get(in_) ?? 0) + 1)
  }
  const clusters: ClusterNote[] = [...sizes].map(([id, size]) => ({
    id,
    label: `theme ${id}`,
    size,
    share: rounded(size / state.pool.length),
  }))
  const payload = {
    action: action.id,
    round: Number(action.input.round),
    encoder: state.encoder,
    messages: messages.map(({ id, kind, text }) => ({ id, score: kind === 'mind' ? score(text) : null })),
    assigned,
    clusters,
    alarms: [],
    artifacts: [keep('vectors.bin', new Uint8Array(messages.length * 8).fill(messages.length))],
  }
  return { type: 'messages_embedded', agent: 'clerk', role: 'clerk', payload: payload as unknown as Payload }
}

const RECORDS: Readonly<Record<string, string>> = {
  round: 'round_opened',
  role: 'role_reported',
  signal: 'signal_raised',
  clear: 'signal_cleared',
  judging: 'judging_opened',
  alarm: 'restart_alarmed',
  phase: 'phase_changed',
}

/** What the performer of an action says of it; null for what only a person or a fork can do. */
export function answerTo(
  action: Action,
  state: ExchangeState,
  script: Script,
  keep: Keep,
  newTrace: () => string,
): Said | null {
  const kind = action.id.slice(0, action.id.indexOf('/'))
  if (kind === 'mind') return mindAnswer(action, state, script, keep)
  if (kind === 'audit') return auditAnswer(action, state, script, keep)
  if (kind === 'judge') return judgeAnswer(action, state, script, keep)
  if (kind === 'embed') return embedAnswer(action, state, script, keep)
  if (kind === 'policy') {
    const { branch, ...said } = action.input
    const into = branch === null ? null : { ...(branch as Payload), into: newTrace() }
    return {
      type: 'signal_answered',
      agent: 'policy',
      role: 'policy',
      payload: { ...said, branch: into, reason: null },
    }
  }
  const type = RECORDS[kind]
  return type
    ? { type, agent: 'clerk', role: 'clerk', payload: { action: action.id, ...action.input } }
    : null
}

export function keeper(): { readonly keep: Keep; readonly content: Map<string, Uint8Array> } {
  const content = new Map<string, Uint8Array>()
  const keep: Keep = (name, bytes) => {
    const hash = toHex(sha256(bytes))
    content.set(hash, bytes)
    return { hash, size: bytes.length, name, media_type: 'application/octet-stream' }
  }
  return { keep, content }
}
