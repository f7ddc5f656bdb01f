// The price of a call, from its tokens and price data that comes with the package: no network, and null
// whenever the tokens, the vendor or the exact model are unknown. A price of a similar model would be a
// guess.

import type { MatchLogic } from '@pydantic/genai-prices'
import type { Reply, Usage } from './model.ts'

/** Which price list to use: a vendor's own, or that of the server at an address. */
export type Seller =
  | { readonly vendor: 'anthropic' | 'openai' | 'google' | 'aws' }
  | { readonly baseUrl: string }

/** Tokens that a vendor bills at other rates, all of them part of the input. */
export interface CachedTokens {
  readonly read: number
  readonly written: number
}

const UNKNOWN_TOKENS = { input_tokens: 1, output_tokens: 1 }

/** How many tokens the model reads and writes in one call, by the price list that is shipped; null where it does not say. */
export async function findContextWindow(seller: Seller, model: string | null): Promise<number | null> {
  if (model === null) return null
  const { calcPrice } = await import('@pydantic/genai-prices')
  const where = 'vendor' in seller ? { providerId: seller.vendor } : { providerApiUrl: seller.baseUrl }
  const price = calcPrice(UNKNOWN_TOKENS, model, where)
  return price !== null && isOf(price.model, model) ? (price.model.context_window ?? null) : null
}

const undated = (id: string): string => id.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')

/** The data also matches by prefix, so that a newer model would get an older one's price. */
function names(match: MatchLogic, id: string): boolean {
  if ('equals' in match) return match.equals === id
  if ('or' in match) return match.or.some((one) => names(one, id))
  return false
}

const isOf = (priced: { readonly id: string; readonly match: MatchLogic }, model: string): boolean =>
  undated(priced.id) === undated(model) || names(priced.match, model)

/** Sellers and models without a price: local servers are asked often, and searching all prices takes time. */
const unpriced = new Set<string>()
/** A server may name another model in each reply. */
const MOST_UNPRICED = 1_000

/** What a call cost by the price list that is shipped; null where it does not know the model. */
export async function priceOf(
  seller: Seller,
  model: string | null,
  usage: Usage,
  cached: CachedTokens = { read: 0, written: 0 },
  at: Date = new Date(),
): Promise<Reply['cost']> {
  const { inputTokens, outputTokens } = usage
  if (model === null || inputTokens === null || outputTokens === null) return null
  const name = JSON.stringify([seller, model])
  if (unpriced.has(name)) return null
  const { calcPrice } = await import('@pydantic/genai-prices')
  const tokens = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(cached.read > 0 ? { cache_read_tokens: cached.read } : {}),
    ...(cached.written > 0 ? { cache_write_tokens: cached.written } : {}),
  }
  const where = 'vendor' in seller ? { providerId: seller.vendor } : { providerApiUrl: seller.baseUrl }
  const price = calcPrice(tokens, model, { ...where, timestamp: at })
  if (price === null) {
    if (unpriced.size >= MOST_UNPRICED) unpriced.clear()
    unpriced.add(name)
    return null
  }
  return isOf(price.model, model) && Number.isFinite(price.total_price)
    ? { usd: price.total_price, from: 'prices' }
    : null
}
