// Before a folder's contents go to a provider for the first time, a person sees what would be sent to whom and says
// yes. Where no person can be asked, only what was chosen beforehand counts: consent given with the request, seats
// named by someone whose word counts here, or consent given before.

import { WitanError } from '../ledger/errors.ts'
import { consent, strangers } from './home/consents.ts'
import { type Answer, type Material, NO_PERSON, type Person, type Sending } from './person.ts'

/** What is to be sent; made only where a person is to see it. */
export type Proposed = Omit<Sending, 'newcomers' | 'material'> & {
  readonly material: Material | (() => Promise<Material>)
}

export interface Consent {
  readonly person: Person
  /** Consent was given with the request. */
  readonly given: boolean
  /** The providers were named by someone whose word counts here. */
  readonly chosen: boolean
  /** Why no person can be asked, and how consent is given then. */
  readonly unasked: { readonly why: string; readonly next: string }
  /** What can be done instead after a no. */
  readonly instead: string
}

async function askFor(person: Person, proposed: Proposed, newcomers: readonly string[]): Promise<Answer> {
  if (person === NO_PERSON) return null
  const material = typeof proposed.material === 'function' ? await proposed.material() : proposed.material
  return person.allowsSending({ ...proposed, material, newcomers })
}

/** Returns when it may be sent, and remembers that; throws when not. */
export async function obtainConsent(
  home: string,
  proposed: Proposed,
  { person, given, chosen, unasked, instead }: Consent,
): Promise<void> {
  const { folders, providers } = proposed
  const unknown = await Promise.all(
    folders.map(async (folder) => ({ folder, to: await strangers(home, folder, providers) })),
  )
  const open = unknown.filter(({ to }) => to.length > 0)
  const [first] = open
  if (first === undefined) return
  if (!given) {
    const newcomers = [...new Set(open.flatMap(({ to }) => to))]
    const answer = await askFor(person, proposed, newcomers)
    if (answer === false) throw new WitanError('USAGE', 'nothing was sent', instead)
    if (answer === null && chosen) return
    if (answer === null) {
      const shown = `${first.folder} was never shown to ${first.to.join(', ')}`
      throw new WitanError('USAGE', `${shown}, and ${unasked.why}`, unasked.next)
    }
  }
  for (const { folder, to } of open) await consent(home, folder, to)
}
