// An act of the observer, proposed: what leads elsewhere is followed there once it is signed.

import type { ExchangeState } from '../../../../exchange/state.ts'
import { type Done, propose } from '../acts/confirm.tsx'
import { go, tracePath } from '../route.ts'

interface More {
  readonly terms?: object
  readonly course?: object
  /** Once it is signed. */
  readonly done?: (done: Done) => void
}

export const observe = (
  trace: string,
  does: string,
  text: string,
  { done = () => undefined, ...more }: More = {},
): Promise<void> =>
  propose(
    `${does}${text === '' ? '' : `: ${text.slice(0, 60)}`}`,
    { act: 'observe', trace, does, text, ...more },
    {
      danger: does === 'halt',
      done: (signed) => {
        if (signed?.into !== undefined) go(tracePath(signed.into))
        if (signed) done(signed)
      },
    },
  )

export interface ActsProps {
  readonly trace: string
  readonly state: ExchangeState
}
