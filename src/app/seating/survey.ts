// Looks at every way to every provider at once and says of each whether it is ready. A way that does not answer in
// time is not ready; nothing is asked of a model.

import { redact } from '../../models/hide-secrets.ts'
import type { Availability, Model } from '../../models/model.ts'
import type { ProviderSettings } from '../config/provider.ts'
import { knownProvider, LOOKED_FOR } from '../config/providers.ts'
import type { Surroundings } from './environment.ts'
import { secretsIn } from './keys.ts'
import { waysTo } from './transports.ts'

export interface Station {
  readonly provider: ProviderSettings
  readonly mind: Model
  readonly found: Availability
}

/** Vendors' commands can be slow to start when they are cold. */
const LOOK_MS = 10_000

async function look(mind: Model, { signal }: Surroundings): Promise<Availability> {
  const limit = new AbortController()
  const both = AbortSignal.any([signal, limit.signal])
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Availability>((resolve) => {
    const detail = `did not say within ${LOOK_MS / 1000} s whether it is ready`
    timer = setTimeout(() => resolve({ ready: false, detail, next: null }), LOOK_MS)
  })
  try {
    return await Promise.race([mind.available(both), late])
  } catch (error) {
    return { ready: false, detail: error instanceof Error ? error.message : String(error), next: null }
  } finally {
    clearTimeout(timer)
    limit.abort()
  }
}

const sameVendor = (a: string, b: string): boolean =>
  a === b || (knownProvider(a)?.cli != null && knownProvider(a)?.vendor === knownProvider(b)?.vendor)

/** Those that nobody configured and that would be looked for if nobody had configured any. */
export function othersThan(configured: readonly ProviderSettings[]): readonly ProviderSettings[] {
  const rest = LOOKED_FOR.filter((name) => configured.every((one) => !sameVendor(one.name, name)))
  return rest.map((name) => ({ name }))
}

export async function survey(
  providers: readonly ProviderSettings[],
  surroundings: Surroundings,
): Promise<readonly Station[]> {
  const secrets = secretsIn(surroundings)
  const stations = providers.map(async (provider) => {
    const ways = await waysTo(provider, surroundings)
    return Promise.all(
      ways.map(async (mind): Promise<Station> => {
        const { ready, detail, next } = await look(mind, surroundings)
        const clean = { ready, detail: redact(detail, secrets), next: next && redact(next, secrets) }
        return { provider, mind, found: clean }
      }),
    )
  })
  return (await Promise.all(stations)).flat()
}
