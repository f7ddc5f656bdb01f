// How an observer identifies at a command. Their input needs no further confirmation, except for the
// passphrase of a protected key.

import type { ObserverProof } from '../../../app/exchange/observer-means.ts'
import type { Means } from '../../../ledger/means.ts'
import type { Call } from '../command.ts'
import { askPassphrase, meansHere } from '../terminal.ts'

/** How an observer acts here: asked for the passphrase of their key where it has one. */
export const observerProof = (call: Pick<Call, 'text'>, fallback: () => Means = meansHere): ObserverProof => {
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
