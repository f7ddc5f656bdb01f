// Looks at every key and value of a file whatever section it is in: for keys that only a trusted file may have, and
// for secrets that no file should. Names count wherever they stand, because a section may be read by code that comes
// later; an alias shows nothing that its anchor does not.

import { redact } from '../../models/hide-secrets.ts'
import { below, type Reading, report } from './yaml-shape.ts'

/** What can run code, redirect a key, reach someone or widen what may be touched. */
export const SENSITIVE: readonly string[] = [
  ...['vault', 'mcp_servers', 'mcp', 'command', 'executable', 'url', 'env', 'pass', 'cwd', 'headers'],
  ...['base_url', 'api', 'api_key_env', 'api_key_command', 'unconfined', 'roots'],
]

export interface SensitiveKey {
  readonly key: string
  readonly line: number
  readonly column: number
}

/** A value may name a variable as `${NAME}`, which is no secret. */
const looksSecret = (value: string): boolean => {
  const rest = value.replace(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, '')
  return redact(rest) !== rest
}

/**
 * Reports secrets; gives the outermost sensitive keys. That keys are plain words is known. Names below a key that is
 * `free` are words for someone else, who judges them by himself.
 */
export function inspect(
  reading: Reading,
  isFree: (key: string) => boolean = () => false,
): readonly SensitiveKey[] {
  const { yaml, document, lines } = reading
  const found: SensitiveKey[] = []

  function visit(node: unknown, key: string, within: boolean): void {
    if (yaml.isMap(node)) for (const pair of node.items) visitPair(pair, key, within)
    if (yaml.isSeq(node)) for (const [i, item] of node.items.entries()) visit(item, `${key}[${i}]`, within)
    if (!yaml.isScalar(node) || typeof node.value !== 'string' || !looksSecret(node.value)) return
    if (reading.faults.some((fault) => fault.key === key)) return
    const next = 'Take it out and replace it; name a variable or a command that holds it instead.'
    report(reading, node, key, `${key} holds what looks like a secret`, next)
  }

  function visitPair(
    pair: { readonly key: unknown; readonly value: unknown },
    above: string,
    within: boolean,
  ): void {
    if (!yaml.isScalar(pair.key)) return
    const name = String(pair.key.value)
    const key = below(above, name)
    const sensitive = SENSITIVE.includes(name)
    if (sensitive && !within) {
      const { line, col } = lines.linePos(pair.key.range?.[0] ?? 0)
      found.push({ key, line, column: col })
    }
    // The URL of a vault has its password in it, and counts only in a file of the person's own.
    if (key !== 'vault') visit(pair.value, key, within || sensitive || isFree(key))
  }

  visit(document.contents, '', false)
  return found
}
