// An exchange inside a host. Rounds are granted and acts are done by its observer, a person: what they say through the
// host is marked `via: host` in the minutes, and taken only where the home allows it.

import { z } from 'zod'
import { homeConfig } from '../../../app/config/config.ts'
import { openEmbedder } from '../../../app/exchange/embedder.ts'
import { Observer } from '../../../app/exchange/observer.ts'
import { logOf, openExchange, signersOf } from '../../../app/exchange/open-exchange.ts'
import { type PoolRun, reseat, seatsFor } from '../../../app/exchange/pool-run.ts'
import { commandsFor, exchangeValue, grant, runPool } from '../../../app/exchange/running.ts'
import { readTermsFile } from '../../../app/exchange/terms-file.ts'
import { type Home, withHome } from '../../../app/home/home.ts'
import { employ, openOrFound } from '../../../app/home/signers.ts'
import { removedLine, withoutTypedSecrets } from '../../../app/typed-words.ts'
import type { Terms } from '../../../exchange/terms.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { plain } from '../../../render/plain.ts'
import type { Call } from '../../cli/command.ts'
import { run as runStatus } from '../../cli/verbs/exchange-status.ts'
import { fileInside } from '../inside.ts'
import { isQuestion, typed } from '../people.ts'
import { leftToItself, type Reins } from '../runs.ts'
import { type Answer, type Desk, type Session, tool } from '../tool.ts'
import { answerOf, callFor, runVerb, traceOf } from '../verb.ts'

const trace = z.string().min(1).max(64)

/** By the home's own settings: `exchange: {acts_via_host: true}`. */
async function isAllowed(home: string): Promise<boolean> {
  return (await homeConfig(home))?.sections.exchange?.acts_via_host === true
}

/** Null when the person agreed; else what the host is to be told or to ask. */
async function asks(
  session: Session,
  id: string | null,
  lines: readonly string[],
  commands: readonly string[],
) {
  if (!(await isAllowed(session.desk.home))) {
    return typed(id, 'This home takes no act of an observer through a host', commands)
  }
  const word = await session.desk.people.ask(session, lines)
  if (isQuestion(word)) return word
  if (word.is === 'unasked') return typed(id, 'This host cannot ask a person', commands)
  return word.is === 'yes' ? null : typed(id, 'The observer did not allow it', commands)
}

/** On the terms that were shown, not on what their file holds by now. */
async function begin(home: Home, terms: Terms, call: Call): Promise<PoolRun> {
  const { minds, models } = await seatsFor(home, terms, call.text('config'))
  const registrar = await employ(home, signersOf(terms))
  const embedder = await openEmbedder(home.directory)
  try {
    const opened = { encoder: embedder.encoder, seats: models }
    const log = await openExchange(home, registrar, terms, opened, 'host')
    return { home, registrar, log, minds, embedder, call }
  } catch (error) {
    await embedder.close()
    throw error
  }
}

/** As many rounds as were granted, of this exchange or of a new one, under the host's reins. */
function work({ desk }: Session, id: string | null, terms: Terms, rounds: number) {
  return async ({ signal, tell, begun }: Reins): Promise<Answer> => {
    const call = callFor({ desk, progress: tell, signal }, [], { quiet: true })
    const home = await openOrFound({ directory: desk.home, postgres: desk.postgres })
    try {
      const pool = id === null ? await begin(home, terms, call) : await reseat(home, id, call)
      try {
        begun(pool.log.trace)
        await grant(pool, rounds, 'run', 'host')
        return answerOf(await runPool(pool))
      } finally {
        await pool.embedder.close()
      }
    } finally {
      await home.close()
    }
  }
}

async function termsIn(file: string): Promise<Terms> {
  const read = await readTermsFile(await fileInside(process.cwd(), file))
  return (await withoutTypedSecrets(read)).value
}

/** The terms of an exchange that is there. */
async function termsOf({ home: directory, postgres }: Desk, id: string): Promise<Terms> {
  return withHome({ directory, postgres, mode: 'read' }, async (home) => {
    const { terms } = (await logOf(home, id)).state.inner
    if (!terms) throw new WitanError('USAGE', `${id} is no exchange`, 'See trace_list.')
    return terms
  })
}

const exchangeRun = tool({
  name: 'exchange_run',
  title: 'Run an exchange',
  description: 'Let a pool of minds think for some rounds. Its observer, a person, is asked to grant them.',
  input: z.object({
    terms: z.string().min(1).max(500).optional().describe('file in the working folder; begins a new one'),
    trace: trace.optional().describe('instead: an exchange to go on with'),
    rounds: z.int().min(1).max(1_000),
    wait: z.boolean().optional().describe('false: return the trace id at once'),
  }),
  readOnly: false,
  async run({ terms: file, trace: name, rounds, wait: waits = true }, session) {
    const { desk } = session
    const id = name === undefined ? null : await traceOf(desk, name)
    if (id !== null && desk.runs.get(id)) {
      const next = 'Look in with exchange_observe, and grant more once they are over.'
      throw new WitanError('USAGE', `rounds of ${id} are under way already`, next)
    }
    const terms = id === null ? await termsIn(file ?? '') : await termsOf(desk, id)
    const what = id === null ? `a new exchange on these terms: ${JSON.stringify(terms)}` : `exchange ${id}`
    const lines = [`${terms.observer.name}, grant ${rounds} rounds of thinking to ${what}`]
    const how = id === null ? `--terms ${JSON.stringify(file)}` : id
    const refused = await asks(session, id, lines, [`witan exchange run ${how} --rounds ${rounds}`])
    if (refused) return refused
    const run = desk.runs.begin(work(session, id, terms, rounds))
    if (waits) return run.attend(session)
    return leftToItself(await run.trace, 'Look in with exchange_observe.')
  },
})

const ACTS = ['inject', 'say', 'acknowledge', 'halt'] as const
type Act = (typeof ACTS)[number]

const commandOf = (id: string, act: Act, text: string): string =>
  act === 'inject' || act === 'say'
    ? `witan exchange ${act} ${id} ${JSON.stringify(text)}`
    : `witan exchange answer ${id} --with ${act} --reason ${JSON.stringify(text)}`

function perform(observer: Observer, act: Act, text: string): Promise<unknown> {
  switch (act) {
    case 'inject':
      return observer.inject(text)
    case 'say':
      return observer.speak(text)
    case 'acknowledge':
      return observer.acknowledge(text)
    case 'halt':
      return observer.halt(text)
  }
}

const exchangeObserve = tool({
  name: 'exchange_observe',
  title: 'Look at an exchange',
  description: 'Where an exchange stands. With an act: have its observer, a person, asked to do it.',
  input: z.object({
    trace,
    act: z.enum(ACTS).optional(),
    text: z.string().trim().max(4_000).optional().describe('the words, or the reason'),
  }),
  readOnly: false,
  async run({ trace: name, act, text: words = '' }, session) {
    const { value: text, removed } = await withoutTypedSecrets(words)
    const id = await traceOf(session.desk, name)
    if (act === undefined) return runVerb(runStatus, session, [id])
    const { home: directory, postgres } = session.desk
    return withHome({ directory, postgres, mode: 'write' }, async (home) => {
      const { terms } = (await logOf(home, id)).state.inner
      if (!terms) throw new WitanError('USAGE', `${id} is no exchange`, 'See trace_list.')
      const { name: person } = terms.observer
      const lines = [`${person}, as the observer of ${id}: ${act}`, text]
      const refused = await asks(session, id, lines, [commandOf(id, act, text)])
      if (refused) return refused
      const observer = await Observer.at(home, id, null, 'host')
      await perform(observer, act, text)
      const { inner } = observer.log.state
      const next = commandsFor(id, inner)
      return {
        value: { ...exchangeValue(id, inner), done: act, by: person, via: 'host' },
        text: [
          `${act}: done by ${plain(person)}, via host`,
          ...(removed > 0 ? [removedLine(removed)] : []),
          ...next,
        ].join('\n'),
      }
    })
  },
})

export const EXCHANGE_TOOLS = [exchangeRun, exchangeObserve]
