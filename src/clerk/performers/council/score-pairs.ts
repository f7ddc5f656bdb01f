// The similarity of recommendations, according to an encoder. Where there is no encoder, or it fails, nothing
// is scored and the protocol compares words instead.

import type { AgreementScored } from '../../../council/events.ts'
import type { CouncilOpinion } from '../../../council/replies/opinion.ts'
import type { Embedder } from '../../../embeddings/embedder.ts'
import { similarity } from '../../../ledger/vector.ts'

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0

export async function scorePairs(
  embedder: Embedder | null,
  opinions: readonly CouncilOpinion[],
  signal: AbortSignal,
): Promise<Omit<AgreementScored, 'action'>> {
  if (embedder === null) return { encoder: 'none', pairs: [] }
  const { encoder } = embedder
  const vectors = await embedder
    .embed(
      opinions.map(({ details }) => details.recommendation),
      signal,
    )
    .catch(() => null)
  if (vectors === null) {
    if (signal.aborted) throw signal.reason
    return { encoder, pairs: [] }
  }
  const pairs = opinions.flatMap((a, i) =>
    opinions.slice(i + 1).flatMap((b, j) => {
      const [left, right] = [vectors[i], vectors[i + 1 + j]]
      return left && right ? [{ a: a.id, b: b.id, cosine: rounded(similarity(left, right)) }] : []
    }),
  )
  return { encoder, pairs }
}
