// The faults of a settings file: all at once, each with line, column, key and the allowed value. No value is
// repeated that could be a secret.

import { WitanError } from '../../ledger/errors.ts'
import { redact } from '../../models/hide-secrets.ts'

export interface SettingFault {
  readonly line: number
  readonly column: number
  /** From the top of the file: `council.providers[0].model`; empty for the file itself. */
  readonly key: string
  readonly message: string
  readonly next: string
  /** For a key that counts only in a trusted file: its value, line by line. */
  readonly value?: readonly string[]
  /** The line of the file, without what looks like a secret. */
  readonly source?: string
}

/** One fault is the error itself; several are listed below it. */
export class SettingsError extends WitanError {
  readonly file: string
  readonly faults: readonly SettingFault[]

  constructor(
    code: 'CONFIG_INVALID' | 'FILE_UNTRUSTED',
    file: string,
    faults: readonly SettingFault[],
    several: { readonly message: string; readonly next: string },
  ) {
    const [first] = faults
    const alone = faults.length === 1 && first !== undefined
    super(
      code,
      alone ? `${placeOf(file, first)}: ${first.message}` : `${file}: ${several.message}`,
      alone ? first.next : several.next,
    )
    this.file = file
    this.faults = faults
  }

  /** What is shown below the message; nothing when the message says it all. */
  get details(): readonly string[] {
    const [first] = this.faults
    if (first && this.faults.length === 1) return sourceLines(first)
    return this.faults.flatMap((fault) => [
      `${placeOf(this.file, fault)}: ${fault.message}. ${fault.next}`.trim(),
      ...sourceLines(fault),
    ])
  }
}

const WIDEST = 60

/** The line with a caret below the place; a long line is cut around it. */
function sourceLines({ source, column }: SettingFault): readonly string[] {
  if (source === undefined) return []
  const from = Math.max(0, column - 1 - Math.floor(WIDEST / 2))
  const part = source.slice(from, from + WIDEST).replaceAll('\t', ' ')
  return [`| ${part}`, `| ${' '.repeat(column - 1 - from)}^`]
}

const placeOf = (file: string, { line, column }: SettingFault): string => `${file}:${line}:${column}`

const MAY_HOLD_SECRETS = /\b(?:env|headers|vault|postgres|pass\w*|token|secret|\w*key\w*)\b/i

/** Nothing of a line that may hold a secret is repeated. */
const sourceOf = (line = '', key: string): { readonly source?: string } =>
  line.trim() === '' || MAY_HOLD_SECRETS.test(`${key} ${line}`) || redact(line) !== line
    ? {}
    : { source: line }

const MOST_SHOWN = 8

/** The value of a key: its lines, without what looks like a secret. */
export function setTo(text: string, { line }: Pick<SettingFault, 'line'>): readonly string[] {
  const [first = '', ...rest] = text.split(/\r?\n/).slice(line - 1)
  const depth = /^[\s-]*/.exec(first)?.[0].length ?? 0
  const end = rest.findIndex((one) => one.trim() !== '' && (/^\s*/.exec(one)?.[0].length ?? 0) <= depth)
  const own = [first, ...(end < 0 ? rest : rest.slice(0, end))].filter((one) => one.trim() !== '')
  const more = own.length > MOST_SHOWN ? [`… and ${own.length - MOST_SHOWN} more lines`] : []
  return [...own.slice(0, MOST_SHOWN).map((one) => redact(one)), ...more]
}

/** A fault at the end of a file is shown after its last line, since there is nothing to point at. */
function atLastLine(lines: readonly string[], fault: SettingFault): SettingFault {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  if (last < 0 || fault.line - 1 <= last) return fault
  return { ...fault, line: last + 1, column: (lines[last] ?? '').trimEnd().length + 1 }
}

/** A file full of faults need not be reported completely. */
const MOST = 30

/** `text`: the content of the file, so that the places can be shown. */
export function refuse(file: string, faults: readonly SettingFault[], text = ''): SettingsError {
  const lines = text.split(/\r?\n/)
  const sorted = faults
    .map((fault) => atLastLine(lines, fault))
    .map((fault) => ({ ...fault, ...sourceOf(lines[fault.line - 1], fault.key) }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
  const more = sorted.length > MOST ? `, of which these are the first ${MOST}` : ''
  return new SettingsError('CONFIG_INVALID', file, sorted.slice(0, MOST), {
    message: `${sorted.length} things are wrong with these settings${more}`,
    next: 'Correct them; nothing was done.',
  })
}
