// An exchange as rows for analysis: one JSON object a line, nothing nested that a table could not hold. What a mind
// wrote is data here as everywhere: it is quoted, never run.

import type { Home } from '../home/home.ts'
import { type History, withVectors } from './history.ts'

export interface FlatRow {
  readonly round: number
  /** The trace in which it was written: rows of a branch name its parents too. */
  readonly branch: string
  readonly id: string
  readonly kind: string
  readonly author: string
  readonly text: string
  readonly sampled: readonly string[]
  readonly cluster: string | null
  readonly score: number | null
  readonly encoder: string | null
  readonly vector: readonly number[] | null
  /** Of the whole reply, with its first message; null with the others, so that sums are right. */
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly event: string
}

export async function* flatRows(home: Pick<Home, 'ports'>, { rows }: History): AsyncGenerator<FlatRow> {
  for await (const [{ message, sampled, cluster, score, tokens }, vector] of withVectors(home, rows)) {
    yield {
      round: message.round,
      branch: message.event.split('/')[0] ?? '',
      id: message.id,
      kind: message.kind,
      author: message.author,
      text: message.text,
      sampled,
      cluster,
      score,
      encoder: vector?.encoder ?? null,
      vector: vector ? [...vector.values] : null,
      input_tokens: tokens?.input ?? null,
      output_tokens: tokens?.output ?? null,
      event: message.event,
    }
  }
}
