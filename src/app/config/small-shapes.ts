// Small shapes of settings: commands, addresses, names of variables, ways to reach a provider.

import { durationIn } from '../../ledger/clock.ts'
import {
  amount,
  choice,
  formed,
  formOf,
  list,
  object,
  record,
  report,
  resolved,
  type Shape,
  text,
  type ValueOf,
} from './yaml-shape.ts'

// Whether an address stays on this machine.

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export const isLoopback = (address: string): boolean =>
  URL.canParse(address) && LOOPBACK.test(new URL(address).hostname)

const TRANSPORTS = ['mcp', 'cli', 'api'] as const
export type SeatTransport = (typeof TRANSPORTS)[number]

const DAY_MS = 86_400_000

/** `60s`, `2m`; a bare number has its own unit, from before durations were supported. */
const lasting = (unitMs: number, bare: Shape<number>): Shape<number> =>
  formed(
    (node, key, reading) => {
      const resolvedNode = resolved(node, reading)
      const value: unknown = reading.yaml.isScalar(resolvedNode) ? resolvedNode.value : null
      if (typeof value !== 'string') return bare(node, key, reading)
      const ms = durationIn(value)
      if (ms !== null && ms >= 1 && ms <= DAY_MS) return ms / unitMs
      return report(reading, node, key, `${key} must be a duration up to a day`, 'Write it as 60s, 2m or 1h.')
    },
    { says: `a duration such as \`60s\` or \`2m\`; or ${formOf(bare).says}` },
  )

/** In milliseconds. */
export const duration = lasting(1, amount({ least: 1, most: DAY_MS, whole: true, of: 'milliseconds' }))
/** In minutes. */
export const minutes = lasting(60_000, amount({ least: 0, of: 'minutes' }))

/** No shell reads a command: each entry is one argument. */
export const argv = list(
  text('an argument of a command', undefined, 'Write a command as a list of words: [name, argument].'),
  { least: 1 },
)

export const variable = text(
  'the name of an environment variable',
  (name) => /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name),
  'Give the name of the variable that holds the key, not the key.',
)

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, search, hash } = new URL(value)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}

export const address = text(
  'an address that begins with http:// or https://, with neither name, password nor query',
  isAddress,
  'Write it as "http://127.0.0.1:11434/v1".',
)

const KEY_ITSELF = /^(api_?key|key|token|access_?token|secret|password|credentials?)$/i

/** The message for someone who wrote a key into a file. */
export const keyBelongsElsewhere = (name: string) =>
  KEY_ITSELF.test(name)
    ? {
        message: `'${name}' has no place here: keys are never read from a file`,
        next:
          'Remove it, and replace that key if others can read this file. ' +
          "Set the vendor's variable, such as ANTHROPIC_API_KEY; or use api_key_env or api_key_command.",
      }
    : null

/** One word, or a list of them. */
export const oneOrMore = <Value>(of: Shape<Value>): Shape<readonly Value[]> =>
  formed(
    (node, key, reading) => {
      if (reading.yaml.isSeq(resolved(node, reading)))
        return list(of, { least: 1, unique: true })(node, key, reading)
      const item = of(node, key, reading)
      return item === undefined ? undefined : [item]
    },
    { says: `${formOf(of).says}; or a list of them` },
  )

export const transports: Shape<'auto' | readonly SeatTransport[]> = formed(
  (node, key, reading) => {
    if (reading.yaml.isSeq(resolved(node, reading)))
      return list(choice(TRANSPORTS), { least: 1, unique: true })(node, key, reading)
    const transport = choice(['auto', ...TRANSPORTS])(node, key, reading)
    return transport === undefined || transport === 'auto' ? transport : [transport]
  },
  { says: '`auto`, or `mcp`, `cli`, `api`, or a list of them in the order to try' },
)

// One MCP server: a program with its arguments, or an address. Both run or contact something, so the code
// that reads these settings has checked that they are trusted.

const anyText = text()
const serverFields = object(
  {
    command: argv,
    env: record(anyText, {
      fit: /^[A-Za-z_][A-Za-z0-9_]*$/,
      next: 'Write it as environment variables are named.',
    }),
    pass: list(variable, { least: 0, unique: true }),
    cwd: text('a folder'),
    url: address,
    headers: record(anyText, {
      fit: /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/,
      next: 'Write it as HTTP headers are named.',
    }),
    start_timeout: duration,
  },
  { stranger: keyBelongsElsewhere },
)

export type ServerSettings = ValueOf<typeof serverFields>

export const serverShape: Shape<ServerSettings> = formed((node, key, reading) => {
  const server = serverFields(node, key, reading)
  if (server === undefined) return undefined
  const [stdio, http] = [server.command !== undefined, server.url !== undefined]
  if (stdio === http && reading.faults.every((fault) => !fault.key.startsWith(`${key}.`)))
    report(
      reading,
      node,
      key,
      `${key} needs either command or url`,
      'Write command: [name, argument], or url: "https://…".',
    )
  const strange = stdio ? (['headers'] as const) : (['env', 'pass', 'cwd'] as const)
  for (const name of stdio === http ? [] : strange)
    if (server[name] !== undefined)
      report(
        reading,
        node,
        `${key}.${name}`,
        `${key}.${name} does not go with ${stdio ? 'command' : 'url'}`,
        'Remove it.',
      )
  if (server.url?.startsWith('http:') && !isLoopback(server.url) && server.headers !== undefined)
    report(reading, node, `${key}.url`, `${key}.url would carry its headers unencrypted`, 'Use https://.')
  return server
}, formOf(serverFields))
