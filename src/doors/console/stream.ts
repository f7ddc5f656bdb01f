// What a page receives without asking: that traces have grown, and the events of the one it shows. Each batch
// of events has the position of its last as its id, so that a page that lost the connection says where it
// stopped and misses nothing. A batch is serialized once, however many pages receive it.

import type { Batch, OpenHome } from '../../app/console/open-home.ts'
import type { LiveTexts } from './speech.ts'
import type { TraceList } from './trace-list.ts'

const encoder = new TextEncoder()
const encoded = new WeakMap<Batch, Uint8Array<ArrayBuffer>>()

const message = (event: string, data: string, id: number | null = null): Uint8Array<ArrayBuffer> =>
  encoder.encode(`event: ${event}\n${id === null ? '' : `id: ${id}\n`}data: ${data}\n\n`)

function batchMessage(batch: Batch): Uint8Array<ArrayBuffer> {
  const known = encoded.get(batch)
  if (known) return known
  // The lines are JSON already; a list of them needs no second encoding.
  const data = `{"from":${batch.from},"events":[${batch.lines.join(',')}]}`
  const encodedBatch = message('events', data, batch.from + batch.lines.length - 1)
  encoded.set(batch, encodedBatch)
  return encodedBatch
}

/** An event with data: a browser reports no comments to its page, and no event without data. */
const BEAT = message('beat', '0')

export interface Wanted {
  /** Null for the list of traces alone. */
  readonly trace: string | null
  /** There is no such trace here: the page is told so, and gets news of the others. */
  readonly isAbsent: boolean
  readonly from: number
  /** After this many milliseconds it gets a heartbeat. */
  readonly beat: number
  /** Whether the session that asked is still active; checked with each heartbeat. */
  readonly lasts: () => boolean
}

/** One page's stream, until it goes away, its session ends or the console ends. */
export function streamFor(
  openHome: OpenHome,
  { list, speech }: { readonly list: TraceList; readonly speech: LiveTexts },
  { trace, isAbsent, from, beat: beatMs, lasts }: Wanted,
  ended: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const over = new AbortController()
  const end = (): void => over.abort()
  ended.addEventListener('abort', end, { once: true })
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        /** A page that does not read what it is sent is disconnected, and returns when it does. */
        const send = (chunk: Uint8Array<ArrayBuffer>): void => {
          if (over.signal.aborted) return
          if ((controller.desiredSize ?? 0) < -MOST_WAITING) end()
          else controller.enqueue(chunk)
        }
        const stopListening = list.hear((rows) => send(message('traces', rows)))
        const stopListeningToTexts =
          trace === null
            ? () => undefined
            : speech.hear(trace, (encodedText) => send(message('text', encodedText)))
        const heartbeat = setInterval(() => (lasts() ? send(BEAT) : end()), beatMs)
        over.signal.addEventListener('abort', () => {
          stopListening()
          stopListeningToTexts()
          clearInterval(heartbeat)
          ended.removeEventListener('abort', end)
          try {
            controller.close()
          } catch {
            // The page has gone already.
          }
        })
        if (isAbsent) send(message('absent', '0'))
        if (trace === null || isAbsent) return
        void (async () => {
          for await (const batch of openHome.follow(trace, from, over.signal)) {
            while ((controller.desiredSize ?? 0) < 0 && !over.signal.aborted) await briefPause()
            send(batchMessage(batch))
          }
        })()
          // At any error of the store, the page sees the connection end and tries again.
          .catch(() => undefined)
          .finally(end)
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 256 * 1024 }),
  )
}

const MOST_WAITING = 8 << 20
const briefPause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))
