// Makes the bundles of spec/vectors/bundles: some that hold, and for each rule of the ledger one that breaks it alone. Many
// are signed by the right keys throughout: only the rule stands against them. Nothing differs between two runs.

import { sign } from 'node:crypto'
import { extract, proveEvent, proveExtension, wholeBundle } from '../../src/clerk/extract.ts'
import { toHex } from '../../src/ledger/bytes.ts'
import { noteMessage } from '../../src/ledger/signing.ts'
import { composeNote, noteSignature, parseNote } from '../../src/ledger/tree/checkpoint.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { fileOf, piecesOf } from './mutants.ts'
import { namedKey } from './ports.ts'
import {
  AT,
  actor,
  errandDrafts,
  openScene,
  type PageContext,
  type SmuggledDraft,
  smuggle,
  withSection,
} from './tamper.ts'
import { toFile } from './verification.ts'

type Making = () => Promise<Buffer>
type Pieces = ReturnType<typeof piecesOf>

const registrar = actor('registrar', 'registrar')

const bindingOf = (name: string, agent: string, roles: readonly string[]) => {
  const { id, publicKey } = namedKey(name)
  return { id, public_key: toHex(publicKey), agent, roles }
}

const atHome = async (scene: PageContext): Promise<Buffer> =>
  toFile(await wholeBundle(scene.store, scene.trace), scene.store)

const exported = async (scene: PageContext): Promise<Buffer> =>
  toFile(await extract(scene.kit, scene.trace), scene.store)

async function revoke({ registrar: runKit }: PageContext, name: string): Promise<void> {
  const key = runKit.log.state.keys.get(namedKey(name).id)
  if (key) await runKit.revoke(key, 'lost', null)
}

/** An errand before its claim; those who tamper hold every key, also one that no one registered. */
async function withAllKeys(): Promise<PageContext> {
  const scene = await openScene(AT.claim)
  for (const name of ['clerk', 'carl', 'nobody']) scene.ports.key(name)
  return scene
}

/** A home whose registry holds one event more, signed by the registrar as it should be. */
const inRegistry =
  (type: string, payload: (scene: PageContext) => object, change: SmuggledDraft = {}): Making =>
  async () => {
    const scene = await withAllKeys()
    const draft = { type, actor: registrar, payload: payload(scene) as SmuggledDraft['payload'], ...change }
    await smuggle(scene, scene.registrar.trace, draft as SmuggledDraft)
    return atHome(scene)
  }

/** A trace with one event more, which no protocol was asked about. */
const inTrace =
  (change: SmuggledDraft): Making =>
  async () => {
    const scene = await withAllKeys()
    await smuggle(scene, scene.trace, change)
    return atHome(scene)
  }

/** An export whose lines were changed by someone without any key. */
const inLines =
  (change: (pieces: Pieces) => Pieces): Making =>
  async () =>
    fileOf(change(piecesOf(await exported(await openScene()))))

const inBytes =
  (change: (file: Buffer) => Buffer): Making =>
  async () =>
    change(await exported(await openScene()))

const mainEvent = (pieces: Pieces, seq: number): number => {
  const main = pieces.findIndex(({ line }) => line.section === 'main')
  return main + 1 + seq
}

const withLine = (pieces: Pieces, at: number, change: object): Pieces =>
  pieces.with(at, { ...pieces[at], line: { ...pieces[at]?.line, ...change } })

const replaced = (file: Buffer, from: string, to: string): Buffer => {
  const text = file.toString('latin1')
  if (!text.includes(from)) throw new Error(`${from} is not in the bundle`)
  return Buffer.from(text.replace(from, to), 'latin1')
}

/** The other spelling of S, which the rule for signatures refuses. */
function malleated(hex: string): string {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const littleEndian = (text: string): string => (text.match(/../g) ?? []).reverse().join('')
  const s = BigInt(`0x${littleEndian(hex.slice(64))}`) + order
  return hex.slice(0, 64) + littleEndian(s.toString(16).padStart(64, '0'))
}

export const VALID: Readonly<Record<string, Making>> = {
  'whole-registry': async () => atHome(await openScene()),
  exported: async () => exported(await openScene()),
  'without-content': async () => {
    const scene = await openScene()
    return toFile(await extract(scene.kit, scene.trace, { withoutContent: true }), scene.store)
  },
  'one-event': async () => {
    const scene = await openScene()
    return toFile(await proveEvent(scene.kit, scene.trace, AT.executed), scene.store)
  },
  'grown-since': async () => {
    const scene = await openScene(AT.intent)
    const held = await scene.registrar.sign(scene.trace)
    const drafts = errandDrafts()
    await smuggle(scene, scene.trace, drafts[AT.intent] ?? {}, drafts[AT.approval] ?? {})
    return toFile(await proveExtension(scene.kit, held), scene.store)
  },
  'about-the-registry': async () => {
    const scene = await openScene()
    return toFile(await extract(scene.kit, scene.registrar.trace), scene.store)
  },
  'key-revoked-later': async () => {
    const scene = await openScene()
    await revoke(scene, 'sam')
    return exported(scene)
  },
  'checkpoint-cosigned-by-a-stranger': async () => {
    const scene = await openScene()
    const bundle = await extract(scene.kit, scene.trace)
    const { text, signatures } = parseNote(bundle.main.checkpoint ?? '')
    const stranger = namedKey('stranger')
    const own = signatures.map(({ name, signature }) =>
      noteSignature(sha256, name, namedKey('registrar').publicKey, signature),
    )
    const signed = sign(null, noteMessage(text), stranger.privateKey)
    const line = noteSignature(sha256, 'stranger.example', stranger.publicKey, signed)
    const note = composeNote(text, [...own, line])
    return toFile(
      withSection(bundle, 'main', (s) => ({ ...s, checkpoint: note })),
      scene.store,
    )
  },
}

const SIGNED: Readonly<Record<string, Making>> = {
  'registry-second-registrar': inRegistry('key_registered', () => ({
    key: bindingOf('new', 'new', ['registrar']),
  })),
  'registry-key-twice': inRegistry('key_registered', () => ({ key: bindingOf('sam', 'sam', ['seat']) })),
  'registry-key-of-low-order': inRegistry('key_registered', () => ({
    key: { id: toHex(sha256(new Uint8Array(32))), public_key: '0'.repeat(64), agent: 'new', roles: ['seat'] },
  })),
  'registry-id-of-another-key': inRegistry('key_registered', () => ({
    key: { ...bindingOf('new', 'new', ['seat']), id: namedKey('other').id },
  })),
  'registry-rotation-to-another-role': inRegistry('key_rotated', () => ({
    old: namedKey('sam').id,
    key: bindingOf('new', 'sam', ['critic']),
  })),
  'registry-revokes-the-unknown': inRegistry('key_revoked', () => ({
    key: namedKey('new').id,
    reason: 'lost',
    heads: [],
    compromised_since: null,
  })),
  'registry-revokes-the-registrar': inRegistry('key_revoked', () => ({
    key: namedKey('registrar').id,
    reason: 'lost',
    heads: [],
    compromised_since: null,
  })),
  'registry-compromised-in-the-future': inRegistry('key_revoked', () => ({
    key: namedKey('sam').id,
    reason: 'lost',
    heads: [],
    compromised_since: 1000,
  })),
  'registry-retires-a-key-in-force': inRegistry('key_revoked', () => ({
    key: namedKey('sam').id,
    reason: 'rotated out',
    heads: [],
    compromised_since: null,
    retired: true,
  })),
  'registry-erases-itself': inRegistry('redaction_recorded', (scene) => ({
    trace: scene.registrar.trace,
    seq: 0,
    artifact: null,
    by: 'paula',
    reason: 'none',
  })),
  'registry-note-that-is-none': inRegistry('checkpoint_recorded', (scene) => ({
    trace: scene.trace,
    size: 1,
    note: 'a note',
  })),
  'registry-type-unknown': inRegistry('key_lent', () => ({ key: bindingOf('new', 'new', ['seat']) })),
  'registry-by-another-role': inRegistry(
    'key_registered',
    () => ({ key: bindingOf('new', 'new', ['seat']) }),
    { actor: actor('clerk', 'clerk') },
  ),
  'trace-time-backwards': inTrace({ at: '2020-01-01T00:00:00.000Z' }),
  'trace-position-made-up': inTrace({ registry: { size: 3, hash: 'a'.repeat(64) } }),
  'trace-role-not-bound': inTrace({ actor: actor('sam', 'critic') }),
  'trace-key-of-another-agent': inTrace({ actor: actor('sam', 'seat', 'carl') }),
  'trace-signed-by-another-key': inTrace({ signer: namedKey('carl') }),
  'trace-key-unknown': inTrace({ actor: actor('sam', 'seat', 'nobody') }),
  'trace-fork-in-the-middle': inTrace({ type: 'trace_forked', payload: {} }),
  'trace-after-its-key-was-revoked': async () => {
    const scene = await openScene(AT.claim)
    const head = await scene.store.head(scene.registrar.trace)
    const position = { size: head?.size ?? 0, hash: head?.hash ?? '' }
    await revoke(scene, 'sam')
    await smuggle(scene, scene.trace, { registry: position })
    return atHome(scene)
  },
  'trace-fork-without-its-parent': async () => {
    const scene = await openScene(AT.claim)
    const fork = scene.ports.newTrace()
    const parent = { trace: scene.trace, seq: 2, hash: 'b'.repeat(64) }
    await smuggle(scene, fork, {
      type: 'trace_forked',
      actor: actor('paula', 'planner'),
      payload: { parent },
    })
    return toFile(await wholeBundle(scene.store, fork), scene.store)
  },
  'checkpoint-counts-more-events': async () => {
    const scene = await openScene()
    await scene.registrar.checkpoint(scene.trace)
    const whole = await wholeBundle(scene.store, scene.trace)
    return toFile(
      withSection(whole, 'main', (s) => ({ ...s, events: s.events.slice(0, -1) })),
      scene.store,
    )
  },
  'extract-without-a-revocation': async () => {
    const scene = await openScene()
    await revoke(scene, 'sam')
    const bundle = await extract(scene.kit, scene.trace)
    return toFile(
      withSection(bundle, 'registry', (s) => ({ ...s, events: s.events.slice(0, -1) })),
      scene.store,
    )
  },
}

const UNSIGNED: Readonly<Record<string, Making>> = {
  'payload-changed': inLines((pieces) => {
    const at = mainEvent(pieces, AT.answer)
    return withLine(pieces, at, { payload: String(pieces[at]?.line.payload).replace('Apache', 'Mozilla') })
  }),
  'payload-absent': inLines((pieces) =>
    withLine(pieces, mainEvent(pieces, AT.answer), { payload: null, salt: null }),
  ),
  'salt-absent': inLines((pieces) => withLine(pieces, mainEvent(pieces, AT.answer), { salt: null })),
  'salt-too-long': inLines((pieces) => {
    const at = mainEvent(pieces, AT.answer)
    return withLine(pieces, at, { salt: `${pieces[at]?.line.salt}00` })
  }),
  'header-changed': inLines((pieces) => {
    const at = mainEvent(pieces, AT.answer)
    return withLine(pieces, at, { event: String(pieces[at]?.line.event).replace('"sam"', '"tom"') })
  }),
  'signature-absent': inLines((pieces) => withLine(pieces, mainEvent(pieces, AT.answer), { signature: '' })),
  'signature-with-s-beyond-l': inLines((pieces) => {
    const at = mainEvent(pieces, AT.answer)
    return withLine(pieces, at, { signature: malleated(String(pieces[at]?.line.signature)) })
  }),
  'event-left-out': inLines((pieces) => pieces.toSpliced(mainEvent(pieces, AT.answer), 1)),
  'event-twice': inLines((pieces) => {
    const at = mainEvent(pieces, AT.answer)
    return pieces.toSpliced(at, 0, pieces[at] as Pieces[number])
  }),
  'events-swapped': inLines((pieces) => {
    const at = mainEvent(pieces, AT.answer)
    return pieces.with(at, pieces[at + 1] as Pieces[number]).with(at + 1, pieces[at] as Pieces[number])
  }),
  'proof-in-a-whole-section': inLines((pieces) =>
    withLine(pieces, mainEvent(pieces, AT.answer), { proof: ['c'.repeat(64)] }),
  ),
  'position-that-nothing-names': inLines((pieces) => {
    const at = pieces.findIndex(({ line }) => 'position' in line)
    const events = pieces.filter(({ line }) => 'event' in line)
    const first = events[0]?.line ?? {}
    const position = { hash: first.hash ?? '', position: 1, proof: first.proof ?? [] }
    return pieces.toSpliced(at, 0, { line: position })
  }),
  'artifact-changed': inLines((pieces) =>
    pieces.map((piece) =>
      piece.bytes ? { ...piece, bytes: Buffer.from(piece.bytes).fill('x', 0, 1) } : piece,
    ),
  ),
  'artifact-absent': inLines((pieces) => pieces.filter(({ bytes }) => !bytes)),
  'artifact-that-nothing-names': inLines((pieces) => {
    const bytes = Buffer.from('of nobody')
    const line = { artifact: toHex(sha256(bytes)), size: bytes.length }
    return pieces.toSpliced(-1, 0, { line, bytes })
  }),
  'artifact-left-out-and-there': inLines((pieces) => {
    const at = pieces.findIndex(({ bytes }) => bytes)
    return pieces.toSpliced(at, 0, { line: { omitted: pieces[at]?.line.artifact ?? '' } })
  }),
  'section-of-another-form': inLines((pieces) => {
    const at = pieces.findIndex(({ line }) => line.section === 'main')
    return withLine(pieces, at, { form: 'sparse' })
  }),
  'section-order': inLines((pieces) => {
    const main = pieces.findIndex(({ line }) => line.section === 'main')
    const tail = pieces.findIndex(({ bytes }) => bytes)
    return [
      pieces[0] as Pieces[number],
      ...pieces.slice(main, tail),
      ...pieces.slice(1, main),
      ...pieces.slice(tail),
    ]
  }),
  'checkpoint-of-another-trace': inLines((pieces) => {
    const [registry, main] = ['registry', 'main'].map((part) =>
      pieces.findIndex(({ line }) => line.section === part),
    ) as [number, number]
    return withLine(pieces, main, { checkpoint: pieces[registry]?.line.checkpoint })
  }),
  'member-added': inLines((pieces) => withLine(pieces, 0, { note: 'x' })),
  'format-unknown': inLines((pieces) => withLine(pieces, 0, { witan: 'bundle/2' })),
  'white-space': inBytes((file) => replaced(file, '"content":"full"', '"content": "full"')),
  'member-twice': inBytes((file) => replaced(file, '"content":"full"', '"content":"full","content":"full"')),
  'escape-not-canonical': inBytes((file) => replaced(file, '"content":"full"', '"content":"\\u0066ull"')),
  'hex-in-upper-case': inBytes((file) => {
    const hash = /"hash":"([0-9a-f]*[a-f][0-9a-f]*)"/.exec(file.toString('latin1'))?.[1] ?? ''
    return replaced(file, hash, hash.toUpperCase())
  }),
  'number-not-canonical': inBytes((file) => replaced(file, '"artifacts":1,', '"artifacts":1.0,')),
  'bytes-after-the-end': inBytes((file) => Buffer.concat([file, Buffer.from('\n')])),
  'cut-off': inBytes((file) => file.subarray(0, file.lastIndexOf('{"artifacts"'))),
  'last-newline-absent': inBytes((file) => file.subarray(0, -1)),
}

export const INVALID = { ...SIGNED, ...UNSIGNED }

/** What a reader of these bundles pins. */
export const VECTOR_KEY = namedKey('registrar').id
