// Settings in YAML, checked before anything acts on them. An error names file, line, column and key, and what would
// be allowed. What could make this machine run a command or talk to someone counts only from the home's own file or
// from one whose present bytes were trusted: a project's file may have come with a clone.

import { access } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Document, LineCounter, Node, Pair, YAMLMap } from 'yaml'
import { WitanError } from '../ledger/errors.ts'
import { readSmallFile } from './file.ts'
import { nearest } from './nearest.ts'
import { isTrusted } from './trusted.ts'

export interface Config {
  readonly file: string
  /** Where ledgers rest, when not in a file of the home. */
  readonly postgres: string | null
  /** The sections as they stand, for the protocols that own them. */
  readonly sections: Readonly<Record<string, unknown>>
}

const SECTIONS = ['council', 'mcp_servers', 'agents', 'exchange', 'vault']
const SENSITIVE = ['vault', 'mcp_servers', 'base_url', 'command', 'unconfined']

/** The nearest `witan.yaml` from this directory upward. */
export async function findConfig(from: string): Promise<string | null> {
  for (let directory = resolve(from); ; directory = dirname(directory)) {
    const file = join(directory, 'witan.yaml')
    const found = await access(file).then(
      () => true,
      () => false,
    )
    if (found) return file
    if (dirname(directory) === directory) return null
  }
}

interface Reading {
  readonly file: string
  readonly lines: LineCounter
  readonly yaml: typeof import('yaml')
}

function invalid({ file, lines }: Reading, offset: number, message: string, next: string): WitanError {
  const { line, col } = lines.linePos(offset)
  return new WitanError('CONFIG_INVALID', `${file}:${line}:${col}: ${message}`, next)
}

const offsetOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0

function refuseSyntax(reading: Reading, document: Document.Parsed): void {
  const [error] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0])
  if (!error) return
  const [message = 'it is not YAML'] = error.message.split(/ at line \d|\n/)
  const tab = error.code === 'TAB_AS_INDENT' ? 'a tab cannot indent YAML' : null
  const twice = error.code === 'DUPLICATE_KEY' ? 'this key stands here a second time' : null
  const next = tab ? 'Use spaces.' : twice ? 'Remove one of the two.' : 'Correct this place.'
  throw invalid(reading, error.pos[0], tab ?? twice ?? message, next)
}

function entriesOf(reading: Reading, node: unknown, key: string): readonly Pair<Node, unknown>[] {
  if (reading.yaml.isMap(node)) return (node as YAMLMap<Node, unknown>).items
  throw invalid(
    reading,
    offsetOf(node),
    `${key} must be a mapping of names to values`,
    `Write ${key}: and its entries indented below, or {}.`,
  )
}

function nameOf(reading: Reading, pair: Pair<Node, unknown>, allowed: readonly string[]): string {
  const name = reading.yaml.isScalar(pair.key) ? String(pair.key.value) : ''
  if (allowed.includes(name)) return name
  const meant = nearest(name, allowed)
  throw invalid(
    reading,
    offsetOf(pair.key),
    `unknown key '${name}'`,
    `${meant ? `Did you mean '${meant}'? ` : ''}Allowed here: ${allowed.join(', ')}.`,
  )
}

function postgresUrl(reading: Reading, section: unknown): string | null {
  let url: string | null = null
  for (const pair of entriesOf(reading, section, 'vault')) {
    nameOf(reading, pair, ['postgres'])
    const value = reading.yaml.isScalar(pair.value) ? pair.value.value : null
    // The value is not repeated in the message: it may hold a password.
    if (typeof value !== 'string' || !/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value)) {
      throw invalid(
        reading,
        offsetOf(pair.value ?? pair.key),
        'vault.postgres is not a PostgreSQL URL',
        'Write it as postgres://user:password@host/database.',
      )
    }
    url = value
  }
  return url
}

/** The first key, at any depth, that only a trusted file may have. */
function sensitiveKey(reading: Reading, root: Document.Parsed): Pair<Node, unknown> | null {
  let found: Pair<Node, unknown> | null = null
  reading.yaml.visit(root, {
    Pair(_, pair) {
      if (!reading.yaml.isScalar(pair.key) || !SENSITIVE.includes(String(pair.key.value))) return undefined
      found = pair as Pair<Node, unknown>
      return reading.yaml.visit.BREAK
    },
  })
  return found
}

export async function readConfig(file: string, home: string): Promise<Config> {
  const bytes = await readSmallFile(file)
  const yaml = await import('yaml')
  const reading: Reading = { file, yaml, lines: new yaml.LineCounter() }
  const document = yaml.parseDocument(bytes.toString('utf8'), {
    lineCounter: reading.lines,
    prettyErrors: true,
  })
  refuseSyntax(reading, document)
  let postgres: string | null = null
  const pairs = document.contents === null ? [] : entriesOf(reading, document.contents, 'the file')
  for (const pair of pairs) {
    const name = nameOf(reading, pair, SECTIONS)
    if (name === 'vault') postgres = postgresUrl(reading, pair.value)
    else entriesOf(reading, pair.value, name)
  }
  const sensitive =
    resolve(file) === join(resolve(home), 'config.yaml') ? null : sensitiveKey(reading, document)
  if (sensitive && !(await isTrusted(home, file, bytes))) {
    const { line, col } = reading.lines.linePos(offsetOf(sensitive.key))
    throw new WitanError(
      'FILE_UNTRUSTED',
      `${file}:${line}:${col}: '${String(sensitive.key)}' counts only in a file that you trusted`,
      `Read the file, then run \`witan trust ${file}\`; or set it in ${join(home, 'config.yaml')}.`,
    )
  }
  return { file, postgres, sections: (document.toJS() ?? {}) as Record<string, unknown> }
}
