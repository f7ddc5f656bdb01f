// Terms of an exchange from a file. Faults are reported with line, column and key; terms that a policy would
// branch to are in files beside it, never elsewhere.

import { basename, dirname, join } from 'node:path'
import { readTerms, type Terms } from '../../exchange/terms.ts'
import { WitanError } from '../../ledger/errors.ts'
import { readDocument } from '../config/read.ts'
import { mapping, type Reading, report } from '../config/yaml-shape.ts'
import { readSmallFile } from '../home/files.ts'
import { personName } from '../home/signers.ts'
import { type Typed, withoutTypedSecrets } from '../person.ts'
import { demoTerms } from './demo-minds.ts'

type Parsed = Readonly<Record<string, unknown>>

const keyIn = (problem: string): string => /^[a-z_]+(\.[a-z_]+)*/.exec(problem)?.[0] ?? ''

/** The deepest place of the file that the words name; its beginning when they name none. */
function placeOf(key: string, { document }: Reading): unknown {
  for (let path = key.split('.'); path.length > 0; path = path.slice(0, -1)) {
    const node = document.getIn(path, true)
    if (node !== undefined) return node
  }
  return document.contents
}

const branchOf = (parsed: Parsed): string | null => {
  const policy = (parsed.restart as { policy?: { branch?: unknown } } | undefined)?.policy
  return typeof policy?.branch === 'string' ? policy.branch : null
}

async function parse(file: string, check: (value: Parsed, reading: Reading) => void): Promise<Parsed> {
  const { value } = await readDocument<Parsed>(file, await readSmallFile(file), mapping, { check })
  return value
}

/** The terms that a policy would branch to, as parsed; they are checked together with those that name them. */
async function branchTerms(file: string, named: string): Promise<ReadonlyMap<string, unknown>> {
  return new Map([[named, await parse(join(dirname(file), named), () => undefined)]])
}

export async function readTermsFile(file: string, { chat = false } = {}): Promise<Terms> {
  const named = branchOf(await parse(file, () => undefined))
  const isBeside = named !== null && named === basename(named)
  const branches = isBeside ? await branchTerms(file, named) : new Map<string, unknown>()
  const sound: Terms[] = []
  await parse(file, (value, reading) => {
    if (named !== null && !isBeside) {
      const key = 'restart.policy.branch'
      report(reading, placeOf(key, reading), key, `${key} names no file beside this one`, 'Put it there.')
      return
    }
    const terms = readTerms(value, { chat, branches })
    if (typeof terms !== 'string') {
      sound.push(terms)
      return
    }
    const key = keyIn(terms)
    report(reading, placeOf(key, reading), key, terms, 'See spec/exchange.md for what terms may say.')
  })
  const [terms] = sound
  if (terms) return terms
  throw new WitanError(
    'CONFIG_INVALID',
    `${file} holds no terms`,
    'See spec/exchange.md for what terms may say.',
  )
}

/** The beginning of an exchange: the terms of a file, those of a demonstration, or a file's with prepared minds. */
export interface TermsWanted {
  readonly file: string | null
  readonly demo: boolean
  /** Its observer answers audits while it runs. */
  readonly chat: boolean
  readonly auditEvery: number | null
  readonly observer: string | null
}

/** Cleaned of secrets, since terms are recorded and sent. */
export async function termsFor(wanted: TermsWanted): Promise<Typed<Terms>> {
  const { file, demo, chat, auditEvery, observer } = wanted
  const read = file === null ? null : await withoutTypedSecrets(await readTermsFile(file, { chat }))
  const terms = demo || !read ? demoTerms(read?.value ?? null, observer ?? personName()) : read.value
  const auditor = { ...terms.auditor, ...(auditEvery !== null && { every: auditEvery }) }
  return { value: { ...terms, auditor }, removed: read?.removed ?? 0 }
}
