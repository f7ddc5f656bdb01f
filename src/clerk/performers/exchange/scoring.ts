// Scores messages with an embedder: the results are recorded and never computed again from the text. For the
// embedded encoder the weights are shipped; for any other the scorer learns once, from the same texts
// embedded there. Texts are embedded sentence by sentence, and together.

import type { Embedder } from '../../../embeddings/embedder.ts'
import {
  type EmbeddedMessage,
  learn,
  type Score,
  type Scorer,
  scoreMessage,
} from '../../../exchange/signal/scorer.ts'
import { sentencesOf } from '../../../exchange/signal/sentences.ts'

/** A text with a known label: whether it asks for a restart or other terms. */
export interface Exemplar {
  readonly kind: string
  readonly asks: boolean
  /** Its weight relative to others, 1 by default. */
  readonly weight?: number
  readonly text: string
}

export interface ScorerLessons {
  readonly exemplars: readonly Exemplar[]
  /** Calm texts that are not exemplars: they determine from which score on a message counts. */
  readonly apart: readonly string[]
}

/** At most this many sentences at a time, so that a cancelled call ends soon. */
const AT_ONCE = 256

/** Each text with the vectors of its sentences. */
export async function embedSentences(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<EmbeddedMessage[]> {
  const cut = texts.map((text) => sentencesOf(text))
  const all = [...new Set(cut.flat())]
  const vectors = new Map<string, EmbeddedMessage['vectors'][number]>()
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const batch = all.slice(at, at + AT_ONCE)
    for (const [i, vector] of (await embedder.embed(batch, signal)).entries())
      vectors.set(batch[i] ?? '', vector)
  }
  return cut.map((sentences, i) => ({
    text: texts[i] ?? '',
    sentences,
    vectors: sentences.flatMap((sentence) => vectors.get(sentence) ?? []),
  }))
}

export async function learnFrom(
  embedder: Embedder,
  { exemplars, apart }: ScorerLessons,
  signal?: AbortSignal,
): Promise<Scorer> {
  const texts = exemplars.map(({ text }) => text)
  const embedded = await embedSentences(embedder, texts, signal)
  const lessons = embedded.map((message, i) => ({
    ...message,
    asks: exemplars[i]?.asks === true,
    weight: exemplars[i]?.weight ?? 1,
  }))
  return learn(embedder.encoder, lessons, await embedSentences(embedder, apart, signal))
}

/** The detector's result for each message, in order. */
export async function scoreTexts(
  embedder: Embedder,
  scorer: Scorer,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Score[]> {
  return (await embedSentences(embedder, texts, signal)).map((embedded) => scoreMessage(scorer, embedded))
}
