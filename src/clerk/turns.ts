// Clerks that work side by side take turns. A step of one (building a prompt, sealing a record) is a few milliseconds;
// the steps of hundreds in a row would keep everything else in the process waiting for seconds: sockets, timers, people.
// So each step begins in a turn of the loop of its own, in the order in which it was asked for.

const waiting: (() => void)[] = []

function next(): void {
  const begin = waiting.shift()
  if (waiting.length > 0) setImmediate(next)
  begin?.()
}

/** Resolves when it is one's turn; at once, or nearly, when nobody else is at work. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(next)
  })
}
