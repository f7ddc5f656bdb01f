// Cedar, loaded where a policy is first judged. V8 would optimise its four megabytes of WebAssembly while they run, which
// costs a second of two processors and pays only after thousands of decisions; a session makes a few. The budget that
// puts this off is read when a module is compiled, so every other module is treated as before.

import { setFlagsFromString } from 'node:v8'

export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

const PUT_OFF = 1_000_000_000
/** V8's own. */
const USUAL = 1_800_000

export async function loadCedar(): Promise<Cedar> {
  setFlagsFromString(`--wasm-tiering-budget=${PUT_OFF}`)
  try {
    return await import('@cedar-policy/cedar-wasm/nodejs')
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${USUAL}`)
  }
}
