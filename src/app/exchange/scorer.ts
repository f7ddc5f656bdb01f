// What was learned for an encoder is kept in the home: learning sends thousands of texts to the encoder, so
// it is done once for each encoder and set of exemplars. A file is written atomically, names what it is for
// and has a digest; one that does not match is learned again and overwritten. A disk error costs time, not
// scores.

import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Exemplar,
  learnFrom,
  type ScorerLessons,
  scoreTexts,
} from '../../clerk/performers/exchange/scoring.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import { openNamedEmbedder } from '../../embeddings/named.ts'
import { type PackedScorer, packScorer, type Scorer, unpackScorer } from '../../exchange/signal/scorer.ts'
import { FORM } from '../../exchange/signal/sentence-features.ts'
import { shippedScorer } from '../../exchange/signal/shipped-scorer.ts'
import { WitanError } from '../../ledger/errors.ts'
import { readSmallFile, writeFileWhole } from '../home/files.ts'
import { vectorsFolder } from '../home/home.ts'

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** In one order, independent of the order in the file. */
const partsOf = ({ form, encoder, bias, step, weights }: PackedScorer): readonly unknown[] => [
  ...[form, encoder, bias, step, weights],
]

async function read(path: string, key: string, encoder: string): Promise<Scorer | null> {
  try {
    const stored = JSON.parse((await readSmallFile(path)).toString('utf8'))
    if (stored.for !== key || stored.scorer.encoder !== encoder) return null
    return stored.digest === digestOf([key, ...partsOf(stored.scorer)]) ? unpackScorer(stored.scorer) : null
  } catch {
    // Absent, torn or of another version: treated as absent.
    return null
  }
}

async function write(path: string, key: string, scorer: PackedScorer): Promise<void> {
  const stored = { for: key, digest: digestOf([key, ...partsOf(scorer)]), scorer }
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    await writeFileWhole(path, Buffer.from(`${JSON.stringify(stored)}\n`), { replace: true, mode: 0o600 })
  } catch {
    // It is learned again next time.
  }
}

/** The scorer for this embedder: shipped, kept in this home, or learned now and kept. */
export async function scorerIn(
  home: string,
  embedder: Embedder,
  others: ScorerLessons | null = null,
): Promise<Scorer> {
  const shipped = shippedScorer(embedder.encoder)
  if (shipped) return shipped
  const lessons = others ?? (await readLessons())
  const key = digestOf([FORM, embedder.encoder, lessons])
  const path = join(home, 'scorers', `${key}.json`)
  const cached = await read(path, key, embedder.encoder)
  if (cached) return cached
  const packed = packScorer(await learnFrom(embedder, lessons))
  await write(path, key, packed)
  // Exactly as the next process will read it.
  return unpackScorer(packed) ?? learnFrom(embedder, lessons)
}

/** Shipped, kept in the home, or learned now; where there is no home, nothing is kept. */
export const scorerFor = async (embedder: Embedder, home?: string): Promise<Scorer> =>
  home === undefined
    ? (shippedScorer(embedder.encoder) ?? learnFrom(embedder, await readLessons()))
    : scorerIn(home, embedder)

const FILE_LIMIT = 64_000_000
const TEXT_LIMIT = 2_000_000

function textOf(line: string): string | { readonly wrong: string } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { wrong: 'this line is not JSON' }
  }
  const text = (value as { text?: unknown } | null)?.text
  if (typeof text !== 'string') return { wrong: 'this line holds no text' }
  return text.length > TEXT_LIMIT ? { wrong: `this text is over ${TEXT_LIMIT} characters` } : text
}

/** The texts of a file of objects, one a line. */
export async function readTexts(file: string): Promise<readonly string[]> {
  const content = (await readSmallFile(file, FILE_LIMIT)).toString('utf8')
  return content.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    const text = textOf(line)
    if (typeof text === 'string') return [text]
    const next = 'Write one object a line: {"text": "…"}'
    throw new WitanError('FILE_UNREADABLE', `${file}:${i + 1}: ${text.wrong}`, next)
  })
}

export interface Scored {
  readonly encoder: string
  readonly scores: readonly { readonly score: number; readonly counts: boolean }[]
}

/** What the detector of restart requests says about each text, with the encoder and the scorer of this home. */
export async function scoreIn(home: string, texts: readonly string[]): Promise<Scored> {
  const embedder = await openNamedEmbedder(vectorsFolder(home))
  try {
    const scores = await scoreTexts(embedder, await scorerIn(home, embedder), texts)
    return { encoder: embedder.encoder, scores: scores.map(({ score, counts }) => ({ score, counts })) }
  } finally {
    await embedder.close()
  }
}

// The texts that the scorer of restart requests learns from: data of the package, read for an encoder without
// shipped weights.

const FOLDER = new URL('../../../data/restart/', import.meta.url)

async function readLines<Line>(name: string): Promise<Line[]> {
  const content = await readFile(new URL(name, FOLDER), 'utf8')
  return content.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
}

export async function readLessons(): Promise<ScorerLessons> {
  const exemplars = await readLines<Exemplar>('exemplars.jsonl')
  const apart = await readLines<{ readonly text: string }>('calm-apart.jsonl')
  return { exemplars, apart: apart.map(({ text }) => text) }
}
