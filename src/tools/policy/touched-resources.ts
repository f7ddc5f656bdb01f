// What a call accesses, in the terms of the policies' schema: paths within their folders, hosts within their
// domains, so that a policy can name a whole folder or domain.

import type { EntityJson, TypeAndId } from '@cedar-policy/cedar-wasm/nodejs'
import type { Facts } from './risk.ts'
import type { Touched } from './touched.ts'

export interface Resource {
  readonly uid: TypeAndId
  readonly attrs: { readonly [name: string]: boolean | number }
  /** From the nearest to the farthest. */
  readonly holders: readonly TypeAndId[]
}

/** `a/b/c` has the parents `a/b` and `a`; `x.y.z` has `x.y.z`, `y.z` and `z`. */
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

/** At least one: a call without known resources is judged as its tool. */
export function resourcesOf(facts: Facts): readonly Resource[] {
  const resources = facts.touched.map(resourceOf)
  return resources.length > 0
    ? resources
    : [{ uid: { type: 'Witan::Tool', id: facts.tool }, attrs: {}, holders: [] }]
}

/** The resource and all its parents, each in the next. */
export function entitiesOf({ uid, attrs, holders }: Resource): EntityJson[] {
  const chain = [{ uid, attrs }, ...holders.map((holder) => ({ uid: holder, attrs: {} }))]
  return chain.map((resource, at) => {
    const next = chain[at + 1]
    return { ...resource, parents: next === undefined ? [] : [next.uid] }
  })
}
