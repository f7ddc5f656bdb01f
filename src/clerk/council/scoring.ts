// How alike recommendations are, as an encoder says it. Where there is no encoder, or it fails, nothing is scored and
// the protocol compares words instead.

import type { AgreementScored } from '../../council/events.ts'
import type { CouncilOpinion } from '../../council/opinion.ts'
import { similarity } from '../../ledger/vector.ts'
import type { Sense } from '../../senses/sense.ts'

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4 + 0

export async function scorePairs(
  sense: Sense | null,
  opinions: readonly CouncilOpinion[],
  signal: AbortSignal,
): Promise<Omit<AgreementScored, 'action'>> {
  if (sense === null) return { encoder: 'none', pairs: [] }
  const { encoder } = sense
  const vectors = await sense
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
