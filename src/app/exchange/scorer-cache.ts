// What was learned for an encoder stays in the home: learning takes thousands of texts to the encoder, so it is done
// once for each encoder and set of exemplars. A file is put in its place whole, names what it is for and carries a
// digest; one that does not fit is learned anew and written over. Trouble with the disk costs time, not scores.

import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { learnFrom } from '../../clerk/performers/exchange/scoring.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import type { Exemplar } from '../../exchange/signal/exemplars/index.ts'
import { FORM } from '../../exchange/signal/rows.ts'
import { type PackedScorer, packScorer, type Scorer, unpackScorer } from '../../exchange/signal/scorer.ts'
import { shippedScorer } from '../../exchange/signal/shipped.ts'
import { readSmallFile, writeFileWhole } from '../home/files.ts'

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** In one order, whatever order a file has them in. */
const partsOf = ({ form, encoder, bias, step, weights }: PackedScorer): readonly unknown[] => [
  ...[form, encoder, bias, step, weights],
]

async function read(path: string, key: string, encoder: string): Promise<Scorer | null> {
  try {
    const kept = JSON.parse((await readSmallFile(path)).toString('utf8'))
    if (kept.for !== key || kept.scorer.encoder !== encoder) return null
    return kept.digest === digestOf([key, ...partsOf(kept.scorer)]) ? unpackScorer(kept.scorer) : null
  } catch {
    // Absent, torn or not ours: all of them mean that there is none yet.
    return null
  }
}

async function write(path: string, key: string, scorer: PackedScorer): Promise<void> {
  const kept = { for: key, digest: digestOf([key, ...partsOf(scorer)]), scorer }
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
    await writeFileWhole(path, Buffer.from(`${JSON.stringify(kept)}\n`), { replace: true, mode: 0o600 })
  } catch {
    // It is learned again next time.
  }
}

/** The scorer for this sense: shipped, kept in this home, or learned now, from all exemplars if not others, and kept. */
export async function scorerIn(
  home: string,
  embedder: Embedder,
  others: readonly Exemplar[] | null = null,
): Promise<Scorer> {
  const shipped = shippedScorer(embedder.encoder)
  if (shipped) return shipped
  const lessons = others ?? (await import('../../exchange/signal/exemplars/index.ts')).EXEMPLARS
  const key = digestOf([FORM, embedder.encoder, lessons])
  const path = join(home, 'scorers', `${key}.json`)
  const kept = await read(path, key, embedder.encoder)
  if (kept) return kept
  const packed = packScorer(await learnFrom(embedder, lessons))
  await write(path, key, packed)
  // As the next process will find it, to the last digit.
  return unpackScorer(packed) ?? learnFrom(embedder, lessons)
}
