// Policies as texts: read, named and checked before any of them decides. A file that cannot be parsed, or
// uses what a call does not have, is refused with its line: a policy that silently never matches gives no
// protection.

import { readFile } from 'node:fs/promises'
import type { DetailedError } from '@cedar-policy/cedar-wasm/nodejs'
import type { Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Cedar } from './cedar.ts'

/** A policy as text, with its name for display and the record. */
export interface PolicyFile {
  /** As shown and recorded: the name of a profile or a file. */
  readonly name: string
  readonly text: string
}

/** The policies that are shipped. */
export const PROFILES = ['strict', 'default', 'lenient'] as const
/** The name of a policy that is shipped. */
export type Profile = (typeof PROFILES)[number]
/** Whether a policy of this name is shipped. */
export const isProfile = (name: string): name is Profile => PROFILES.some((profile) => profile === name)
/** The text of a shipped policy. */
export async function profileFile(profile: Profile): Promise<PolicyFile> {
  const text = await readFile(new URL(`./profiles/${profile}.cedar`, import.meta.url), 'utf8')
  return { name: profile, text }
}

export const schemaText = (): Promise<string> =>
  readFile(new URL('./schema.cedarschema', import.meta.url), 'utf8')
/** Cedar counts bytes. */
function lineOf(text: string, offset: number): number {
  return Buffer.from(text, 'utf8').subarray(0, offset).toString('utf8').split('\n').length
}

function invalid(file: PolicyFile, error: DetailedError): WitanError {
  const at = error.sourceLocations?.[0]
  const place = at === undefined ? file.name : `${file.name}:${lineOf(file.text, at.start)}`
  const label = at?.label === null || at?.label === undefined ? '' : ` (${at.label})`
  const message = error.message
    .replace(/for policy `policy\d+`, /, '')
    .replace(/^failed to parse policies from string: /, '')
  return new WitanError(
    'CONFIG_INVALID',
    `The policy ${place} cannot be used: ${message}${label}.`,
    error.help === null ? 'Correct the policy file.' : `Correct the policy file: ${error.help}.`,
  )
}
const fault = (file: PolicyFile, message: string): WitanError =>
  new WitanError(
    'CONFIG_INVALID',
    `The policy ${file.name} cannot be used: ${message}.`,
    'Correct the policy file.',
  )
/** The policies of a file by their ids: `<file>#<@id>`, or their number where they have none. Throws CONFIG_INVALID. */
export function policiesIn(
  cedar: Cedar,
  schema: string,
  file: PolicyFile,
): Record<string, { readonly text: string; readonly json: Json }> {
  const parsed = cedar.checkParsePolicySet({ staticPolicies: file.text })
  const parts = cedar.policySetTextToParts(file.text)
  if (parts.type === 'success' && parts.policy_templates.length > 0) throw fault(file, 'it holds a template')
  for (const answer of [parsed, parts]) {
    const [error] = answer.type === 'failure' ? answer.errors : []
    if (error !== undefined) throw invalid(file, error)
  }
  const checked = cedar.validate({ schema, policies: { staticPolicies: file.text } })
  const [wrong] =
    checked.type === 'failure' ? checked.errors : checked.validationErrors.map((one) => one.error)
  if (wrong !== undefined) throw invalid(file, wrong)
  const byId: Record<string, { readonly text: string; readonly json: Json }> = {}
  const policies = parts.type === 'success' ? parts.policies : []
  if (policies.length === 0) throw fault(file, 'it holds no policy')
  for (const [at, text] of policies.entries()) {
    const read = cedar.policyToJson(text)
    const statedId = read.type === 'success' ? read.json.annotations?.id : undefined
    const json: Json = read.type === 'success' ? JSON.parse(JSON.stringify(read.json)) : null
    const id = `${file.name}#${statedId ?? at + 1}`
    if (Object.hasOwn(byId, id)) throw fault(file, `two policies have the id ${statedId}`)
    byId[id] = { text, json }
  }
  return byId
}
