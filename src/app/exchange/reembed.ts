// Changes the encoder of a whole exchange. First the window, in one event that changes the encoder; then,
// batch by batch, earlier messages, so that a map can place them all. After an interruption, the command is
// run again.

import { type EmbedMessages, embedWith } from '../../clerk/performers/exchange/judge-messages.ts'
import type { Embedder } from '../../embeddings/embedder.ts'
import { VECTORS } from '../../exchange/examine.ts'
import { visible } from '../../exchange/state.ts'
import { concat } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { bytesOf } from '../../ledger/vector.ts'
import type { RunKit } from '../home/signers.ts'
import { readHistory } from './history.ts'
import { judgeWith } from './judge-messages.ts'
import type { Observer } from './observer.ts'
import { scorerFor } from './scorer.ts'

const AT_ONCE = 500

async function window(observer: Observer, regard: EmbedMessages): Promise<number> {
  const { state } = observer
  const ids = [...new Set([...visible(state), ...state.pending].map(({ id }) => id))]
  const made = await regard(state, ids, new AbortController().signal)
  if (typeof made === 'string') {
    throw new WitanError('SENSE_FAILED', made, 'Nothing was changed; try again, or use another encoder.')
  }
  await observer.reembed(made)
  return ids.length
}

async function earlier(
  { ports }: Pick<RunKit, 'ports'>,
  observer: Observer,
  embedder: Embedder,
): Promise<number> {
  const { rows } = await readHistory({ ports }, observer.log.trace)
  const old = rows.filter(({ place }) => place !== null && place.encoder !== embedder.encoder)
  for (let at = 0; at < old.length; at += AT_ONCE) {
    const batch = old.slice(at, at + AT_ONCE).map(({ message }) => message)
    const vectors = await embedder.embed(batch.map(({ text }) => text))
    const { hash, size } = await ports.store.putArtifact(concat(...vectors.map(bytesOf)))
    await observer.reembed({
      encoder: embedder.encoder,
      messages: batch.map(({ id }) => ({ id, score: null })),
      assigned: [],
      clusters: observer.state.clusters?.notes ?? [],
      alarms: [],
      artifacts: [{ hash, size, name: VECTORS, media_type: 'application/octet-stream' }],
    })
  }
  return old.length
}

/** How many messages have vectors of the current encoder, and which one they had before. */
export async function reembed(
  runKit: RunKit,
  observer: Observer,
): Promise<{ readonly count: number; readonly from: string; readonly to: string }> {
  const { embedder, close } = await runKit.openEmbedder()
  try {
    const { encoder: from } = observer.state
    const judge = judgeWith(embedder, () => scorerFor(embedder, runKit.home))
    const inWindow = await window(observer, embedWith({ store: runKit.ports.store, embedder, judge }))
    const count = inWindow + (await earlier(runKit, observer, embedder))
    return { count, from, to: embedder.encoder }
  } finally {
    await close()
  }
}
