// How plainly each text asks for a restart, with whichever encoder is at hand: by the weights that come with the
// package where they fit it, else by weights learned from the same exemplars with that encoder.

import { EXEMPLARS } from '../../exchange/signal/exemplars/index.ts'
import { learn, type Score, type Scorer, scoreMessage } from '../../exchange/signal/scorer.ts'
import { sentencesOf } from '../../exchange/signal/sentences.ts'
import { shippedScorer } from '../../exchange/signal/shipped.ts'
import type { Sense, Vector } from '../../senses/sense.ts'

const scorers = new WeakMap<Sense, Promise<Scorer>>()

interface Heard {
  readonly text: string
  readonly sentences: readonly string[]
  readonly vectors: readonly Vector[]
}

async function heard(sense: Sense, texts: readonly string[]): Promise<readonly Heard[]> {
  const sentences = texts.map(sentencesOf)
  const vectors = await sense.embed(sentences.flat())
  let at = 0
  return texts.map((text, i) => {
    const own = sentences[i] ?? []
    at += own.length
    return { text, sentences: own, vectors: vectors.slice(at - own.length, at) }
  })
}

async function learned(sense: Sense): Promise<Scorer> {
  const lessons = await heard(
    sense,
    EXEMPLARS.map(({ text }) => text),
  )
  return learn(
    sense.encoder,
    lessons.map((lesson, i) => ({ ...lesson, asks: EXEMPLARS[i]?.asks ?? false })),
  )
}

export async function scoreTexts(sense: Sense, texts: readonly string[]): Promise<readonly Score[]> {
  if (texts.length === 0) return []
  const scorer = scorers.get(sense) ?? Promise.resolve(shippedScorer(sense.encoder) ?? learned(sense))
  scorers.set(sense, scorer)
  const made = await scorer
  return (await heard(sense, texts)).map((one) => scoreMessage(made, one))
}
