// An exchange inside a host. Its observer, a person, grants rounds and acts: what they answer through the
// host is marked `via: host` in the trace, and accepted only where the home allows it.

import { z } from 'zod'
import { homeConfig } from '../../../app/config/config.ts'
import { driveThroughBranches, withExchange } from '../../../app/exchange/exchange.ts'
import { mindsFromSettings } from '../../../app/exchange/minds.ts'
import { Observer } from '../../../app/exchange/observer.ts'
import type { ObserverProof } from '../../../app/exchange/observer-means.ts'
import { readExchangeState } from '../../../app/exchange/open-exchange.ts'
import { readTermsFile } from '../../../app/exchange/terms-file.ts'
import { type Home, withHome } from '../../../app/home/home.ts'
import { withoutTypedSecrets } from '../../../app/person.ts'
import { SHORT_GRACE_MS, stoppedBy } from '../../../app/run.ts'
import type { Carry } from '../../../exchange/events.ts'
import { ANSWERS, exchangeValue } from '../../../exchange/result.ts'
import { CARRIES } from '../../../exchange/schema.ts'
import type { ExchangeState } from '../../../exchange/state.ts'
import type { Terms } from '../../../exchange/terms.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { MEANS_WORDS } from '../../../ledger/means.ts'
import { commandsFor, endView, exchangeLines } from '../../../render/exchange.ts'
import { plain } from '../../../render/plain.ts'
import { poolLines } from '../../../render/pool-view.ts'
import { removedLine } from '../../../render/preview.ts'
import { readSettings } from '../council/convene.ts'
import { fileInside } from '../inside-folder.ts'
import { personMustType, refusedBy } from '../left-to-person.ts'
import { type RunHandle, underWayAnswer } from '../runs.ts'
import { type Answer, findTrace, type Kit, locationOf, PAGE, type Session, tool } from '../tool.ts'

const trace = z.string().min(1).max(64)

/** By the home's own settings: `exchange: {acts_via_host: true}`. */
export async function takesActs(home: string): Promise<boolean> {
  return (await homeConfig(home))?.sections.exchange?.acts_via_host === true
}

/** Null when the person agreed; otherwise what the host is to be told or to ask. */
async function asks(
  session: Session,
  id: string | null,
  lines: readonly string[],
  commands: readonly string[],
) {
  if (!(await takesActs(session.kit.home))) {
    return personMustType(id, 'This home takes no act of an observer through a host', commands)
  }
  return refusedBy(session, id, lines, commands)
}

/** No passphrase can be requested here. */
const THROUGH_HOST: ObserverProof = { keyFile: null, means: async () => 'host' }

/** As many rounds as were granted, of the exchange of that name or of a new one with the terms that were shown. */
function work({ kit }: Session, start: Terms | string, rounds: number) {
  return async ({ signal, tell, begun }: RunHandle): Promise<Answer> => {
    const manner = { mindsFor: mindsFromSettings(() => readSettings(kit)), ...THROUGH_HOST }
    return withExchange(locationOf(kit), start, manner, async (first) => {
      begun(first.trace)
      await first.grant(rounds)
      const { exchange, end } = await driveThroughBranches(first, async (branch) => {
        const ended = await branch.drive({
          signal,
          grace: SHORT_GRACE_MS,
          hear: (event, after) => poolLines(event, after, { ...PAGE, rounds: true }).forEach(tell),
        })
        if (ended.status === 'interrupted') throw stoppedBy('the host', branch.trace)
        return ended
      })
      const { value, lines, hints } = endView(exchange.state, end, PAGE)
      return { value, text: [...lines, ...hints].join('\n') }
    })
  }
}

async function termsIn(file: string): Promise<Terms> {
  const read = await readTermsFile(await fileInside(process.cwd(), file))
  return (await withoutTypedSecrets(read)).value
}

async function readTerms(home: Home, id: string): Promise<Terms> {
  const { terms } = await readExchangeState(home, id)
  if (!terms) throw new WitanError('USAGE', `${id} is no exchange`, 'See trace_list.')
  return terms
}

const reading = <Result>(kit: Kit, work: (home: Home) => Promise<Result>): Promise<Result> =>
  withHome({ ...locationOf(kit), mode: 'read' }, work)

const exchangeRun = tool({
  name: 'exchange_run',
  title: 'Run an exchange',
  description: 'Let a pool of minds think for some rounds. Its observer, a person, is asked to grant them.',
  input: z.object({
    terms: z.string().min(1).max(500).optional().describe('file in the working folder; begins a new one'),
    trace: trace.optional().describe('instead: an exchange to continue'),
    rounds: z.int().min(1).max(1_000),
    wait: z.boolean().optional().describe('false: return the trace id at once'),
  }),
  readOnly: false,
  async run({ terms: file, trace: name, rounds, wait: waits = true }, session) {
    const { kit } = session
    const id = name === undefined ? null : await findTrace(kit, name)
    if (id !== null && kit.runs.get(id)) {
      const next = 'Look in with exchange_observe, and grant more once they are over.'
      throw new WitanError('USAGE', `rounds of ${id} are under way already`, next)
    }
    const terms = id === null ? await termsIn(file ?? '') : await reading(kit, (home) => readTerms(home, id))
    const what = id === null ? `a new exchange on these terms: ${JSON.stringify(terms)}` : `exchange ${id}`
    const lines = [`${terms.observer.name}, grant ${rounds} rounds of thinking to ${what}`]
    const how = id === null ? `--terms ${JSON.stringify(file)}` : id
    const refused = await asks(session, id, lines, [`witan exchange run ${how} --rounds ${rounds}`])
    if (refused) return refused
    const run = kit.runs.begin(work(session, id ?? terms, rounds))
    if (waits) return run.attend(session)
    return underWayAnswer(await run.trace, 'Look in with exchange_observe.')
  },
})

const ACTS = ['inject', 'say', 'acknowledge', 'amend', 'branch', 'rollback', 'halt'] as const
type Act = (typeof ACTS)[number]

interface Asked {
  readonly act: Act
  readonly text: string
  /** Of the named file, as it was read before the observer was asked. */
  readonly terms: Terms | null
  readonly file: string | null
  readonly round: number | null
  readonly carry: Carry
}

/** What a person would type instead. */
function commandOf(id: string, { act, text, file, round, carry }: Asked): string {
  const quoted = JSON.stringify(text)
  const set = file === null ? '' : ` --${act === 'amend' ? 'set' : 'terms'} ${JSON.stringify(file)}`
  const at = round === null ? '' : ` --${act === 'branch' ? 'at' : 'to'} ${round}`
  switch (act) {
    case 'inject':
    case 'say':
      return `witan exchange ${act} ${id} ${quoted}`
    case 'acknowledge':
    case 'halt':
      return `witan exchange answer ${id} --with ${act} --reason ${quoted}`
    case 'amend':
      return `witan exchange terms ${id}${set} --reason ${quoted}`
    case 'branch':
    case 'rollback':
      return `witan exchange ${act} ${id}${at} --carry ${carry}${set} --reason ${quoted}`
  }
}

/** The trace in which it continues, where there is another. */
async function perform(observer: Observer, asked: Asked): Promise<{ readonly into?: string }> {
  const { act, text, terms, round, carry } = asked
  switch (act) {
    case 'inject':
      await observer.inject(text)
      return {}
    case 'say':
      await observer.speak(text)
      return {}
    case 'acknowledge':
      await observer.acknowledge(text)
      return {}
    case 'halt':
      await observer.halt(text)
      return {}
    case 'amend':
      if (terms === null)
        throw new WitanError('USAGE', 'amend needs new terms', 'Name their file in `terms`.')
      await observer.amend(terms, text)
      return {}
    case 'branch':
      return { into: (await observer.branch({ round, carry, reason: text, terms })).into }
    case 'rollback':
      return { into: (await observer.rollback({ round, carry, reason: text })).into }
  }
}

/** The effect of each answer to an open signal. */
const answersTo = ({ signal }: ExchangeState): readonly string[] =>
  signal ? Object.entries(ANSWERS).map(([answer, what]) => `act ${answer}: ${what}`) : []

const exchangeObserve = tool({
  name: 'exchange_observe',
  title: 'Look at an exchange',
  description: 'The state of an exchange. With an act: have its observer, a person, asked to do it.',
  input: z.object({
    trace,
    act: z.enum(ACTS).optional(),
    text: z.string().trim().max(4_000).optional().describe('the words, or the reason'),
    terms: z.string().min(1).max(500).optional().describe('amend, branch: file in the working folder'),
    round: z.int().min(0).optional().describe('branch, rollback: the last round that is kept'),
    carry: z.enum(CARRIES).optional().describe('branch, rollback: what goes along'),
  }),
  readOnly: false,
  async run(
    { trace: name, act, text: words = '', terms: file = null, round = null, carry = 'window' },
    session,
  ) {
    const { value: text, removed } = await withoutTypedSecrets(words)
    const { kit } = session
    const id = await findTrace(kit, name)
    if (act === undefined) {
      const state = await reading(kit, (home) => readExchangeState(home, id))
      const value = exchangeValue(state)
      return { value, text: [...exchangeLines(value, PAGE), ...answersTo(state)].join('\n') }
    }
    const terms = file === null ? null : await termsIn(file)
    const asked = { act, text, terms, file, round, carry }
    return withHome({ ...locationOf(kit), mode: 'write' }, async (home) => {
      const { name: person } = (await readTerms(home, id)).observer
      const where = round === null ? [] : [`round ${round}`]
      const newTerms = terms === null ? [] : [`new terms: ${JSON.stringify(terms)}`]
      const lines = [`${person}, as the observer of ${id}: ${act}`, ...where, ...newTerms, text]
      const refused = await asks(session, id, lines, [commandOf(id, asked)])
      if (refused) return refused
      const observer = await Observer.at(home, id, { via: 'host' })
      const made = await perform(observer, asked)
      return {
        value: { ...exchangeValue(observer.state), ...made, done: act, by: person, via: 'host' },
        text: [
          `${act}: done by ${plain(person)}, ${MEANS_WORDS.host}`,
          ...(made.into === undefined ? [] : [`it continues in ${made.into}`]),
          ...(removed > 0 ? [removedLine(removed)] : []),
          ...commandsFor(observer.state),
        ].join('\n'),
      }
    })
  },
})

export const EXCHANGE_TOOLS = [exchangeRun, exchangeObserve]
