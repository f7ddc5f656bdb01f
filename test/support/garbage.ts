import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects garbage again and again until the returned function is called, so that what nothing holds is really lost. */
export function collectGarbage(everyMs = 20): () => void {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const timer = setInterval(collect, everyMs)
  return () => clearInterval(timer)
}
