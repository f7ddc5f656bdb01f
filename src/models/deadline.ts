// One clock and one way to give up per asking: whatever listens to the signal is stopped by the time limit or by the
// asker, whichever comes first, and which of the two it was is remembered.

export interface Deadline {
  readonly signal: AbortSignal
  /** Null while neither has come. */
  readonly ended: 'timeout' | 'aborted' | null
  /** Stops the clock, and whatever still listens; where all has ended by itself, nobody need be told. */
  close(ended?: boolean): void
}

const LONGEST = 2 ** 31 - 1
/** Made once: an abort without a reason makes an exception with a stack each time. */
const OVER = new Error('the asking is over')

export function startDeadline(timeoutMs: number, asker: AbortSignal): Deadline {
  const controller = new AbortController()
  let ended: Deadline['ended'] = null
  const end = (why: 'timeout' | 'aborted') => {
    ended ??= why
    controller.abort()
  }
  const abort = () => end('aborted')
  const timer = setTimeout(() => end('timeout'), Math.min(Math.max(1, timeoutMs), LONGEST))
  if (asker.aborted) abort()
  else asker.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    get ended() {
      return ended
    },
    close(isOver = false) {
      clearTimeout(timer)
      asker.removeEventListener('abort', abort)
      if (!isOver) controller.abort(OVER)
    },
  }
}

/** The promise, or a rejection as soon as the signal comes; for work that cannot be stopped. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('given up'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
