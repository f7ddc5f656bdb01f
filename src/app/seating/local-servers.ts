// Finds model servers on this machine at the places where they listen by custom, and nowhere else. What answers there
// counts as one only if it lists models, because anything may listen on a port.

import { listModels } from '../../models/api/listing.ts'
import { isLoopback } from '../config/loopback-address.ts'
import type { Surroundings } from './environment.ts'

export interface Found {
  readonly address: string
  readonly models: readonly string[]
}

const PROBE_MS = 800
const FAR_MS = 5_000
const OLLAMA_PORT = ':11434/'

/** Ollama's own variable moves it to another port; only on this machine, since it names no key and asks nobody. */
export function addressesOf(addresses: readonly string[], env: Surroundings['env']): readonly string[] {
  const host = env.OLLAMA_HOST?.trim()
  if (!host) return addresses
  const url = `${/^https?:\/\//.test(host) ? host : `http://${host}`}`.replace(/\/+$/, '')
  const moved = /:\d+$/.test(url) ? `${url}/v1` : `${url}:11434/v1`
  return isLoopback(moved) ? addresses.map((one) => (one.includes(OLLAMA_PORT) ? moved : one)) : addresses
}

/** Models that turn text into vectors answer no question. */
const answers = (model: string): boolean => !/embed|bge-|minilm|rerank/i.test(model)

/** The first that lists models, or null. */
export async function findServer(
  addresses: readonly string[],
  key: string | null,
  { signal, fetch: inner }: Pick<Surroundings, 'signal' | 'fetch'>,
): Promise<Found | null> {
  const tries = addresses.map(async (address): Promise<Found | null> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(isLoopback(address) ? PROBE_MS : FAR_MS)])
    try {
      const listing = { kind: 'openai-compatible', baseUrl: address, key, signal: limit } as const
      const listed = await listModels({ ...listing, ...(inner && { fetch: inner }) })
      const models = listed.filter(answers)
      return models.length > 0 ? { address, models } : null
    } catch {
      // Nobody there, or something that is no model server; which, does not matter.
      return null
    }
  })
  return (await Promise.all(tries)).find((found) => found !== null) ?? null
}
