// Erases in memory what a frozen bundle holds, as a recorded redaction would: the payload of an event, alone or with
// all that quotes it, or the bytes of an artifact. A bundle is read and its signatures are checked once; each erasure
// then costs one judgement.

import { repeatsErased, type WordedEvent } from '../../src/clerk/repeated-words.ts'
import { toHex, utf8 } from '../../src/ledger/bytes.ts'
import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../../src/ledger/calls.ts'
import { canonicalize, parseCanonical } from '../../src/ledger/canonical.ts'
import { artifactsOf, type Payload } from '../../src/ledger/event.ts'
import { FORKED } from '../../src/ledger/fork.ts'
import type { PromptPart } from '../../src/ledger/prompt.ts'
import { REDACTION_RECORDED, registryProtocol } from '../../src/ledger/registry/registry.ts'
import {
  type ArtifactAnswer,
  type Inquiry,
  inquire,
  type ReadEvent,
  type ReadSection,
} from '../../src/ledger/verify/inquire.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import { verify } from '../../src/ledger/verify/verify.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { verifySignature } from '../../src/stores/signature-checks.ts'
import { type BundleCarrying, KNOWN } from './frozen.ts'

/** What cannot be erased: see `clerk/redaction.ts`. */
const KEPT: readonly string[] = [FORKED, CALL_STARTED, CALL_LOST, CALL_INDETERMINATE]

export interface Target {
  /** `trace/seq` */
  readonly event?: string
  readonly artifact?: string
}

interface Prompt {
  readonly artifact: string
  readonly trace: string
  readonly quotes: readonly NonNullable<PromptPart['quotes']>[]
}

const wordedOf = ({ header, payload }: ReadEvent): WordedEvent | null =>
  typeof header === 'object' && typeof payload === 'object' && payload !== null
    ? { type: header.type, agent: header.actor.agent, payload }
    : null

export class Erasing {
  readonly inquiry: Inquiry
  readonly signatures: readonly boolean[]
  readonly artifacts: ReadonlyMap<string, ArtifactAnswer>
  readonly #prompts: readonly Prompt[]

  constructor({ bundle, artifacts }: BundleCarrying, keys: readonly string[]) {
    this.inquiry = inquire(sha256, bundle, { keys, checkpoints: [] })
    this.signatures = this.inquiry.questions.signatures.map(({ publicKey, message, signature }) =>
      verifySignature(publicKey, message, signature),
    )
    this.artifacts = artifacts
    this.#prompts = this.events.flatMap((read) => this.#promptsOf(read))
  }

  get events(): readonly ReadEvent[] {
    return [...this.inquiry.ancestors, this.inquiry.main].flatMap(({ events }) => events)
  }

  /** Events of this trace and its ancestors that may be erased. */
  get erasable(): readonly ReadEvent[] {
    return this.events.filter(
      ({ header, payload }) => typeof header === 'object' && payload !== null && !KEPT.includes(header.type),
    )
  }

  #promptsOf({ payload, header }: ReadEvent): readonly Prompt[] {
    if (typeof payload !== 'object' || !payload || typeof header === 'string') return []
    return artifactsOf(payload).flatMap(({ name, hash }) => {
      const content = name === 'request.json' ? this.artifacts.get(hash)?.content : undefined
      const request = content && (parseCanonical(content) as { parts?: readonly PromptPart[] } | undefined)
      const quotes = (request?.parts ?? []).flatMap((part) => part.quotes ?? [])
      return content ? [{ artifact: hash, trace: header.trace, quotes }] : []
    })
  }

  /** With all that `witan redact --everywhere` erases: what quotes it, and what repeats it. */
  everywhere(read: ReadEvent): readonly Target[] {
    const erased = wordedOf(read)
    const repeating = this.erasable.filter((event) => {
      const worded = wordedOf(event)
      return event.id !== read.id && erased !== null && worded !== null && repeatsErased(worded, erased)
    })
    const targets = [read, ...repeating].flatMap((event) => this.#withQuoting(event))
    return [...new Map(targets.map((one) => [one.event ?? one.artifact, one])).values()]
  }

  /** The event, its artifacts, and every prompt that quotes it. */
  #withQuoting(read: ReadEvent): readonly Target[] {
    const payload = (typeof read.payload === 'object' ? read.payload : null) ?? {}
    const { terms } = payload as { terms?: unknown }
    const hash = typeof terms === 'object' && terms ? toHex(sha256(utf8(canonicalize(terms)))) : null
    const [trace] = read.id.split('/')
    const isQuoted = (where: string, { kind, id }: Prompt['quotes'][number]): boolean => {
      if (kind === 'event') return id === read.id
      if (kind !== 'terms') return false
      const [stated = ''] = id.split('#')
      return stated === id ? read.id === `${trace}/0` && where === trace : stated === hash
    }
    const quoting = this.#prompts.filter((prompt) => prompt.quotes.some((one) => isQuoted(prompt.trace, one)))
    const own = artifactsOf(payload as Payload).map((artifact) => artifact.hash)
    return [
      { event: read.id },
      ...[...new Set([...own, ...quoting.map(({ artifact }) => artifact)])].map((artifact) => ({ artifact })),
    ]
  }

  /** The report on the bundle once all of this is erased, after `tampered` had its way with what was left. */
  judge(
    targets: readonly Target[],
    tampered: (section: ReadSection) => ReadSection = (section) => section,
  ): Report {
    const registry = registryProtocol(sha256)
    const gone = new Set(targets.map(({ event, artifact }) => event ?? artifact))
    let keys = this.inquiry.keys
    for (const { event, artifact = null } of targets) {
      const [trace = this.inquiry.main.trace, seq = null] = event?.split('/') ?? []
      const payload = { trace, seq: seq === null ? null : Number(seq), artifact, by: 'ana', reason: 'asked' }
      const actor = { agent: 'registrar', role: 'registrar', key: keys.registrars.at(-1) ?? '' }
      const place = {
        trace: this.inquiry.registry.trace,
        seq: 1_000,
        at: '2026-12-31T00:00:00.000Z',
        hash: '',
      }
      keys = registry.evolve(keys, { ...place, type: REDACTION_RECORDED, actor, payload })
    }
    const erased = (read: ReadEvent): ReadEvent =>
      gone.has(read.id)
        ? { ...read, payload: null, event: { ...read.event, payload: null, salt: null } }
        : read
    const sectionOf = (section: ReadSection): ReadSection => ({
      ...section,
      events: tampered(section).events.map(erased),
    })
    const { ancestors, main } = this.inquiry
    const inquiry = { ...this.inquiry, keys, ancestors: ancestors.map(sectionOf), main: sectionOf(main) }
    const artifacts = new Map([...this.artifacts].filter(([hash]) => !gone.has(hash)))
    return verify(sha256, inquiry, { signatures: this.signatures, artifacts }, KNOWN)
  }
}
