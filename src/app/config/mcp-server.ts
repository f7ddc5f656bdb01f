// One MCP server: a program with its arguments, or an address. Either runs or reaches something, so whoever reads these
// settings has made sure that they may be followed.

import { isLoopback } from './loopback-address.ts'
import { formed, formOf } from './shape-description.ts'
import { address, argv, keyBelongsElsewhere, milliseconds, variable } from './small-shapes.ts'
import { list, object, record, report, type Shape, text, type ValueOf } from './yaml-shape.ts'

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
    start_timeout: milliseconds,
  },
  { stranger: keyBelongsElsewhere },
)

export type ServerSettings = ValueOf<typeof serverFields>

export const serverShape: Shape<ServerSettings> = formed((node, key, reading) => {
  const given = serverFields(node, key, reading)
  if (given === undefined) return undefined
  const [stdio, http] = [given.command !== undefined, given.url !== undefined]
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
    if (given[name] !== undefined)
      report(
        reading,
        node,
        `${key}.${name}`,
        `${key}.${name} does not go with ${stdio ? 'command' : 'url'}`,
        'Remove it.',
      )
  if (given.url?.startsWith('http:') && !isLoopback(given.url) && given.headers !== undefined)
    report(reading, node, `${key}.url`, `${key}.url would carry its headers unencrypted`, 'Use https://.')
  return given
}, formOf(serverFields))
