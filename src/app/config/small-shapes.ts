// The smaller shapes that settings are made of: commands, addresses, names of variables, ways to reach a provider.

import { formed, formOf } from './shape-description.ts'
import { amount, choice, list, resolved, type Shape, text } from './yaml-shape.ts'

const TRANSPORTS = ['mcp', 'cli', 'api'] as const
export type SeatTransport = (typeof TRANSPORTS)[number]

export const milliseconds = amount({ least: 1, most: 86_400_000, whole: true, of: 'milliseconds' })

/** No shell reads a command: each word is one argument. */
export const argv = list(
  text('a word of a command', undefined, 'Write a command as a list of words: [name, argument].'),
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

/** What to say to someone who wrote a key into a file. */
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
      const one = of(node, key, reading)
      return one === undefined ? undefined : [one]
    },
    { says: `${formOf(of).says}; or a list of them` },
  )

export const transports: Shape<'auto' | readonly SeatTransport[]> = formed(
  (node, key, reading) => {
    if (reading.yaml.isSeq(resolved(node, reading)))
      return list(choice(TRANSPORTS), { least: 1, unique: true })(node, key, reading)
    const one = choice(['auto', ...TRANSPORTS])(node, key, reading)
    return one === undefined || one === 'auto' ? one : [one]
  },
  { says: '`auto`, or `mcp`, `cli`, `api`, or a list of them in the order to try' },
)
