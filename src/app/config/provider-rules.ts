// What the entries of one provider say together: that it can be reached as the settings want it to be, and that no
// key travels unencrypted.

import { isLoopback } from './loopback-address.ts'
import { nearest } from './nearest-word.ts'
import { knownProvider, PROVIDERS } from './providers.ts'
import { type Reading, report } from './yaml-shape.ts'

/** What of a provider these rules look at. */
interface Given {
  readonly name: string
  readonly transport?: 'auto' | readonly string[]
  readonly base_url?: string
  readonly api_key_env?: string
  readonly api_key_command?: readonly string[]
  readonly executable?: string
  readonly mcp?: object
}

/** The ways in which this provider can be reached at all. */
function waysTo({ name, base_url, mcp }: Given): readonly string[] {
  const known = knownProvider(name)
  const named = known !== null || base_url !== undefined
  return [...(mcp ? ['mcp'] : []), ...(known?.cli ? ['cli'] : []), ...(named ? ['api'] : [])]
}

export function checkProvider(given: Given, node: unknown, key: string, reading: Reading): void {
  const { name, transport, base_url, api_key_env, api_key_command, executable } = given
  const fault = (field: string, message: string, next: string): void =>
    void report(reading, fieldOf(node, field, reading), `${key}.${field}`, message, next)
  const ways = waysTo(given)
  if (ways.length === 0) {
    const names = Object.keys(PROVIDERS)
    const meant = nearest(name, names)
    const hint = meant ? `Did you mean '${meant}'? ` : ''
    fault(
      'name',
      `'${name}' is not known by name`,
      `${hint}Known are: ${names.join(', ')}; any other needs base_url or mcp.`,
    )
  }
  for (const way of ways.length === 0 || transport === undefined || transport === 'auto' ? [] : transport) {
    if (ways.includes(way)) continue
    const next =
      way === 'mcp' ? 'Add mcp: with server, tool and arguments.' : `It is reached by: ${ways.join(', ')}.`
    fault('transport', `${name} cannot be reached by ${way}`, next)
  }
  if (api_key_env !== undefined && api_key_command !== undefined)
    fault('api_key_command', `${key} has two sources of its key`, 'Keep api_key_env or api_key_command.')
  if (executable !== undefined && !ways.includes('cli'))
    fault('executable', `${name} has no command of its own`, 'Remove executable.')
  const keyed = [api_key_env, api_key_command].some((source) => source !== undefined)
  if (base_url?.startsWith('http:') && !isLoopback(base_url) && keyed)
    fault(
      'base_url',
      `${key}.base_url would carry a key unencrypted`,
      'Use https://, or an address on this machine.',
    )
}

/** Where the value of a field stands, or the whole when it is not there. */
function fieldOf(node: unknown, field: string, reading: Reading): unknown {
  if (!reading.yaml.isMap(node)) return node
  return node.get(field, true) ?? node
}
