// The scorer that comes with the package, learned beforehand from data/restart and the embedded encoder.
// `scripts/train-signal.js` writes the weights; nothing else does.

import { type Scorer, unpackScorer } from './scorer.ts'
import { WEIGHTS } from './weights.ts'

/** Null when the shipped weights are not for this encoder, or not of this program's form: then one must be learned. */
export function shippedScorer(encoder: string): Scorer | null {
  return WEIGHTS.encoder === encoder ? unpackScorer(WEIGHTS) : null
}
