// All that seating depends on besides the settings themselves, so that a test can give it another world.

import type { Settings } from '../config/config.ts'

export interface Surroundings {
  readonly settings: Pick<Settings, 'council' | 'mcpServers'>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly fetch?: typeof fetch
}
