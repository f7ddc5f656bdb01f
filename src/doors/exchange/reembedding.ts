// Another encoder for a whole exchange. First the window, in one event that changes the encoder; then, batch by batch,
// what had left it, so that a map can place every message there ever was. Cut short, it is simply said again.

import { type Regard, regardWith } from '../../clerk/exchange/regard.ts'
import { VECTORS } from '../../exchange/legibility.ts'
import { visible } from '../../exchange/state.ts'
import { concat } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { bytesOf } from '../../ledger/vector.ts'
import type { Sense } from '../../senses/sense.ts'
import type { Home } from '../home.ts'
import { readHistory } from './history.ts'
import { judgeWith } from './judging.ts'
import type { Observer } from './observing.ts'
import { scorerIn } from './scorers.ts'

const AT_ONCE = 500

async function window(observer: Observer, regard: Regard): Promise<number> {
  const state = observer.book.state.inner
  const ids = [...new Set([...visible(state), ...state.pending].map(({ id }) => id))]
  const made = await regard(state, ids, new AbortController().signal)
  if (typeof made === 'string') {
    throw new WitanError('SENSE_FAILED', made, 'Nothing was changed; try again, or use another encoder.')
  }
  await observer.reembed(made)
  return ids.length
}

async function earlier({ office }: Pick<Home, 'office'>, observer: Observer, sense: Sense): Promise<number> {
  const { rows } = await readHistory({ office }, observer.book.trace)
  const old = rows.filter(({ place }) => place !== null && place.encoder !== sense.encoder)
  for (let at = 0; at < old.length; at += AT_ONCE) {
    const batch = old.slice(at, at + AT_ONCE).map(({ message }) => message)
    const vectors = await sense.embed(batch.map(({ text }) => text))
    const { hash, size } = await office.vault.putArtifact(concat(...vectors.map(bytesOf)))
    await observer.reembed({
      encoder: sense.encoder,
      messages: batch.map(({ id }) => ({ id, score: null })),
      assigned: [],
      clusters: observer.book.state.inner.clusters?.notes ?? [],
      alarms: [],
      artifacts: [{ hash, size, name: VECTORS, media_type: 'application/octet-stream' }],
    })
  }
  return old.length
}

/** How many messages have vectors of this encoder now. */
export async function reembed(home: Home, observer: Observer, sense: Sense): Promise<number> {
  const judge = judgeWith(sense, () => scorerIn(home.directory, sense))
  const inWindow = await window(observer, regardWith({ vault: home.vault, sense, judge }))
  return inWindow + (await earlier(home, observer, sense))
}
