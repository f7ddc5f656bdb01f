// What minds and auditor are shown: a pure function of the open round. All actors' current terms are in every
// prompt; then the messages of the sample and no others, each within marks that its text cannot contain.
// Private content is not available here, so it cannot be shown.

import type { Sha256 } from '../../ledger/bytes.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import type { RawReply } from '../../ledger/raw-reply.ts'
import type { JsonSchema } from '../../ledger/schema.ts'
import { type Fence, fenced, promptSeed } from '../../ledger/text/fence.ts'
import { AUDIT_SCHEMA } from '../audit.ts'
import { editionOf } from '../editions.ts'
import type { ClusterNote } from '../events.ts'
import { JUDGEMENT_SCHEMA } from '../judgement.ts'
import { type Message, type MessageKind, shownText } from '../messages.ts'
import type { ExchangeState, OpenRound } from '../state.ts'
import type { Terms } from '../terms.ts'

import { completingParts, incompleteFor } from './completing.ts'
import { systemParts } from './system-prompts.ts'
import { DECOYS, ourWords, ownPart, WORDS, type Words } from './words.ts'

export interface ExchangeRequest {
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly schema: JsonSchema | null
}

const CALLED: Readonly<Record<MessageKind, string>> = {
  mind: 'by a mind',
  injection: 'injected by the observer',
  audit: 'audit',
  auditor_role: 'role of the auditor',
  observer_role: 'role of the observer',
  observer: 'by the observer',
}

const quoting = (fence: Fence, hash: string, name: string, key: string, words: string): PromptPart => ({
  name,
  text: fenced(fence, 'terms', key, words),
  quotes: { kind: 'terms', id: `${hash}#${key}` },
  template: null,
})

function messagePart(fence: Fence, message: Message): PromptPart {
  const label = `${message.id} ${CALLED[message.kind]}`
  return {
    name: `message/${message.id}`,
    text: fenced(fence, 'message', label, shownText(message)),
    quotes: { kind: 'event', id: message.event },
    template: null,
  }
}

interface Setting {
  readonly fence: Fence
  readonly round: OpenRound
  readonly terms: Terms
  readonly words: Words
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

function clusterPart(fence: Fence, { event, notes }: NonNullable<ExchangeState['clusters']>): PromptPart {
  const line = ({ id, label, size, share }: ClusterNote): string =>
    `${id}: ${label.replaceAll(/\s+/g, ' ')} (${size} messages, ${percent(share)})`
  const words = notes.length === 0 ? 'none' : notes.map(line).join('\n')
  return {
    name: 'clusters',
    text: fenced(fence, 'clusters', 'themes of the window', words),
    quotes: { kind: 'event', id: event },
    template: null,
  }
}

function phasePart(sha256: Sha256, words: Words, { phase }: ExchangeState): readonly PromptPart[] {
  if (!phase || phase.event === null) return []
  const changed = phase.changed.length > 0 ? phase.changed.join(', ') : 'nothing'
  const values = { signal: phase.signal, answer: phase.answer, changed }
  return [ownPart(sha256, 'phase', words.phase, values, { kind: 'event', id: phase.event })]
}

function messagesOf(
  sha256: Sha256,
  { fence, words, round: { samples, material } }: Setting,
  mind: string,
): readonly PromptPart[] {
  const sample = samples.find((candidate) => candidate.mind === mind)
  const messages = (sample?.messages ?? []).flatMap((id) => material.get(id) ?? [])
  if (messages.length === 0) return [ownPart(sha256, 'empty', words.empty)]
  return messages.map((message) => messagePart(fence, message))
}

/** The mind that a request is for, and the action that it answers. */
interface Asked {
  readonly action: string
  readonly mind: string
  /** The mind's earlier answer, where this asks for what that lacks and it is available. */
  readonly answer?: RawReply | null
}

/** Null when no round is open, or the terms it runs under were erased. */
function settingOf(sha256: Sha256, state: ExchangeState, { action, mind }: Asked): Setting | null {
  const { round, fence, trace } = state
  if (!round?.under) return null
  const { words, marks } = editionOf(state)
  // Derived from round and mind alone, a branch shows a mind the same marks as that round of the parent.
  const seed = marks === 'asking' ? promptSeed(fence, trace, action) : `${fence}\n${round.round}\n${mind}`
  return { fence: { sha256, seed }, round, terms: round.under, words: WORDS[words] }
}

const roles = ({
  fence,
  hash,
  terms,
}: Pick<Setting, 'fence' | 'terms'> & { readonly hash: string }): Record<
  'pool' | 'auditor' | 'observer',
  PromptPart
> => ({
  pool: quoting(fence, hash, 'pool_prompt', 'pool.prompt', terms.pool.prompt),
  auditor: quoting(fence, hash, 'auditor_spec', 'auditor.spec', terms.auditor.spec),
  observer: quoting(fence, hash, 'observer_role', 'observer.role', terms.observer.role),
})

const completed = (sha256: Sha256, { fence, round, words }: Setting, { action, mind, answer }: Asked) =>
  completingParts(sha256, fence, words, incompleteFor(round, mind, action), answer ?? null)

/** What this mind is shown in the open round; null when no round of the pool is open. */
export function mindRequest(sha256: Sha256, state: ExchangeState, asked: Asked): ExchangeRequest | null {
  const setting = settingOf(sha256, state, asked)
  if (setting?.round.kind !== 'pool') return null
  const { fence, terms, words } = setting
  const { pool, auditor, observer } = roles({ fence, terms, hash: setting.round.terms })
  const feed = { off: null, live: state.clusters, audits: state.audited }[terms.clusters.feed]
  return {
    system: ourWords(words.mindSystem),
    parts: [
      pool,
      auditor,
      observer,
      ...systemParts(sha256, fence, state, terms),
      ...phasePart(sha256, words, state),
      ...(feed ? [clusterPart(fence, feed)] : []),
      ...messagesOf(sha256, setting, asked.mind),
      ownPart(sha256, 'instructions', words.mindInstructions, {
        max_messages: terms.pool.max_messages,
        max_chars: terms.pool.max_chars,
      }),
      ...completed(sha256, setting, asked),
    ],
    schema: null,
  }
}

/** What the auditor is shown in the open round; null when no audit is open. */
export function auditRequest(
  sha256: Sha256,
  state: ExchangeState,
  action: string,
  answer: RawReply | null = null,
): ExchangeRequest | null {
  const mind = state.round?.under?.auditor.mind ?? ''
  const setting = settingOf(sha256, state, { action, mind })
  if (setting?.round.kind !== 'audit') return null
  const { fence, terms, words } = setting
  const { pool, auditor, observer } = roles({ fence, terms, hash: setting.round.terms })
  const feed = terms.clusters.feed === 'off' ? null : state.clusters
  return {
    system: ourWords(words.auditorSystem),
    parts: [
      auditor,
      pool,
      observer,
      ...systemParts(sha256, fence, state, terms),
      ...phasePart(sha256, words, state),
      ...(feed ? [clusterPart(fence, feed)] : []),
      ...messagesOf(sha256, setting, mind),
      ownPart(sha256, 'instructions', words.auditorInstructions),
      ...completed(sha256, setting, { action, mind, answer }),
    ],
    schema: AUDIT_SCHEMA,
  }
}

/** What the judge is shown, by id, as the minds wrote it; including our decoys. */
export function judgedTexts({ judging }: ExchangeState): ReadonlyMap<string, string> {
  const texts = new Map(DECOYS)
  for (const [id, message] of judging?.material ?? []) texts.set(id, message.text)
  return new Map((judging?.shown ?? []).map((id) => [id, texts.get(id) ?? '']))
}

/** A decoy looks like any other message. */
function judgedPart(fence: Fence, message: Message | undefined, id: string): PromptPart {
  if (message) return messagePart(fence, message)
  const text = fenced(fence, 'message', `${id} ${CALLED.mind}`, DECOYS.get(id) ?? '')
  return { name: `message/${id}`, text, quotes: null, template: null }
}

/** What the judge is shown; null when none is asked. */
export function judgeRequest(
  sha256: Sha256,
  state: ExchangeState,
  action: string,
  answer: RawReply | null = null,
): ExchangeRequest | null {
  const { judging, fence: seed, trace } = state
  if (!judging?.under) return null
  const words = WORDS[editionOf(state).words]
  const fence = { sha256, seed: promptSeed(seed, trace, action) }
  const { pool, auditor, observer } = roles({ fence, hash: judging.hash, terms: judging.under })
  return {
    system: ourWords(words.judgeSystem),
    parts: [
      pool,
      auditor,
      observer,
      ...systemParts(sha256, fence, state, judging.under),
      ...judging.shown.map((id) => judgedPart(fence, judging.material.get(id), id)),
      ownPart(sha256, 'instructions', words.judgeInstructions),
      ...completingParts(sha256, fence, words, incompleteFor(judging, judging.mind, action), answer),
    ],
    schema: JUDGEMENT_SCHEMA,
  }
}
