import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { WordCountEmbedder } from '../../../test/fakes/embeddings-sense.ts'
import { readLessons, scorerIn } from './scorer.ts'

const home = mkdtempSync(join(tmpdir(), 'witan-scorers-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const { exemplars, apart } = await readLessons()
const few = {
  exemplars: exemplars.filter((_, i) => i % 50 === 0),
  apart: apart.filter((_, i) => i % 50 === 0),
}
const folder = join(home, 'scorers')
/** The scorer of this home for this encoder, and whether the encoder was asked for it. */
async function found(encoder: string) {
  const embedder = new WordCountEmbedder(encoder)
  const scorer = await scorerIn(home, embedder, few)
  return { scorer, learned: embedder.asked.length > 0 }
}

describe('a scorer for an encoder without a shipped scorer', () => {
  it('is trained once and kept; a damaged file, or one of another encoder, is trained again to the same weights', {
    timeout: 120_000,
  }, async () => {
    const first = await found('fake:words:16')
    expect(first.learned).toBe(true)
    const [name = ''] = readdirSync(folder)
    expect(readdirSync(folder)).toHaveLength(1)
    const kept = readFileSync(join(folder, name), 'utf8')
    expect(await found('fake:words:16')).toEqual({ scorer: first.scorer, learned: false })

    const { scorer, ...rest } = JSON.parse(kept)
    const foreign = { ...rest, scorer: { ...scorer, bias: scorer.bias + 1 } }
    for (const torn of [kept.slice(0, kept.length / 2), JSON.stringify(foreign)]) {
      writeFileSync(join(folder, name), torn)
      expect(await found('fake:words:16')).toEqual({ scorer: first.scorer, learned: true })
      expect(readFileSync(join(folder, name), 'utf8')).toBe(kept)
    }
    const other = await found('fake:others:16')
    expect(other).toEqual({ scorer: { ...first.scorer, encoder: 'fake:others:16' }, learned: true })
  })
})
