// Clerks that run in parallel take turns. A step of one (building a prompt, sealing a record) takes a few
// milliseconds; hundreds of steps in a row would block everything else in the process for seconds: sockets,
// timers, people. So each step begins in its own turn of the event loop, in the order of the requests.

const waiting: (() => void)[] = []

function next(): void {
  const startStep = waiting.shift()
  if (waiting.length > 0) setImmediate(next)
  startStep?.()
}

/** Resolves when it is the caller's turn; at once, or nearly, when no other clerk is busy. */
export function waitForTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(next)
  })
}

// How a clerk waits: for the first of several things, and only as long as it makes sense. A wait leaves no
// timer, listener or watcher behind.

/** Made once: an abort without a reason creates an exception with a stack each time. */
const WAIT_OVER = new Error('the waiting is over')

/** Runs `work` under a signal that is aborted with `signal`, after `ms` (null: never), and when the work is over. */
export async function within<Result>(
  signal: AbortSignal,
  ms: number | null,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const end = (): void => over.abort(WAIT_OVER)
  const timer = ms === null ? undefined : setTimeout(end, ms)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await work(over.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Waits for the work; after the signal only for `ms` more. */
export async function settleWithin(work: Promise<unknown>, signal: AbortSignal, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let startTimer = (): void => undefined
  const enough = new Promise<void>((resolve) => {
    startTimer = () => {
      timer = setTimeout(resolve, ms)
    }
  })
  if (signal.aborted) startTimer()
  else signal.addEventListener('abort', startTimer, { once: true })
  try {
    await Promise.race([work, enough])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', startTimer)
  }
}

/** As soon as others are looked for at all. */
const SOON_MS = 20

/** Until the first of these is over, or they take some time. None of them rejects. */
export function waitForFirst(work: Iterable<Promise<void>>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SOON_MS)
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    let isEmpty = true
    for (const promise of work) {
      isEmpty = false
      promise.then(end)
    }
    if (isEmpty) end()
  })
}
