// Cedar, loaded where a policy is first judged. V8 would optimise its four megabytes of WebAssembly while they run, which
// costs a second of two processors and pays only after thousands of decisions; a session makes a few. The budget that
// puts this off belongs to the whole process and is read when a module is compiled. So only a process of our own
// changes it, for this one module; a library leaves its host's settings alone.

import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import type { DetailedError, EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'
import { WitanError } from '../../ledger/errors.ts'
import type { Facts, Touched } from './risk.ts'

export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

const PUT_OFF = 1_000_000_000

/** V8's own budget in Node 20, 22 and 24; null where nobody has looked whether there is one. */
function usualBudget(): number | null {
  const major = Number.parseInt(process.versions.v8, 10)
  if (major > 13) return null
  return major < 12 ? 1_800_000 : 13_000_000
}

export const loadCedar = (): Promise<Cedar> => import('@cedar-policy/cedar-wasm/nodejs')

/** For commands and servers: loads Cedar for a few decisions. */
export async function loadCedarForFew(): Promise<void> {
  const usual = usualBudget()
  if (usual === null) return
  setFlagsFromString(`--wasm-tiering-budget=${PUT_OFF}`)
  try {
    await loadCedar()
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${usual}`)
  }
}

// What a call touches, in the words of the policies' schema: paths within their folders, hosts within their domains,
// so that a policy can name a whole folder or domain.

export interface Resource {
  readonly uid: TypeAndId
  readonly attrs: EntityJson['attrs']
  /** From the nearest to the farthest. */
  readonly holders: readonly TypeAndId[]
}

/** `a/b/c` is held by `a/b` and `a`; `x.y.z` by `x.y.z`, `y.z` and `z`. */
function holdersOf(touched: Touched): TypeAndId[] {
  if (touched.kind === 'path') {
    const steps = touched.id.split('/')
    const folders = steps.map((_, at) => steps.slice(0, steps.length - at).join('/')).slice(1)
    return folders.filter((id) => id !== '').map((id) => ({ type: 'Witan::Folder', id }))
  }
  if (touched.kind !== 'host') return []
  const names = touched.id.split('.')
  return names.map((_, at) => ({ type: 'Witan::Domain', id: names.slice(at).join('.') }))
}

function resourceOf(touched: Touched): Resource {
  const holders = holdersOf(touched)
  switch (touched.kind) {
    case 'path':
      return {
        uid: { type: 'Witan::Path', id: touched.id },
        attrs: { inside_workspace: touched.inside },
        holders,
      }
    case 'host':
      return {
        uid: { type: 'Witan::Host', id: touched.id },
        attrs: { port: touched.port, private: touched.private },
        holders,
      }
    case 'command':
      return { uid: { type: 'Witan::Command', id: touched.id }, attrs: {}, holders }
  }
}

/** At least one: a call that touches nothing known is judged as its tool. */
export function resourcesOf(facts: Facts): readonly Resource[] {
  const found = facts.touched.map(resourceOf)
  return found.length > 0 ? found : [{ uid: { type: 'Witan::Tool', id: facts.tool }, attrs: {}, holders: [] }]
}

/** The resource and all that holds it, each held by the next. */
export function entitiesOf({ uid, attrs, holders }: Resource): EntityJson[] {
  const chain = [{ uid, attrs }, ...holders.map((holder) => ({ uid: holder, attrs: {} }))]
  return chain.map((one, at) => {
    const next = chain[at + 1]
    return { ...one, parents: next === undefined ? [] : [next.uid] }
  })
}

// Policies as texts: read, named and checked before any of them decides. A file that cannot be parsed, or speaks of
// what a call does not have, is refused with its line: a policy that silently never fits protects nobody.

/** A policy as text, with the name it is shown and recorded under. */
export interface PolicyFile {
  /** As shown and recorded: a profile's name or a file's. */
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
export function policiesIn(cedar: Cedar, schema: string, file: PolicyFile): Record<string, string> {
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
  const found: Record<string, string> = {}
  const policies = parts.type === 'success' ? parts.policies : []
  if (policies.length === 0) throw fault(file, 'it holds no policy')
  for (const [at, text] of policies.entries()) {
    const read = cedar.policyToJson(text)
    const given = read.type === 'success' ? read.json.annotations?.id : undefined
    const id = `${file.name}#${given ?? at + 1}`
    if (Object.hasOwn(found, id)) throw fault(file, `two policies have the id ${given}`)
    found[id] = text
  }
  return found
}
