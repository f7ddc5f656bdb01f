// What is wrong with a file of settings: every place at once, each with line, column, key and what would be right.
// No value is repeated that could be a secret.

import { WitanError } from '../../ledger/errors.ts'

export interface SettingFault {
  readonly line: number
  readonly column: number
  /** From the top of the file: `council.providers[0].model`; empty for the file itself. */
  readonly key: string
  readonly message: string
  readonly next: string
}

/** One fault is told as the error itself; several as a list below it. */
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

  /** What stands below the message; nothing when that says it all. */
  get details(): readonly string[] {
    if (this.faults.length < 2) return []
    return this.faults.map((fault) => `${placeOf(this.file, fault)}: ${fault.message}. ${fault.next}`.trim())
  }
}

const placeOf = (file: string, { line, column }: SettingFault): string => `${file}:${line}:${column}`

/** A file of nothing but faults need not be told in full. */
const MOST = 30

export function refuse(file: string, faults: readonly SettingFault[]): SettingsError {
  const sorted = [...faults].sort((a, b) => a.line - b.line || a.column - b.column)
  const more = sorted.length > MOST ? `, of which these are the first ${MOST}` : ''
  return new SettingsError('CONFIG_INVALID', file, sorted.slice(0, MOST), {
    message: `${sorted.length} things are wrong with these settings${more}`,
    next: 'Correct them; nothing was done.',
  })
}
