// One decision of a person on several items at once: only where all are of one kind, in one session, and for
// calls of one tool and one risk. Each is an event of its own, and either all or none are signed.

import type { SessionState } from '../../agents/state.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Payload } from '../../ledger/event.ts'
import type { Home } from '../home/home.ts'
import { withoutTypedSecrets } from '../person.ts'
import { withWaitingInputs } from './attached-inputs.ts'
import { type Deciding, eventOfVerdict, openLog, openPerson, type Pending, pendingNamed } from './decide.ts'

export interface DecidingSeveral extends Omit<Deciding, 'subject'> {
  readonly subjects: readonly string[]
}

/** What must be the same for all of them. */
function likenessOf({ kind, subject }: Pending, { intents }: SessionState): string {
  const intent = intents.get(subject)
  return JSON.stringify([kind, intent?.tool ?? null, intent?.assessment?.risk ?? intent?.risk ?? null])
}

export async function decideSeveral(
  home: Home,
  trace: string,
  { subjects, verdict: typed, name, keyFile, means }: DecidingSeveral,
): Promise<{ readonly by: string; readonly count: number }> {
  const log = await openLog(home.ports, trace)
  const pending = [...new Set(subjects)].map((subject) => pendingNamed(log, subject))
  const state = await withWaitingInputs(home.ports, log.state.inner)
  const [first] = pending
  if (!first || new Set(pending.map((one) => likenessOf(one, state))).size > 1)
    throw new WitanError(
      'USAGE',
      'these differ: several can be decided together only when kind, tool and risk are the same',
      'Decide each by itself.',
    )
  const about = { pending: first, state }
  const person = await openPerson(home, {
    name,
    keyFile,
    means: ({ agent }, key) => means(about, agent, key),
  })
  const { value: reason } = await withoutTypedSecrets(typed.reason)
  const now = person.ports.now()
  const own = await openLog(person.ports, trace)
  const drafts = pending.map((decision) => {
    const [type, payload] = eventOfVerdict(decision, { ...typed, reason }, person.via, now)
    return { type, actor: person.actor, payload: { action: decision.action.id, ...payload } as Payload }
  })
  await own.append(drafts)
  return { by: person.actor.agent, count: drafts.length }
}
