// A path as it may be shown and sent: forward slashes, nothing unseen in it, and no secret. A name is data from
// elsewhere like any other.

import { withoutKnownSecrets } from '../ledger/secrets/remove.ts'

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

export interface ShownPath {
  readonly path: string
  readonly hadSecret: boolean
}

export function shownPath(path: string): ShownPath {
  const { text, removed } = withoutKnownSecrets(path)
  return { path: text.replace(UNSEEN, escaped), hadSecret: removed.length > 0 }
}
