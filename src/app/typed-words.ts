// Words that a person or a host typed: questions, terms, what is said into a pool, reasons. They are their own, but
// secrets in them neither leave this machine nor enter the ledger: a visible marker stands where each stood, and
// whoever typed them is told.

export interface Typed<Value> {
  readonly value: Value
  /** How many secrets were taken out. */
  readonly removed: number
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

function replaced(value: unknown, next: () => string): unknown {
  if (typeof value === 'string') return next()
  if (Array.isArray(value)) return value.map((one) => replaced(one, next))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, next)]))
}

/** The same value with every text in it cleaned. */
export async function withoutTypedSecrets<Value>(value: Value): Promise<Typed<Value>> {
  const { allWithoutSecrets } = await import('../context/clean.ts')
  const cleaned = await allWithoutSecrets(textsIn(value).map((text) => ({ text })))
  const removed = cleaned.reduce((sum, one) => sum + one.removed.length, 0)
  if (removed === 0) return { value, removed }
  const texts = cleaned.map(({ text }) => text)[Symbol.iterator]()
  return { value: replaced(value, () => texts.next().value ?? '') as Value, removed }
}

/** As whoever typed them is told. */
export const removedLine = (removed: number): string =>
  removed === 1
    ? 'A secret was taken out of your words before they were sent and recorded; a marker stands in its place.'
    : `${removed} secrets were taken out of your words before they were sent and recorded; markers stand in their places.`

interface Listener {
  flag(name: string): boolean
  tell?(line: string): void
}

/** On stderr, also where a program reads the output. */
export function tellRemoved(removed: number, call: Listener): void {
  if (removed === 0) return
  if (call.tell) call.tell(removedLine(removed))
  else if (!call.flag('quiet')) {
    const clear = process.stderr.isTTY ? '\r\u001b[2K' : ''
    process.stderr.write(`${clear}${removedLine(removed)}\n`)
  }
}

/** Cleaned, and told. */
export async function heard<Value>(value: Value, call: Listener): Promise<Value> {
  const typed = await withoutTypedSecrets(value)
  tellRemoved(typed.removed, call)
  return typed.value
}
