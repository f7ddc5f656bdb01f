// The encoder that turns this home's messages into vectors, with its cache in the home.

import { join } from 'node:path'
import type { CachedSense } from '../../senses/cache.ts'

export async function openSense(home: string): Promise<CachedSense> {
  const [{ openEmbeddedSense }, { cached }] = await Promise.all([
    import('../../senses/embedded.ts'),
    import('../../senses/cache.ts'),
  ])
  return cached(openEmbeddedSense(), join(home, 'vectors'))
}
