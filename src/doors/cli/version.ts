// The version of this package, as its own file says it.

import { readFileSync } from 'node:fs'

export function packageVersion(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return String((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version)
}
