// A bundle holds what some rule needs and nothing else: each line of each bundle that an earlier build made is put once
// more somewhere, and everything that could ride along unseen is added; none of it passes. With WITAN_EXHAUSTIVE=1 that is
// done to every frozen bundle, and every line of the golden ones is put everywhere.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { extract, proveEvent, proveExtension } from '../src/clerk/extract.ts'
import type { Bundle } from '../src/ledger/bundle/bundle.ts'
import { toHex } from '../src/ledger/bytes.ts'
import { canonicalize, type Json } from '../src/ledger/canonical.ts'
import { isWitanError } from '../src/ledger/errors.ts'
import { inquire } from '../src/ledger/verify/inquire.ts'
import { artifactsToReadIn } from '../src/ledger/verify/replay.ts'
import { verify } from '../src/ledger/verify/verify.ts'
import type { Protocol } from '../src/protocol.ts'
import { readBundle } from '../src/stores/bundle-file.ts'
import { sha256 } from '../src/stores/digest.ts'
import { verifySignature } from '../src/stores/signature-checks.ts'
import { errand } from './protocols/errand.ts'
import { bundleBytes, KNOWN, manifest } from './support/frozen.ts'
import {
  AT,
  actor,
  errandDrafts,
  events,
  judge,
  openScene,
  type PageContext,
  smuggle,
} from './support/tamper.ts'
import { faults, toFile } from './support/verification.ts'

type Line = { readonly [name: string]: Json }
/** One line, with the bytes that follow it when it is an artifact's. */
interface Piece {
  readonly line: Line
  readonly bytes?: Buffer
}

const PROTOCOLS: readonly Protocol[] = [...KNOWN, errand as Protocol]
const NEWLINE = Buffer.from('\n')
const OTHER = createHash('sha256').update('of nobody').digest('hex')

function piecesOf(file: Buffer): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < file.length; ) {
    const end = file.indexOf(NEWLINE, at)
    const line = JSON.parse(file.subarray(at, end).toString()) as Line
    at = end + 1
    if (typeof line.artifact !== 'string') {
      pieces.push({ line })
      continue
    }
    const size = Number(line.size)
    pieces.push({ line, bytes: file.subarray(at, at + size) })
    at += size + 1
  }
  return pieces
}

/** The file of these pieces, whose last line counts its artifacts as they are. */
function fileOf(pieces: readonly Piece[]): Buffer {
  const artifacts = pieces.filter(({ bytes }) => bytes).length
  return Buffer.concat(
    pieces.flatMap(({ line, bytes }) => {
      const text = Buffer.from(canonicalize('end' in line ? { ...line, artifacts } : line))
      return bytes ? [text, NEWLINE, bytes, NEWLINE] : [text, NEWLINE]
    }),
  )
}

const remembered = new Map<string, boolean>()

/** The codes for which the file is refused; none when it passes. */
async function refusals(file: Uint8Array, keys: readonly string[]): Promise<readonly string[]> {
  const source = (async function* () {
    yield file
  })()
  try {
    const { bundle, artifacts } = await readBundle(source, (one) => artifactsToReadIn(one, PROTOCOLS))
    const inquiry = inquire(sha256, bundle, { keys, checkpoints: [] })
    const signatures = inquiry.questions.signatures.map(({ publicKey, message, signature }) => {
      const id = toHex(sha256(publicKey, sha256(message), signature))
      const known = remembered.get(id) ?? verifySignature(publicKey, message, signature)
      remembered.set(id, known)
      return known
    })
    const report = verify(sha256, inquiry, { signatures, artifacts }, PROTOCOLS)
    return report.failures.filter(({ severity }) => severity === 'error').map(({ code }) => code)
  } catch (error) {
    if (isWitanError(error)) return [error.code]
    throw error
  }
}

interface Tried {
  readonly what: string
  readonly pieces: readonly Piece[]
  readonly codes: readonly string[]
}

const inserted = (pieces: readonly Piece[], at: number, ...more: readonly Piece[]): readonly Piece[] => [
  ...pieces.slice(0, at),
  ...more,
  ...pieces.slice(at),
]
const replaced = (pieces: readonly Piece[], at: number, change: Line): readonly Piece[] =>
  pieces.map((piece, i) => (i === at ? { ...piece, line: { ...piece.line, ...change } } : piece))

const FORMAT = ['BUNDLE_INVALID']
const SCHEMA = ['SCHEMA_INVALID']

/** Every kind of surplus at every kind of place. */
function* surplus(pieces: readonly Piece[]): Generator<Tried> {
  const named = pieces.flatMap(({ line }) =>
    [...String(line.payload ?? '').matchAll(/"hash":"([0-9a-f]{64})","media_type"/g)].map(([, hash]) => hash),
  )
  let section: Line = {}
  const sizes = new Set(pieces.map(({ line }) => line.position))
  const bytes = Buffer.from('of nobody')
  const tail = pieces.findIndex(({ line }) => 'artifact' in line || 'end' in line)
  for (const [at, { line, bytes: carried }] of pieces.entries()) {
    yield { what: `a member in line ${at}`, pieces: replaced(pieces, at, { x: 1 }), codes: FORMAT }
    if ('section' in line) {
      section = line
      const earlier = { note: String(line.checkpoint), proof: [] }
      if (line.form === 'whole')
        yield {
          what: `earlier in ${at}`,
          pieces: replaced(pieces, at, { earlier }),
          codes: [...SCHEMA, 'CHECKPOINT_INCONSISTENT'],
        }
      if (line.section === 'ancestor') {
        const main = pieces.find((piece) => piece.line.section === 'main')?.line.checkpoint ?? ''
        const note = String(main).replace(/\/\w{26}/, `/${line.trace}`)
        yield {
          what: `checkpoint in ${at}`,
          pieces: replaced(pieces, at, { checkpoint: note }),
          codes: ['CHECKPOINT_INCONSISTENT'],
        }
      }
      const empty = { ...line, section: 'ancestor', form: 'whole', checkpoint: null, earlier: null }
      if (line.section === 'main')
        yield {
          what: 'a trace to be forked from',
          pieces: inserted(pieces, at, { line: empty }),
          codes: [...SCHEMA, 'FORK_PARENT_MISSING'],
        }
    }
    if ('event' in line) {
      const proof = [...(line.proof as string[]), OTHER]
      const codes = section.form === 'whole' ? SCHEMA : ['CHAIN_BREAK', 'KEY_UNKNOWN']
      yield { what: `a proof in ${at}`, pieces: replaced(pieces, at, { proof }), codes }
      const { seq, registry } = JSON.parse(String(line.event)) as { seq: number; registry: { size: number } }
      if (section.section === 'registry' && section.form === 'sparse' && !sizes.has(seq + 1)) {
        const position = { position: seq + 1, hash: line.hash as string, proof: line.proof as string[] }
        const first = pieces.findIndex((one) => 'section' in one.line)
        yield {
          what: `a true position ${seq + 1}`,
          pieces: inserted(pieces, first + 1, { line: position }),
          codes: SCHEMA,
        }
      }
      if (section.section !== 'registry' && seq === 0) {
        const position = { position: registry.size, hash: OTHER, proof: [] }
        yield {
          what: `a position in ${at}`,
          pieces: inserted(pieces, at, { line: position }),
          codes: SCHEMA,
        }
      }
    }
    if ('position' in line) {
      const proof = [...(line.proof as string[]), OTHER]
      yield { what: `a proof in ${at}`, pieces: replaced(pieces, at, { proof }), codes: ['KEY_UNKNOWN'] }
    }
    if (carried) {
      const omitted = { line: { omitted: line.artifact as string } }
      yield { what: `left out and there ${at}`, pieces: inserted(pieces, tail, omitted), codes: FORMAT }
      const twice = pieces.filter((_, i) => i !== at)
      yield { what: `left out twice ${at}`, pieces: inserted(twice, tail, omitted, omitted), codes: SCHEMA }
    }
  }
  yield {
    what: 'a name of nothing',
    pieces: inserted(pieces, tail, { line: { omitted: OTHER } }),
    codes: SCHEMA,
  }
  const stray: Piece = { line: { artifact: OTHER, size: bytes.length }, bytes }
  yield { what: 'bytes of nobody', pieces: inserted(pieces, pieces.length - 1, stray), codes: SCHEMA }
  yield { what: 'a line of no kind', pieces: inserted(pieces, tail, { line: { x: 1 } }), codes: FORMAT }
  expect(named).not.toContain(OTHER)
}

/** Which of the lines are put once more, and where. */
type Places = (count: number) => Iterable<readonly [from: number, to: number]>

const EXHAUSTIVE = process.env.WITAN_EXHAUSTIVE === '1'

function* everyLine(count: number): Generator<readonly [number, number]> {
  const step = EXHAUSTIVE ? 1 : 5
  for (let from = 0; from < count; from++)
    for (let to = from % step; to <= count; to += step) yield [from, to]
}

async function passing(file: Buffer, keys: readonly string[], places: Places): Promise<readonly string[]> {
  const pieces = piecesOf(file)
  expect(fileOf(pieces).equals(file)).toBe(true)
  const missed: string[] = []
  for (const { what, pieces: more, codes } of surplus(pieces)) {
    const found = await refusals(fileOf(more), keys)
    if (found.length === 0 || !found.some((code) => codes.includes(code))) missed.push(`${what}: ${found}`)
  }
  for (const [from, to] of places(pieces.length)) {
    const copied = inserted(pieces, to, pieces[from] as Piece)
    if ((await refusals(fileOf(copied), keys)).length === 0) missed.push(`line ${from} again at ${to}`)
  }
  return missed
}

const vector = (name: string): Buffer => readFileSync(new URL(`../spec/vectors/${name}`, import.meta.url))
const GOLDEN_KEYS = ['7f695abb4cc8d6eab29121fb9c62395c1a3aef802539783a770687a183864f7a']

describe('what no rule needs', () => {
  it('VER-7 is refused in the golden bundles, whichever line is put once more and wherever', async () => {
    for (const name of ['golden.witan', 'golden-fork.witan'])
      expect([name, await passing(vector(name), GOLDEN_KEYS, everyLine)]).toEqual([name, []])
  }, 300_000)

  it('VER-7 is refused in the frozen bundles of every protocol', async () => {
    // Which of them is looked at where differs from bundle to bundle, so that all together try every kind of place.
    const found = Object.entries(manifest().bundles)
    for (const [i, [name, { keys, status }]] of found.entries()) {
      if (status === 'fail' || (i % 15 > 0 && !EXHAUSTIVE)) continue
      const file = bundleBytes(name)
      const places: Places = (count) => [0, 1, 2].map((n) => [(i + n * 7) % count, (i * 5 + n * 11) % count])
      expect([name, await passing(file, keys, places)]).toEqual([name, []])
    }
  }, 1_800_000)
})

/** A home with two errands, of which the first has a recorded checkpoint and the second is held by someone. */
async function twoTraces(): Promise<{ scene: PageContext; other: string; held: string }> {
  const scene = await openScene()
  const other = scene.ports.newTrace()
  for (const draft of errandDrafts().slice(0, AT.answer)) await smuggle(scene, other, draft)
  await scene.registrar.checkpoint(other)
  await scene.registrar.checkpoint(scene.trace)
  const held = await scene.registrar.sign(other)
  await smuggle(scene, other, errandDrafts()[AT.answer] ?? {})
  return { scene, other, held }
}

describe('a bundle as it is written today', () => {
  it('VER-7 has nothing too much, in any of its forms', async () => {
    const { scene, other, held } = await twoTraces()
    const { kit, trust, store } = scene
    const registry = scene.registrar.trace
    const last = (await events(store, registry)).length
    const bundles: readonly Bundle[] = [
      await extract(kit, scene.trace),
      await extract(kit, other),
      await extract(kit, scene.trace, { withoutContent: true }),
      await extract(kit, scene.trace, { artifactLimit: 0 }),
      await extract(kit, registry),
      await proveEvent(kit, scene.trace, AT.executed),
      await proveEvent(kit, scene.trace, AT.executed, { artifactLimit: 0 }),
      await proveEvent(kit, registry, 0),
      await proveEvent(kit, registry, last - 1),
      await proveExtension(kit, held),
      await proveExtension(kit, await scene.registrar.sign(other)),
    ]
    for (const [i, bundle] of bundles.entries()) {
      const file = await toFile(bundle, store)
      expect([i, await refusals(file, trust.keys)]).toEqual([i, []])
      const places: Places = (count) => [[(i * 3) % count, (i * 7) % count]]
      expect([i, await passing(file, trust.keys, places)]).toEqual([i, []])
    }
  }, 120_000)
})

describe('what is vouched for, and yet needed by nothing', () => {
  it('VER-7 is an event of the registry about another trace', async () => {
    const { scene, other } = await twoTraces()
    const bundle = await extract(scene.kit, scene.trace)
    const theirs = (await extract(scene.kit, other)).registry
    expect(theirs.checkpoint).toBe(bundle.registry.checkpoint)
    const numbered = [...bundle.registry.events, ...theirs.events].map(
      (carried) =>
        [(JSON.parse(Buffer.from(carried.event.header).toString()) as { seq: number }).seq, carried] as const,
    )
    const merged = [...new Map(numbered)].sort(([a], [b]) => a - b).map(([, carried]) => carried)
    expect(merged).toHaveLength(bundle.registry.events.length + 1)
    const more = { ...bundle, registry: { ...bundle.registry, events: merged } }
    const seq = numbered.at(-1)?.[0]
    expect(faults(judge(more, scene.trust))).toEqual([`SCHEMA_INVALID ${seq}`])
  })

  it('VER-7 is the registry twice, or without the content that others are judged by', async () => {
    const { scene } = await twoTraces()
    const registry = await extract(scene.kit, scene.registrar.trace)
    expect(faults(judge(registry, scene.trust))).toEqual([])
    expect(faults(judge({ ...registry, content: 'none' }, scene.trust))).toEqual(['SCHEMA_INVALID'])
    const twice = { ...registry, registry: { ...registry.main } }
    expect(faults(judge(twice, scene.trust))).toEqual(['SCHEMA_INVALID'])
    const proof = await proveEvent(scene.kit, scene.registrar.trace, 1)
    const bare = proof.main.events.map(({ event, proof: path }) => ({
      event: { ...event, payload: null, salt: null },
      proof: path,
    }))
    const none: Bundle = { ...proof, content: 'none', main: { ...proof.main, events: bare } }
    expect(faults(judge(none, scene.trust))).toContain('SCHEMA_INVALID')
  })

  it('VER-7 is a trace without content of which the other is no fork', async () => {
    const { scene, other } = await twoTraces()
    const none = await extract(scene.kit, scene.trace, { withoutContent: true })
    const theirs = (await extract(scene.kit, other, { withoutContent: true })).main
    const parent = { ...theirs, checkpoint: null, events: theirs.events.slice(0, AT.answer) }
    expect(faults(judge(none, scene.trust))).toEqual(['CONTENT_WITHHELD'])
    const report = judge({ ...none, ancestors: [parent] }, scene.trust)
    expect(faults(report)).toEqual(['CONTENT_WITHHELD', 'SCHEMA_INVALID'])
  })

  it('VER-7 is a checkpoint of a trace that is only forked from', async () => {
    const { scene, other } = await twoTraces()
    const fork = scene.ports.newTrace()
    const hash = (await events(scene.store, other))[AT.asked]?.hash ?? ''
    const payload = { parent: { trace: other, seq: AT.asked, hash } }
    await smuggle(scene, fork, { type: 'trace_forked', actor: actor('paula', 'planner'), payload })
    for (const withoutContent of [false, true]) {
      const bundle = await extract(scene.kit, fork, { withoutContent })
      const withheld = withoutContent ? ['CONTENT_WITHHELD'] : []
      expect(faults(judge(bundle, scene.trust))).toEqual(withheld)
      const checkpoint = await scene.registrar.sign(other)
      const ancestors = bundle.ancestors.map((section) => ({ ...section, checkpoint }))
      const report = judge({ ...bundle, ancestors }, scene.trust)
      expect(faults(report)).toEqual([...withheld, 'SCHEMA_INVALID'])
    }
  })

  it('VER-7 is a single event that is shown twice', async () => {
    const { scene } = await twoTraces()
    const proof = await proveEvent(scene.kit, scene.trace, AT.claim)
    const twice = { ...proof.main, events: [...proof.main.events, ...proof.main.events] }
    expect(faults(judge({ ...proof, main: twice }, scene.trust))).toEqual([`CHAIN_BREAK ${AT.claim}`])
  })
})
