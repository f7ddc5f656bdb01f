// Consent as the options of a command give it, or the person at the terminal.

import { type Consent, obtainConsent } from '../../app/consent.ts'
import type { Sending } from '../../app/person.ts'
import type { Call } from './command.ts'
import { personAt } from './terminal-person.ts'

interface Asking extends Omit<Sending, 'newcomers'>, Pick<Consent, 'chosen' | 'instead'> {
  /** How consent is given where nobody can be asked. */
  readonly next: string
}

/** Returns when it may be sent, and remembers that; throws when not. */
export const askConsent = (
  home: string,
  call: Call,
  { chosen, next, instead, ...sending }: Asking,
): Promise<void> =>
  obtainConsent(home, sending, {
    person: personAt(call),
    given: call.flag('yes'),
    chosen,
    unasked: { why: 'nobody is here to be asked', next },
    instead,
  })
