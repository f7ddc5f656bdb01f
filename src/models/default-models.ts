// The model ids and addresses used when the configuration names none: data with a date, because they become
// outdated. The first id of a vendor is its default; the others let one vendor take several seats with
// different models.

/** The supported APIs. */
export type ApiKind = 'anthropic' | 'openai' | 'google' | 'openai-compatible' | 'bedrock'

/** The APIs of one vendor, which has its own address and models. */
export type VendorKind = Exclude<ApiKind, 'openai-compatible' | 'bedrock'>

/** A vendor of models: the default models, its address, its key variables. */
export interface Vendor {
  readonly models: readonly string[]
  readonly baseUrl: string
  /** Environment variables that hold its key, the preferred one first. */
  readonly keys: readonly string[]
}

/** When the ids below were last compared with what the vendors offer. */
export const modelsAsOf = '2026-11-15'

/** Default models, addresses and key variables of the vendors, as of `modelsAsOf`. */
export const vendors: Readonly<Record<VendorKind, Vendor>> = {
  anthropic: {
    models: ['claude-opus-5-5', 'claude-sonnet-5', 'claude-haiku-4-5'],
    baseUrl: 'https://api.anthropic.com/v1',
    keys: ['ANTHROPIC_API_KEY'],
  },
  openai: {
    models: ['gpt-6-sol', 'gpt-5.6-terra', 'gpt-6-luna'],
    baseUrl: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
  },
  google: {
    models: ['gemini-3.8-flash', 'gemini-2.5-pro', 'gemini-3.5-flash-lite'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  },
}

/** Whether a wire belongs to one vendor. */
export const isVendor = (kind: ApiKind): kind is VendorKind => kind in vendors

/** For providers that choose a model by themselves: the name that means this. */
export const routers: ReadonlyMap<string, string> = new Map([['openrouter', 'openrouter/auto']])

/** The API of a provider of this name, unless the configuration gives it an address of its own. */
export const kindOfProvider: Readonly<Record<string, ApiKind>> = {
  claude: 'anthropic',
  anthropic: 'anthropic',
  openai: 'openai',
  gemini: 'google',
  google: 'google',
}
