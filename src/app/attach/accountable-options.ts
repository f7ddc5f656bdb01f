// How a session of accountable tools is opened. Programs in plain JavaScript give these without a compiler beside them, so every
// word that a call is judged by is checked: an effect that means nothing would make a tool look harmless.

import type { Pending } from '../../agents/result.ts'
import type { Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import {
  isProfile,
  type PolicyFile,
  PROFILES,
  type Profile,
  profileFile,
} from '../../tools/policy/policy-files.ts'
import { EFFECTS, type Effect } from '../../tools/toolset.ts'
import type { Verdict } from '../agents/decide.ts'
import type { Storage } from '../storage.ts'
import { ANY_WORK, type StandingOrder } from './open-attached.ts'

/** How a session opens in which a program's own tools are called. */
export interface AccountableOptions {
  /** What the agent is to do, and with which tools; any that is wrapped unless it says. */
  readonly order?: { readonly objective: string; readonly tools?: readonly string[] }
  /** True: calls are held until the policy, and `decide` where it asks for a person, allow them. Else they are recorded. */
  readonly gate?: boolean
  /** What gates; by default the profile `lenient`. */
  readonly policy?: Profile | PolicyFile
  /** What each tool does to the world; unknown unless it is said here. */
  readonly effects?: Readonly<Record<string, readonly Effect[]>>
  /** A person's word on a call that waits for one; null denies it for now. Recorded as given through a host. */
  readonly decide?: (
    pending: Pending & { readonly tool: string; readonly input: Json },
  ) => Promise<Verdict | null>
  /** Whose word `decide` gives, as a name that can own a key. */
  readonly person?: string
  /** The name and version of the program, as it says. */
  readonly name?: string
  readonly version?: string
  /** What counts as inside; by default the current folder. */
  readonly workspace?: string
  /** Where the trace is kept; by default in memory. */
  readonly storage?: Storage
}

const isEffect = (word: unknown): word is Effect => EFFECTS.some((effect) => effect === word)

export function checkedEffects(
  effectsByTool: AccountableOptions['effects'],
): Readonly<Record<string, readonly Effect[]>> {
  const next = `Give a list of these: ${EFFECTS.join(', ')}.`
  for (const [tool, effects] of Object.entries<unknown>(effectsByTool ?? {})) {
    if (!Array.isArray(effects))
      throw new WitanError('USAGE', `effects of ${tool}: ${String(effects)} is no list`, next)
    const stray: unknown = effects.find((word) => !isEffect(word))
    if (stray !== undefined)
      throw new WitanError('USAGE', `effects of ${tool}: ${String(stray)} is no effect`, next)
  }
  return effectsByTool ?? {}
}

export async function readPolicyFile(policy: Profile | PolicyFile): Promise<PolicyFile> {
  if (typeof policy !== 'string') return policy
  if (isProfile(policy)) return profileFile(policy)
  const next = `Give a profile (${PROFILES.join(', ')}), or a policy of your own as {name, text}.`
  throw new WitanError('USAGE', `no policy is called ${String(policy)}`, next)
}

export function standingOrderOf(standingOrder: AccountableOptions['order']): StandingOrder {
  const { objective, tools }: { readonly objective?: unknown; readonly tools?: readonly string[] } =
    standingOrder ?? ANY_WORK
  if (typeof objective !== 'string' || objective.trim() === '')
    throw new WitanError(
      'USAGE',
      'the standing order is empty',
      'Say what the agent is to do: {objective: "…"}.',
    )
  return { objective, tools: tools ?? ANY_WORK.tools }
}
