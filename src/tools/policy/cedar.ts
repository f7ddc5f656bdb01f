// Cedar, loaded when a policy is first judged. V8 would optimise its four megabytes of WebAssembly while they
// run, which costs a second of two processors and pays off only after thousands of decisions; a session makes
// a few. The budget that delays this applies to the whole process and is read when a module is compiled. So
// only our own processes change it, for this one module; a library does not change its host's settings.

import { setFlagsFromString } from 'node:v8'

export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

const PUT_OFF = 1_000_000_000

/** V8's own budget in Node 20, 22 and 24; null for an unknown version. */
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
