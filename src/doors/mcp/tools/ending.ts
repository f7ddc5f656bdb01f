// What cannot be undone: ending a trace early, and erasing content. A host's request is not enough: the
// person at the host is asked, and where that is impossible, the host is told what a person has to type.

import { z } from 'zod'
import { openLog } from '../../../app/agents/decide.ts'
import { abortSession } from '../../../app/agents/session.ts'
import { Observer } from '../../../app/exchange/observer.ts'
import { type Home, withHome } from '../../../app/home/home.ts'
import { redactIn } from '../../../app/traces/redact.ts'
import { COUNCIL } from '../../../council/events.ts'
import { exchangeValue } from '../../../exchange/result.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { MEANS_WORDS } from '../../../ledger/means.ts'
import { exchangeLines } from '../../../render/exchange.ts'
import { sessionJson, sessionLines } from '../../../render/session.ts'
import { redactedLines } from '../../../render/trace-results.ts'
import { waitForAnswer } from '../council/attend.ts'
import { abort } from '../council/continue-council.ts'
import { personMustType, refusedBy } from '../left-to-person.ts'
import { type Answer, findTrace, locationOf, PAGE, type Session, tool } from '../tool.ts'
import { takesActs } from './exchange.ts'
import { answer, trace } from './traces.ts'

const AGENTS = 'agents/1'
const EXCHANGE = 'exchange/1'

const reason = z.string().trim().min(1).max(500).describe('recorded permanently')

/** Why this trace cannot be ended through a host; null where it can. */
async function barred(home: Home, id: string, protocol: string | undefined): Promise<string | null> {
  if (protocol === COUNCIL) return null
  if (protocol === AGENTS) {
    const { task } = (await openLog(home.ports, id)).state.inner
    return task?.policy.via_host ? null : 'The policy takes no decision through a host'
  }
  if (protocol === EXCHANGE)
    return (await takesActs(home.directory)) ? null : 'This home takes no act of an observer through a host'
  throw new WitanError('USAGE', `traces of ${protocol} cannot be aborted`, 'Leave it.')
}

async function end(home: Home, id: string, why: string, protocol: string, session: Session): Promise<Answer> {
  const { kit } = session
  if (protocol === COUNCIL) return waitForAnswer(await abort(kit, id, why), session)
  await kit.runs.get(id)?.stop()
  if (protocol === AGENTS) {
    const outcome = await abortSession(home, id, { reason: why, via: 'host' })
    return answer(sessionJson(outcome), sessionLines(outcome, PAGE))
  }
  const observer = await Observer.at(home, id, { via: 'host' })
  await observer.halt(why)
  const value = exchangeValue(observer.state)
  return answer(value, exchangeLines(value, PAGE))
}

const traceAbort = tool({
  name: 'trace_abort',
  title: 'Ask a person to end a trace',
  description: 'Have the person before you asked to end a trace before its time, on record and for good.',
  input: z.object({ trace, reason }),
  readOnly: false,
  async run({ trace: name, reason: why }, session) {
    const { kit } = session
    const id = await findTrace(kit, name)
    const commands = [`witan abort ${id} --reason ${JSON.stringify(why)}`]
    return withHome({ ...locationOf(kit), mode: 'write' }, async (home) => {
      const protocol = (await home.store.head(id))?.header.protocol
      const bar = await barred(home, id, protocol)
      if (bar !== null) return personMustType(id, bar, commands)
      const lines = [`End ${id} for good: nothing can be added to it then.`, `Reason: ${why}`]
      return (await refusedBy(session, id, lines, commands)) ?? end(home, id, why, protocol ?? '', session)
    })
  },
})

const traceRedact = tool({
  name: 'trace_redact',
  title: 'Ask a person to erase content',
  description: 'Have the person before you asked to erase a payload or an artifact for good, on record.',
  input: z.object({
    trace,
    seq: z.int().min(0).max(1e9).optional().describe('the event whose payload goes'),
    artifact: z.string().length(64).optional().describe('instead: SHA-256 of an artifact'),
    everywhere: z.boolean().optional().describe('its artifacts and the prompts that quote it too'),
    reason,
    by: z.string().trim().min(1).max(100).optional().describe('who wants it'),
  }),
  readOnly: false,
  async run({ trace: name, seq = null, artifact = null, everywhere = false, reason: why, by }, session) {
    const { kit } = session
    const id = await findTrace(kit, name)
    if ((seq === null) === (artifact === null))
      throw new WitanError('USAGE', 'one event or one artifact is erased at a time', 'Give seq or artifact.')
    const what = seq === null ? `artifact ${artifact}` : `the payload of event ${seq}`
    const lines = [
      `Erase ${what} of ${id} for good${everywhere ? ', and all that quotes it' : ''}.`,
      `Reason: ${why}`,
      ...(by ? [`Wanted by: ${by}`] : []),
    ]
    const words = [
      `witan redact ${id}${seq === null ? ` --artifact ${artifact}` : ` ${seq}`}`,
      ...(everywhere ? ['--everywhere'] : []),
      ...(by ? [`--by ${JSON.stringify(by)}`] : []),
      `--reason ${JSON.stringify(why)}`,
    ]
    const refused = await refusedBy(session, id, lines, [words.join(' ')])
    if (refused) return refused
    return withHome({ ...locationOf(kit), mode: 'write' }, async (home) => {
      // The registry says who and why; it also says that a host asked.
      const fullReason = `${why} (allowed ${MEANS_WORDS.host})`
      const done = await redactIn(home, id, { seq, artifact, everywhere, reason: fullReason, by: by ?? null })
      const { before, store: _, ...value } = done
      return answer({ ...value, already: before !== null }, redactedLines(done))
    })
  },
})

export const ABORT_TOOLS = [traceAbort]
export const REDACT_TOOLS = [traceRedact]
