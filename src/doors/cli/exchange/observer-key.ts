// How an observer shows at a command that it is them. What they type into an exchange is asked about no further, but for
// the passphrase of a key that has one.

import type { Showing } from '../../../app/exchange/observer-means.ts'
import type { Means } from '../../../ledger/means.ts'
import type { Call } from '../command.ts'
import { askPassphrase, meansHere } from '../terminal.ts'

/** By what means an observer acts here: asked for the passphrase of their key where it has one. */
export const keyShowing = (call: Pick<Call, 'text'>, fallback: () => Means = meansHere): Showing => {
  const path = call.text('key')
  return {
    keyFile: path === null ? null : { path, askPassphrase },
    means: async (name, key) => {
      if (!key?.isLocked) return fallback()
      await key.unlock(await askPassphrase(`Passphrase of ${name}: `))
      return key.isSafe ? 'passphrase' : fallback()
    },
  }
}
