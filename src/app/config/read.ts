// Turns the bytes of a YAML file into checked settings, or into all of its faults.

import { dirname, isAbsolute, resolve, sep } from 'node:path'
import type { YAMLError, Document as YamlDocument } from 'yaml'
import { redact } from '../../models/hide-secrets.ts'
import { refuse } from './faults.ts'
import type { ProviderSettings } from './provider.ts'
import { checkServers, type WitanYaml, witanYaml } from './settings.ts'
import type { ServerSettings } from './small-shapes.ts'
import { below, type Reading, report, type Shape } from './yaml-shape.ts'

// Checks every key and value of a file in any section: for keys that only a trusted file may have, and
// for secrets that no file should contain. Names count anywhere, because a section may be read by later
// code; an alias adds nothing that its anchor does not show.

/** Keys that can run code, redirect a key, contact someone or widen access. */
export const SENSITIVE: readonly string[] = [
  ...['vault', 'mcp_servers', 'mcp', 'command', 'executable', 'url', 'env', 'pass', 'cwd', 'headers'],
  ...['base_url', 'api', 'api_key_env', 'api_key_command', 'unconfined', 'roots', 'ca'],
  ...['timestamps', 'witnesses', 'otel'],
]

export interface SensitiveKey {
  readonly key: string
  readonly line: number
  readonly column: number
}

/** A value may name a variable as `${NAME}`, which is not a secret. */
const looksSecret = (value: string): boolean => {
  const rest = value.replace(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, '')
  return redact(rest) !== rest
}

/**
 * Reports secrets; returns the outermost sensitive keys. All keys are known to be plain text. Names below a `free`
 * key are for someone else, who judges them.
 */
function inspect(reading: Reading, isFree: (key: string) => boolean = () => false): readonly SensitiveKey[] {
  const { yaml, document, lines } = reading
  const sensitiveKeys: SensitiveKey[] = []

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
      sensitiveKeys.push({ key, line, column: col })
    }
    // The URL of a store contains its password, and counts only in the person's own file.
    if (key !== 'vault') visit(pair.value, key, within || sensitive || isFree(key))
  }

  visit(document.contents, '', false)
  return sensitiveKeys
}

// Paths in a file are relative to the file, not to the folder where the command was started.

/** A bare name is looked up on the PATH and stays as it is. */
function programFrom(directory: string, program: string): string {
  const isPath = isAbsolute(program) || program.includes('/') || program.includes(sep)
  return isPath ? resolve(directory, program) : program
}

const commandFrom = (directory: string, [program = '', ...args]: readonly string[]): readonly string[] => [
  programFrom(directory, program),
  ...args,
]

const providerFrom = (directory: string, provider: ProviderSettings): ProviderSettings => ({
  ...provider,
  ...(provider.executable && { executable: programFrom(directory, provider.executable) }),
  ...(provider.api_key_command && { api_key_command: commandFrom(directory, provider.api_key_command) }),
})

export const serverFrom = (directory: string, server: ServerSettings): ServerSettings =>
  server.command === undefined
    ? server
    : {
        ...server,
        command: commandFrom(directory, server.command),
        cwd: resolve(directory, server.cwd ?? '.'),
      }

function located(settings: WitanYaml, file: string): WitanYaml {
  const directory = dirname(resolve(file))
  const { council, mcp_servers: servers } = settings
  const entries = Object.entries(servers ?? {}).map(([name, server]) => [name, serverFrom(directory, server)])
  return {
    ...settings,
    ...(council?.providers && {
      council: { ...council, providers: council.providers.map((one) => providerFrom(directory, one)) },
    }),
    ...(servers && { mcp_servers: Object.fromEntries(entries) }),
    ...(settings.ca && { ca: resolve(directory, settings.ca) }),
  }
}

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

/** A list, a mapping or an alias as a key could hide its name from this check. */
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
          report(reading, key, '', 'this key is here a second time', 'Remove one of the two.')
        names.add(name)
      }
    },
  })
}

interface DocumentRules<Value> {
  readonly check?: (value: Value, reading: Reading) => void
  readonly empty?: Value
  /** The keys below which a name is not a setting, as in the input of a tool. */
  readonly isFree?: (key: string) => boolean
}

interface Document<Value> {
  readonly value: Value
  /** The keys that count only in a trusted file. */
  readonly sensitive: readonly SensitiveKey[]
}

const EMPTY_LINE = /^ *(?:#[\t\x20-\x7e\xa0-\ud7ff\ue000-\ufefe]*)?\r?$/

/** Only comments, as in a new home. The parser is forty files, and most of what a first question loads. */
const saysNothing = (text: string): boolean => text.split('\n').every((line) => EMPTY_LINE.test(line))

/**
 * Any YAML file of one shape; `check` reports relations between its entries. Throws a SettingsError with all faults. `empty`
 * is the value of a file without content; without it, such a file is read by the shape like any other.
 */
export async function readDocument<Value>(
  file: string,
  bytes: Buffer,
  shape: Shape<Value>,
  { check, empty, isFree }: DocumentRules<Value> = {},
): Promise<Document<Value>> {
  const text = bytes.toString('utf8')
  if (empty !== undefined && saysNothing(text)) return { value: empty, sensitive: [] }
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const document: YamlDocument.Parsed = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: true,
    // It compares each key with all others; a cloned file may contain very many.
    uniqueKeys: false,
  })
  const reading: Reading = { yaml, document, lines, faults: [] }
  const syntax = [...document.errors, ...document.warnings]
  for (const error of syntax) reportSyntax(reading, error)
  // After a syntax fault the rest is unreliable.
  if (syntax.length > 0) throw refuse(file, reading.faults.slice(0, 1), text)
  reportStrangeKeys(reading)
  if (reading.faults.length > 0) throw refuse(file, reading.faults, text)
  reportTwice(reading)
  const isEmpty = document.contents === null && empty !== undefined
  const value = isEmpty ? empty : shape(document.contents, '', reading)
  if (value !== undefined) check?.(value, reading)
  const sensitive = inspect(reading, isFree)
  if (reading.faults.length > 0 || value === undefined) throw refuse(file, reading.faults, text)
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
