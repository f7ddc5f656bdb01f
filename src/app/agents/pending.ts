// The pending decisions in the sessions of a home, and the commands that answer them.

import { AGENTS_PROTOCOL } from '../../agents/agents.ts'
import type { SessionState } from '../../agents/state.ts'
import type { Proof } from '../../agents/task.ts'
import { isInForce } from '../../clerk/registrar.ts'
import type { Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import { type Home, type HomeLocation, withHome } from '../home/home.ts'
import { personName } from '../home/signers.ts'
import { findTrace } from '../traces/trace-name.ts'
import { withWaitingInputs } from './attached-inputs.ts'
import { openLog, type Pending, pendingIn } from './decide.ts'
import { isMachineCritic } from './open-session.ts'
import { type PendingShown, type ShownFrom, showPending } from './pending-shown.ts'
import { unreadInWords } from './session-status.ts'
import { findTask } from './task-file.ts'

// The command that answers a pending decision, complete: in the name of someone who has a key here, preceded
// by the command that makes such a key if there is none.

/** Who can decide from this home. */
export interface Deciders {
  /** The person at the keyboard. */
  readonly self: string
  /** Everyone with a key here in the role of critic; null where that is not known. */
  readonly able: readonly string[] | null
}

export async function listDeciders(home: Home): Promise<Deciders> {
  const registrar = await home.registrar()
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

/** Which kind of key counts for decisions: where more is required, a key that any program here can use would be useless. */
const MADE: Readonly<Record<Proof, string>> = {
  terminal: '',
  passphrase: ' --passphrase',
  'other-machine': ' --public FILE',
}

export const newKeyFor = (name: string, proof: Proof): string =>
  `witan keys add ${name} --role critic${MADE[proof]}`

const ANSWERED: readonly string[] = ['judge', 'review', 'resolve', 'weigh']

export function commandsFor(
  { trace, kind, subject, action }: Pick<Pending, 'kind' | 'subject' | 'action'> & { readonly trace: string },
  deciders: Deciders = UNKNOWN,
  proof: Proof = 'terminal',
): readonly string[] {
  const abort = `witan abort ${trace} --reason "…"`
  if (kind === 'propose' && action.input.by_hand) return [`witan agents propose ${trace} FILE`, abort]
  if (!ANSWERED.includes(kind)) return [abort]
  const first = deciders.able?.length === 0 ? [newKeyFor(deciders.self, proof)] : []
  const by = nameOf(deciders)
  const words =
    kind === 'resolve'
      ? ['failed', 'again'].map((as) => `resolve ${trace} ${subject} --as ${as}`)
      : ['approve', kind === 'weigh' ? 'challenge' : 'block'].map((word) => `${word} ${trace} ${subject}`)
  return [...first, ...words.map((word) => `witan agents ${word}${by} --reason "…"`)]
}

interface PendingDecision extends PendingShown {
  readonly trace: string
  readonly state: SessionState
  /** What is asked about, as text. */
  readonly about: readonly string[]
  /** The required proof of a person; null where no person's key is needed. */
  readonly proof: Proof | null
  readonly commands: readonly string[]
}

export interface PendingDecisions {
  readonly pending: readonly PendingDecision[]
  /** Why some sessions could not be read. */
  readonly unread: readonly string[]
}

async function findSessions(home: Home, name: string | null): Promise<readonly string[]> {
  if (name !== null) return [await findTrace(home.store, name)]
  const traces = await home.store.traces()
  return traces.filter(({ protocol }) => protocol === AGENTS_PROTOCOL).map(({ trace }) => trace)
}

function aboutOf(
  { subject }: Pending,
  { intents, proposals, claims, task }: SessionState,
): readonly string[] {
  const intent = intents.get(subject)
  const claim = claims.get(subject)
  if (claim) return [claim.text, ...claim.evidence.map(({ quote }) => `“${quote}”`)]
  if (!intent) return [proposals.get(subject)?.plan.objective ?? task?.objective ?? '']
  const words = (input: Json | null): string => (input === null ? 'erased' : JSON.stringify(input))
  return [
    `${intent.tool} ${words(intent.input)}`,
    `risk ${intent.assessment?.risk ?? intent.risk}: ${intent.justification}`,
  ]
}

async function waitingIn(home: Home, trace: string, deciders: Deciders): Promise<readonly PendingDecision[]> {
  const log = await openLog(home.ports, trace)
  if (log.flaw) throw log.flaw
  const state = await withWaitingInputs(home.ports, log.state.inner)
  const from = await shownFrom(home, trace)
  const shown = await Promise.all(pendingIn(log).map((pending) => showPending(pending, state, from)))
  const proof = state.task?.policy.approval_proof ?? 'terminal'
  return shown.map((pending) => ({
    ...pending,
    trace,
    state,
    about: aboutOf(pending, state),
    proof: pending.kind === 'propose' ? null : proof,
    commands: commandsFor({ ...pending, trace }, deciders, proof),
  }))
}

/** What a session is shown from, as far as this home knows its workspace and may read it. */
export const shownFrom = async ({ directory, store }: Home, trace: string): Promise<ShownFrom> => {
  const workspace = await findTask(directory, trace, null).then(
    (task) => task.workspace,
    () => null,
  )
  return { workspace, store }
}

/** In the session of this name, or in all of them. */
export const pendingDecisions = (location: HomeLocation, name: string | null): Promise<PendingDecisions> =>
  withHome({ ...location, mode: 'read' }, async (home) => {
    const pending: PendingDecision[] = []
    const unread: string[] = []
    const deciders = await listDeciders(home)
    for (const trace of await findSessions(home, name)) {
      try {
        pending.push(...(await waitingIn(home, trace, deciders)))
      } catch (error) {
        // A session of a newer release, or a tampered one, has no pending decisions and does not prevent others from
        // being shown.
        if (!(error instanceof WitanError)) throw error
        if (name !== null) throw new WitanError(error.code, unreadInWords(trace, error), error.next)
        unread.push(unreadInWords(trace, error))
      }
    }
    return { pending, unread }
  })
