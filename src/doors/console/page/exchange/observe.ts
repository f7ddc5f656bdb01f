// A proposed act of the observer: if it continues in another trace, the page goes there once it is signed.

import type { ExchangeState } from '../../../../exchange/state.ts'
import { type ConfirmedAct, propose } from '../acts/confirm.tsx'
import { clip } from '../elements/text.tsx'
import { navigate, tracePath } from '../route.ts'

interface ObserveOptions {
  readonly terms?: object
  readonly course?: object
  /** What it is about, where its own text is a name. */
  readonly about?: string
  /** Once it is signed. */
  readonly done?: (done: ConfirmedAct) => void
}

const TITLES = {
  say: 'Say to the pool',
  pass: 'Pass over the audit',
  inject: 'Inject into the pool',
  pin: 'Pin the message',
  unpin: 'Unpin the message',
  pause: 'Pause',
  acknowledge: 'Acknowledge the signal',
  halt: 'Halt for good',
  grant: 'Let it think for more rounds',
  amend: 'Amend the terms',
  branch: 'Branch',
  rollback: 'Roll back',
} as const

type ObserverAct = keyof typeof TITLES

export const observe = (
  trace: string,
  act: ObserverAct,
  text: string,
  { done = () => undefined, about = text, ...more }: ObserveOptions = {},
): Promise<void> =>
  propose(
    `${TITLES[act]}${about === '' ? '' : `: ${clip(about, 60)}`}`,
    { act: 'observe', trace, does: act, text, ...more },
    {
      danger: act === 'halt',
      done: (signed) => {
        if (signed?.into !== undefined) navigate(tracePath(signed.into))
        if (signed) done(signed)
      },
    },
  )

export interface ActsProps {
  readonly trace: string
  readonly state: ExchangeState
}
