// Text under way: what a model has written so far, for people who watch. It travels beside the ledger, never in it; nothing
// of it is signed, kept or owed. Only the end of each text is told, whole each time, so anyone who joins late or reads
// slowly lacks something in between and nothing else; who writes never waits for a reader.

/** What someone in a trace has written so far: a seat, or the action that a model answers. */
export interface LiveText {
  readonly trace: string
  readonly who: string
  readonly text: string
}

export interface LiveTextSender {
  /** Further words; null where it begins anew. Returns at once. */
  tell(trace: string, who: string, words: string | null): void
  close(): Promise<void>
}

/** Hears what is being written until `close`. */
export interface Listener {
  close(): Promise<void>
}

export const MOST_CHARS = 2_000
const MOST_WRITERS = 64
const TELL_MS = 120

/** Where text goes: what has changed, and all there is for someone who has just come. */
export type Send = (changed: readonly LiveText[], all: () => readonly LiveText[]) => Promise<void>

/** Tells a few times a second. While one telling is under way, what comes meanwhile waits for the next, merged. */
export function openLiveTextSender(
  send: Send,
  end: () => Promise<void> = async () => undefined,
): LiveTextSender {
  const texts = new Map<string, LiveText>()
  let changed = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let isTelling = false
  let isClosed = false

  const plan = (): void => {
    if (timer !== null || isTelling || isClosed) return
    timer = setTimeout(() => void flush(), TELL_MS)
    timer.unref()
  }

  async function flush(): Promise<void> {
    timer = null
    const lot = [...changed].flatMap((key) => texts.get(key) ?? [])
    changed = new Set()
    isTelling = true
    try {
      await send(lot, () => [...texts.values()])
    } catch {
      // Not owed to anyone: the next telling has all of it again.
    } finally {
      isTelling = false
      if (changed.size > 0) plan()
    }
  }

  return {
    tell(trace, writer, words) {
      const key = `${trace}/${writer}`
      const before = texts.get(key)?.text ?? ''
      texts.delete(key)
      texts.set(key, {
        trace,
        who: writer,
        text: words === null ? '' : `${before}${words}`.slice(-MOST_CHARS),
      })
      for (const oldest of [...texts.keys()].slice(0, -MOST_WRITERS)) texts.delete(oldest)
      changed.add(key)
      plan()
    },
    async close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      await end().catch(() => undefined)
    },
  }
}

/** Null for what is no such thing. */
export function liveTextIn(value: unknown): LiveText | null {
  const { trace, who, text } = (value ?? {}) as Partial<Record<keyof LiveText, unknown>>
  if (typeof trace !== 'string' || !/^[0-9A-Z]{26}$/.test(trace)) return null
  if (typeof who !== 'string' || who.length > 300 || typeof text !== 'string') return null
  return { trace, who, text: text.slice(-MOST_CHARS).toWellFormed() }
}
