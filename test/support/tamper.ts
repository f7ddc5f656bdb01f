// A small errand in a home of its own, and the tools of those who tamper with it: with its files, with its bundles,
// or with keys that they should not hold. Nothing here goes through the protocol's guards, except `openScene`.

import { sign } from 'node:crypto'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import type { Bundle, Carried, Section } from '../../src/ledger/bundle/bundle.ts'
import { toHex } from '../../src/ledger/bytes.ts'
import {
  encodeHeader,
  eventHash,
  type Header,
  type Payload,
  payloadHash,
  type RegistryPosition,
  readHeader,
  type SealedEvent,
  writePayload,
} from '../../src/ledger/event.ts'
import { type Draft, EMPTY_TIP, eventMessage, sealChain } from '../../src/ledger/signing.ts'
import { type ArtifactAnswer, inquire, type Trust } from '../../src/ledger/verify/inquire.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import { verify } from '../../src/ledger/verify/verify.ts'
import type { Actor, Protocol } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { verifySignature } from '../../src/stores/signature-checks.ts'
import type { Store } from '../../src/stores/store.ts'
import { errand } from '../protocols/errand.ts'
import { OUTPUT } from './errand-run.ts'
import { AGENTS, namedKey, openPorts, type TestKey, type TestPorts, testPorts } from './ports.ts'

export const ARTIFACT = toHex(sha256(Buffer.from(OUTPUT)))
const WHOLE_ERRAND = 9
/** Where the events of the errand stand. */
export const AT = {
  opened: 0,
  asked: 1,
  answer: 2,
  intent: 3,
  approval: 4,
  started: 5,
  executed: 6,
  claim: 7,
  closed: 8,
} as const

export const actor = (agent: string, role: string, key = agent): Actor => ({
  agent,
  role,
  key: namedKey(key).id,
})

/** The events of an errand with one seat, in order, each as the right agent says it. */
export function errandDrafts(): readonly Draft[] {
  const artifacts = [{ hash: ARTIFACT, size: OUTPUT.length, name: 'output.txt', media_type: 'text/plain' }]
  const clerk = actor('clerk', 'clerk')
  const executor = actor('eve', 'executor')
  const say = (type: string, who: Actor, payload: Payload): Draft => ({ type, actor: who, payload })
  return [
    say('errand_opened', actor('paula', 'planner'), { question: 'Which licence?', seats: ['a'] }),
    say('call_started', clerk, { action: 'ask/a/1', call: 'ask', clerk: 'C' }),
    say('answer_given', actor('sam', 'seat'), { action: 'ask/a/1', seat: 'a', text: 'Apache-2.0' }),
    say('tool_intent_signed', executor, { action: 'intent/1', tool: 'fetch', risk: 'high' }),
    say('intent_approved', actor('carl', 'critic'), { action: 'approve/1' }),
    say('call_started', clerk, { action: 'tool/fetch/1', call: 'tool', clerk: 'C' }),
    say('tool_execution_completed', executor, { action: 'tool/fetch/1', artifacts }),
    say('claim_issued', executor, { action: 'claim/1', text: 'it is Apache-2.0', evidence: [ARTIFACT] }),
    say('errand_closed', actor('aude', 'auditor'), { action: 'close/1' }),
  ]
}

export interface PageContext {
  readonly store: Store
  readonly ports: TestPorts
  readonly registrar: Registrar
  readonly trace: string
  readonly kit: { store: Store; registrar: Registrar; sha256: typeof sha256 }
  /** What a reader pins who knows the home. */
  readonly trust: Trust
}

/** A home with an errand of so many events; nothing of it differs between two runs. */
export async function openScene(
  events: number = WHOLE_ERRAND,
  store: Store = new MemoryStore(),
): Promise<PageContext> {
  const { ports, registrar } = await openPorts(store, true)
  const trace = ports.newTrace()
  await store.putArtifact(Buffer.from(OUTPUT))
  const log = new TraceLog(ports, errand, trace)
  for (const draft of errandDrafts().slice(0, events)) await log.append([draft])
  const trust: Trust = { keys: [namedKey('registrar').id], checkpoints: [] }
  return { store, ports, registrar, trace, kit: { store, registrar, sha256 }, trust }
}

/** The same home to the last name and trace id, made by someone who holds not one key of it. */
export async function openForgery(count: number = WHOLE_ERRAND): Promise<PageContext> {
  const store = new MemoryStore()
  const ports = testPorts(store, true)
  const key = (name: string): TestKey => ports.key(`forged ${name}`)
  const registrar = await Registrar.create(ports, 'test home', key('registrar').publicKey)
  for (const [agent, roles] of Object.entries(AGENTS))
    await registrar.register(agent, roles, key(agent).publicKey)
  const trace = ports.newTrace()
  await store.putArtifact(Buffer.from(OUTPUT))
  const log = new TraceLog(ports, errand, trace)
  for (const draft of errandDrafts().slice(0, count))
    await log.append([{ ...draft, actor: { ...draft.actor, key: key(draft.actor.agent).id } }])
  const trust: Trust = { keys: [key('registrar').id], checkpoints: [] }
  return { store, ports, registrar, trace, kit: { store, registrar, sha256 }, trust }
}

export interface SmuggledDraft extends Partial<Draft> {
  readonly at?: string
  readonly registry?: RegistryPosition
  /** Who really signs. */
  readonly signer?: TestKey
  readonly protocol?: string
}

export async function events(store: Store, trace: string): Promise<SealedEvent[]> {
  const found: SealedEvent[] = []
  for await (const event of store.read(trace)) found.push(event)
  return found
}

export function headerOf(event: SealedEvent | undefined): Header {
  const header = event && readHeader(event.header)
  if (typeof header !== 'object') throw new Error(`no header: ${header}`)
  return header
}

/** Appends to a trace what no protocol was asked about: perfectly chained, signed by the one who holds the key. */
export async function smuggle(
  scene: PageContext,
  trace: string,
  ...drafts: readonly SmuggledDraft[]
): Promise<SealedEvent[]> {
  const { store, ports } = scene
  const added: SealedEvent[] = []
  for (const { at, registry, signer, protocol = 'errand/1', ...draft } of drafts) {
    const head = await store.head(trace)
    const tip = head ? { size: head.size, hash: head.hash, at: head.header.at } : EMPTY_TIP
    const registryTrace = (await store.registry()) ?? ''
    const registryHead = await store.head(registryTrace)
    const position = registryHead && { size: registryHead.size, hash: registryHead.hash }
    const place = {
      protocol: trace === registryTrace ? 'registry/1' : protocol,
      trace,
      registry: registry ?? (trace === registryTrace ? null : position),
      at: at ?? ports.now(),
    }
    const seal = {
      sha256,
      salt: () => ports.salt(),
      sign: (by: Actor, message: Uint8Array) =>
        ports.signNow(signer ? { ...by, key: signer.id } : by, message),
    }
    const full: Draft = { type: 'answer_given', actor: actor('sam', 'seat'), payload: {}, ...draft }
    // A smuggler also sets the clock back, which sealing on the real tip would not do.
    const [event] = sealChain(seal, place, at ? { ...tip, at: '' } : tip, [full])
    if (!event) throw new Error('nothing was sealed')
    await store.append(trace, tip, [event])
    added.push(event)
  }
  return added
}

export interface Change {
  readonly header?: Partial<Header>
  readonly payload?: Payload
  /** Who signs what came out; null leaves the old signature. */
  readonly signer?: TestKey | null
}

/** The event with its content changed and every hash that its maker can compute put right. */
export function changedEvent(event: SealedEvent, change: Change): SealedEvent {
  const payload = change.payload ? writePayload(change.payload).bytes : event.payload
  const salt = event.salt ?? new Uint8Array(16)
  const committed = payload ? { payload_hash: payloadHash(sha256, salt, payload) } : {}
  const header = encodeHeader({ ...headerOf(event), ...committed, ...change.header })
  const signature = change.signer ? signEvent(change.signer, header) : event.signature
  return { ...event, header, hash: eventHash(sha256, header), payload, signature }
}

export const signEvent = (key: TestKey, header: Uint8Array): Uint8Array =>
  new Uint8Array(sign(null, eventMessage(header), key.privateKey))

/** Changes one event and forges everything after it with the keys available, so that the chain holds again. */
export function rewrite(
  sealed: readonly SealedEvent[],
  seq: number,
  change: Change,
  keys: ReadonlyMap<string, TestKey>,
): SealedEvent[] {
  const out = [...sealed]
  for (let i = seq; i < out.length; i++) {
    const old = out[i] as SealedEvent
    const prev = out[i - 1]?.hash
    const header = { ...(i === seq ? change.header : {}), ...(prev ? { prev } : {}) }
    const key = keys.get(
      change.header?.actor && i === seq ? change.header.actor.key : headerOf(old).actor.key,
    )
    const own = i === seq ? change : {}
    out[i] = changedEvent(old, { signer: key ?? null, ...own, header })
  }
  return out
}

type Part = 'main' | 'registry'

/** The bundle with one of its sections changed. */
export function withSection(bundle: Bundle, part: Part, change: (section: Section) => Section): Bundle {
  const changed = change(bundle[part])
  if (bundle.main === bundle.registry) return { ...bundle, main: changed, registry: changed }
  return { ...bundle, [part]: changed }
}

/** The bundle with one event of a section, found by its number, changed or removed. */
export function withEvent(
  bundle: Bundle,
  part: Part,
  seq: number,
  change: (event: SealedEvent, carried: Carried) => SealedEvent | null,
): Bundle {
  return withSection(bundle, part, (section) => ({
    ...section,
    events: section.events.flatMap((carried) => {
      if (headerOf(carried.event).seq !== seq) return [carried]
      const event = change(carried.event, carried)
      return event ? [{ ...carried, event }] : []
    }),
  }))
}

export const withEvents = (bundle: Bundle, part: Part, sealed: readonly SealedEvent[]): Bundle =>
  withSection(bundle, part, (section) => ({
    ...section,
    events: sealed.map((event) => ({ event, proof: [] })),
  }))

const remembered = new Map<string, boolean>()

/** Verifies at once and in this thread; a signature that was checked before is not checked again. */
export function judge(bundle: Bundle, trust: Trust, given?: ReadonlyMap<string, ArtifactAnswer>): Report {
  const inquiry = inquire(sha256, bundle, trust)
  const output: ArtifactAnswer = { state: 'intact', size: OUTPUT.length }
  const isNamed = inquiry.questions.artifacts.includes(ARTIFACT)
  const artifacts = given ?? new Map(isNamed ? [[ARTIFACT, output]] : [])
  const signatures = inquiry.questions.signatures.map(({ publicKey, message, signature }) => {
    const id = toHex(sha256(publicKey, sha256(message), signature))
    const known = remembered.get(id) ?? verifySignature(publicKey, message, signature)
    remembered.set(id, known)
    return known
  })
  return verify(sha256, inquiry, { signatures, artifacts }, [errand as Protocol])
}

/** The home as its own verifier reads it. */
export const atHome = (scene: PageContext): Promise<Bundle> => wholeBundle(scene.store, scene.trace)
