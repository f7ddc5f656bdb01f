// The names in a JSON value and nothing else, so that the shape of what a command prints can be pinned as text.

/** The names of every object in the value, one level after the other; of a list those of its first item. */
export function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [shape(value[0])] : []
  if (typeof value !== 'object' || value === null) return null
  const names = namesIn(value)
  const inner = Object.entries(value).filter(([, part]) => typeof part === 'object' && part !== null)
  return inner.length === 0
    ? names
    : [names, Object.fromEntries(inner.map(([name, part]) => [name, shape(part)]))]
}

/** The names at the top alone. */
export const namesIn = (value: object | null | undefined): string =>
  Object.keys(value ?? {})
    .sort()
    .join(' ')
