// What a person types to answer what waits for them, so that it works as it stands: in the name of someone who has a
// key here, and with the making of that key first where nobody has one.

import { isInForce, type Registrar } from '../../clerk/registrar.ts'
import type { Home } from '../home/home.ts'
import { personName } from '../home/signers.ts'
import type { Pending } from './decide.ts'
import { isMachineCritic } from './open-session.ts'

/** Who decides from this home. */
export interface Deciders {
  /** The person at the keyboard. */
  readonly self: string
  /** Everyone with a key here in the role of critic; null where that is not known. */
  readonly able: readonly string[] | null
}

export async function decidersOf(home: Home, registrar: Registrar): Promise<Deciders> {
  const here = (await home.keyring.list()).map(({ id }) => id)
  const able = [...registrar.log.state.keys.values()]
    .filter((key) => isInForce(key) && key.roles.includes('critic') && here.includes(key.id))
    .map(({ agent }) => agent)
    .filter((agent) => !isMachineCritic(agent))
  return { self: personName(), able }
}

const UNKNOWN: Deciders = { self: '', able: null }

/** Empty for the person at the keyboard, who need not be named. */
function nameOf({ self, able }: Deciders): string {
  const [first] = able ?? []
  return first === undefined || able?.includes(self) ? '' : ` --by ${first}`
}

export function commandsFor(
  { trace, kind, subject, action }: Pick<Pending, 'kind' | 'subject' | 'action'> & { readonly trace: string },
  deciders: Deciders = UNKNOWN,
): readonly string[] {
  const abort = `witan abort ${trace} --reason "…"`
  if (kind === 'propose' && action.input.by_hand) return [`witan agents propose ${trace} FILE`, abort]
  if (kind !== 'judge' && kind !== 'review' && kind !== 'resolve') return [abort]
  const first = deciders.able?.length === 0 ? [`witan keys add ${deciders.self} --role critic`] : []
  const by = nameOf(deciders)
  const words =
    kind === 'resolve'
      ? ['failed', 'again'].map((as) => `resolve ${trace} ${subject} --as ${as}`)
      : ['approve', 'block'].map((word) => `${word} ${trace} ${subject}`)
  return [...first, ...words.map((word) => `witan agents ${word}${by} --reason "…"`)]
}
