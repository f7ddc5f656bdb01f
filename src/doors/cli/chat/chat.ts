// An observer in the room: the pool runs, audits appear as they come, and whatever is typed is signed and recorded as
// the observer's own act. Ctrl-C lets the pool rest, and a second one leaves; what was recorded stands either way.
// Where the exchange goes on in a branch, the conversation goes along.

import { Observer } from '../../../app/exchange/observer.ts'
import { type PoolRun, reseat } from '../../../app/exchange/pool-run.ts'
import {
  exchangeLines,
  exchangeValue,
  grant,
  noteOf,
  performerOf,
  told,
} from '../../../app/exchange/running.ts'
import { driveTrace, SHORT_GRACE_MS } from '../../../app/run.ts'
import { removedLine } from '../../../app/typed-words.ts'
import { RefusedError } from '../../../clerk/trace-log.ts'
import type { ExchangeState } from '../../../exchange/state.ts'
import { isWitanError } from '../../../ledger/errors.ts'
import type { Occurrence } from '../../../protocol.ts'
import { plain } from '../../../render/plain.ts'
import { wrap } from '../../../render/wrap.ts'
import type { Outcome } from '../command.ts'
import { answerInterrupts } from '../interrupt.ts'
import { COMMANDS, obey, type Talk } from './commands.ts'
import { Screen } from './screen.ts'

const ROUNDS = 1_000

/** What the observer can do about whatever is waited for, by the kind of waiting. */
const ADVICE: Readonly<Record<string, readonly string[]>> = {
  observe: ['  → answer the audit by typing, or press Enter to pass'],
  answer: [
    '  → the pool asks for a restart, and waits for your answer:',
    '    /ack, /terms FILE, /rollback [ROUND], /branch [ROUND] or /halt',
  ],
  continue: ['  → nothing is lost: /continue goes on; /quit, or Ctrl-C again, leaves'],
  grant: ['  → the rounds that were granted are over: /continue [ROUNDS], or /quit'],
}

/** The audit that waits for an answer, for whoever comes back to it. */
function waiting({ unanswered, protocol }: ExchangeState, width: number): readonly string[] {
  const audit = protocol.findLast(({ kind, round }) => kind === 'audit' && round === unanswered)
  if (!audit) return []
  return `[AUDIT] of round ${audit.round}: ${audit.text}`
    .split('\n')
    .map((text) => wrap(plain(text), 2, width))
}

function greeting(state: ExchangeState): readonly string[] {
  const { trace, terms, closed } = state
  const note = noteOf(state)
  return [
    ...(note === null ? [] : [note]),
    `exchange ${trace}${closed > 0 ? `, after round ${closed}` : ''}`,
    `  minds    ${terms?.pool.minds.join(', ')}; ${terms?.auditor.mind} audits every ${terms?.auditor.every} rounds`,
    `  you are  ${terms?.observer.name}, the observer`,
    'Type to speak. Enter passes an audit, /help lists more, Ctrl-C pauses.',
  ].map(plain)
}

function awaited<Value>(): { readonly promise: Promise<Value>; resolve(value: Value): void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** What the protocol does not let happen is no error here: it is told in its own words, and the talk goes on. */
function notDone(error: unknown): readonly string[] {
  if (error instanceof RefusedError) return [`  not now: ${plain(error.refusal.message)}`]
  if (isWitanError(error, 'EVENT_REFUSED')) return [`  not now: ${plain(error.message)}`]
  if (!isWitanError(error)) throw error
  return [`  ${plain(error.message)}`, `  ${plain(error.next)}`]
}

type Seated = Talk & { pause(): Promise<void> }

/** What is typed is done in the order it was typed in. */
class Conversation {
  readonly #screen: Screen
  readonly #mute: boolean
  #turn: Promise<void> = Promise.resolve()
  /** Who listens: what is typed before the first trace is open, or between two, waits for it. */
  #seat = awaited<Seated | null>()
  #left = false

  constructor({ call }: PoolRun) {
    this.#mute = call.flag('json') || call.flag('quiet')
    this.#screen = new Screen(
      COMMANDS.map(({ name }) => name),
      { line: (text) => this.#hear(text), interrupt: () => this.interrupt(), end: () => this.leave() },
    )
  }

  get left(): boolean {
    return this.#left
  }

  listen(talk: Seated | null): void {
    if (talk) this.#seat.resolve(talk)
    else this.#seat = awaited()
  }

  print(lines: readonly string[]): void {
    if (!this.#mute) this.#screen.print(lines)
  }

  leave(): void {
    // Whatever was typed before is still done.
    this.#turn = this.#turn.then(async () => {
      this.#left = true
      const talk = await this.#seat.promise
      talk?.leave()
    })
  }

  interrupt(): void {
    void this.#do(async (talk) => {
      const { stopped } = talk.observer.log.state.inner
      if (stopped === null) await talk.pause()
      else this.leave()
      return []
    })
  }

  #hear(text: string): void {
    void this.#do(async (talk) => {
      const before = talk.observer.removed
      const lines = await obey(talk, text)
      const removed = talk.observer.removed - before
      return removed === 0 ? lines : [...lines, `  ${removedLine(removed)}`]
    })
  }

  #do(work: (talk: Seated) => Promise<readonly string[]>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      const talk = await this.#seat.promise
      if (!talk || this.#left) return
      try {
        this.print(await work(talk))
      } catch (error) {
        this.print(notDone(error))
      }
    })
    return this.#turn
  }

  async close(): Promise<void> {
    this.#left = true
    this.#seat.resolve(null)
    await this.#turn
    this.#screen.close()
  }
}

/** Runs one trace until the observer leaves, it ends, or it goes on elsewhere: then the trace where. */
async function sitIn(pool: PoolRun, conversation: Conversation): Promise<string | null> {
  const { home, registrar, log, call } = pool
  const observer = await Observer.at(home, log.trace, call.text('by'))
  const stop = new AbortController()
  let into: string | null = null
  let advised = ''
  const go = (rounds: number | null): Promise<void> =>
    grant({ registrar, log: observer.log }, rounds ?? call.count('rounds') ?? ROUNDS, 'chat')

  function advise(): readonly string[] {
    const actions = log.protocol.decide(observer.log.state)
    const waits = actions.every((action) => action.call === 'park') ? actions : []
    const key = waits.map(({ id }) => id).join(' ')
    if (key === advised) return []
    advised = key
    return waits.flatMap(({ id }) => ADVICE[id.slice(0, id.indexOf('/'))] ?? [])
  }

  async function show(event: Occurrence): Promise<void> {
    await observer.log.refresh()
    const { movedTo } = observer.log.state.inner
    if (event.type === 'branched' && movedTo !== null && event.payload?.into === movedTo) {
      into = movedTo
      stop.abort()
    }
    // What is waited for is told once everything before it was told.
    const isLatest = event.seq === observer.log.size - 1
    conversation.print([...told(event, observer.log.state.inner, call), ...(isLatest ? advise() : [])])
  }

  const from = log.size
  conversation.print([
    ...greeting(observer.log.state.inner),
    ...waiting(observer.log.state.inner, call.width),
  ])
  conversation.listen({
    ...{ observer, call, go },
    leave: () => stop.abort(),
    pause: () => observer.pause('Ctrl-C'),
  })
  try {
    if (observer.log.state.inner.signal === null) await go(null)
    else conversation.print(advise())
    await driveTrace({
      ports: home.ports,
      registrar,
      log,
      perform: performerOf(pool),
      signal: stop.signal,
      wait: true,
      grace: SHORT_GRACE_MS,
      from,
      hear: show,
    })
    await log.refresh()
    return into
  } finally {
    conversation.listen(null)
  }
}

export async function chat(first: PoolRun): Promise<Outcome> {
  const { home, call } = first
  const conversation = new Conversation(first)
  const release = answerInterrupts(() => conversation.interrupt())
  let pool = first
  try {
    for (;;) {
      const into = await sitIn(pool, conversation)
      if (into === null || conversation.left) break
      if (pool !== first) await pool.embedder.close()
      pool = await reseat(home, into, call)
    }
  } finally {
    release()
    await conversation.close()
    if (pool !== first) await pool.embedder.close()
  }
  const { trace, state } = pool.log
  const isOver = state.inner.halted
  return {
    value: exchangeValue(trace, state.inner),
    lines: exchangeLines(trace, state.inner, call),
    brief: [trace],
    hints: isOver ? [] : [`  Come back with: witan exchange chat ${trace}`],
  }
}
