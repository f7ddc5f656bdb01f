// From the bytes of a YAML file to checked settings, or to everything that is wrong with them.

import type { YAMLError, Document as YamlDocument } from 'yaml'
import { checkServers } from './council-rules.ts'
import { refuse } from './faults.ts'
import { inspect, type SensitiveKey } from './inspect-keys.ts'
import { located } from './relative-paths.ts'
import { type WitanYaml, witanYaml } from './settings.ts'
import { type Reading, report, type Shape } from './yaml-shape.ts'

export interface Read {
  readonly settings: WitanYaml
  /** The keys that count only in a trusted file. */
  readonly sensitive: readonly SensitiveKey[]
}

const SAID: Readonly<Record<string, readonly [message: string, next: string]>> = {
  RESOURCE_EXHAUSTION: ['this is nested too deeply', 'Write it flatter.'],
  TAB_AS_INDENT: ['a tab cannot indent YAML', 'Use spaces.'],
}

function reportSyntax(reading: Reading, error: YAMLError): void {
  const [words = 'it is not YAML'] = error.message.split(/ at line \d|\n/)
  const [message, next] = SAID[error.code] ?? [words, 'Correct this place.']
  report(reading, { range: [error.pos[0]] }, '', message, next)
}

/** A key made of a list, a mapping or an alias could hide its name from whoever looks for it. */
function reportStrangeKeys(reading: Reading): void {
  reading.yaml.visit(reading.document, {
    Pair: (_, { key }) => {
      if (!reading.yaml.isScalar(key)) report(reading, key, '', 'a key must be a plain word', 'Write it out.')
    },
  })
}

function reportTwice(reading: Reading): void {
  reading.yaml.visit(reading.document, {
    Map: (_, { items }) => {
      const names = new Set<unknown>()
      for (const { key } of items) {
        const name = reading.yaml.isScalar(key) ? key.value : key
        if (names.has(name))
          report(reading, key, '', 'this key stands here a second time', 'Remove one of the two.')
        names.add(name)
      }
    },
  })
}

interface DocumentRules<Value> {
  readonly check?: (value: Value, reading: Reading) => void
  readonly empty?: Value
  /** Below which keys a name is no setting, as in the input of a tool. */
  readonly isFree?: (key: string) => boolean
}

interface Document<Value> {
  readonly value: Value
  /** The keys that count only in a trusted file. */
  readonly sensitive: readonly SensitiveKey[]
}

/**
 * Any YAML file of one shape; `check` reports what its entries say together. Throws a SettingsError with all faults.
 * `empty` is what a file without any content says; without it, such a file is read by the shape like any other.
 */
export async function readDocument<Value>(
  file: string,
  bytes: Buffer,
  shape: Shape<Value>,
  { check, empty, isFree }: DocumentRules<Value> = {},
): Promise<Document<Value>> {
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const document: YamlDocument.Parsed = yaml.parseDocument(bytes.toString('utf8'), {
    lineCounter: lines,
    prettyErrors: true,
    // It compares each key with all others; a clone may bring a file of very many.
    uniqueKeys: false,
  })
  const reading: Reading = { yaml, document, lines, faults: [] }
  const syntax = [...document.errors, ...document.warnings]
  for (const error of syntax) reportSyntax(reading, error)
  // Whatever else is wrong with the syntax, the rest cannot be relied on.
  if (syntax.length > 0) throw refuse(file, reading.faults.slice(0, 1))
  reportStrangeKeys(reading)
  if (reading.faults.length > 0) throw refuse(file, reading.faults)
  reportTwice(reading)
  const isEmpty = document.contents === null && empty !== undefined
  const value = isEmpty ? empty : shape(document.contents, '', reading)
  if (value !== undefined) check?.(value, reading)
  const sensitive = inspect(reading, isFree)
  if (reading.faults.length > 0 || value === undefined) throw refuse(file, reading.faults)
  return { value, sensitive }
}

/** Settings. Throws a SettingsError with all faults. */
export async function readYaml(
  file: string,
  bytes: Buffer,
  /** Names of the MCP servers that other files describe; null when they were not read. */
  servers: readonly string[] | null = null,
): Promise<Read> {
  const { value, sensitive } = await readDocument<WitanYaml>(file, bytes, witanYaml, {
    empty: {},
    check(settings, reading) {
      if (servers === null) return
      const described = [...Object.keys(settings.mcp_servers ?? {}), ...servers]
      checkServers(settings.council?.providers ?? [], described, reading)
    },
  })
  return { settings: located(value, file), sensitive }
}
