// A live session of the observer: the pool runs, audits appear as they come, and what is typed is signed and
// recorded as the observer's own act. Ctrl-C pauses the pool, and a second one leaves; recorded events stay
// either way. Where the exchange continues in a branch, the chat follows it.

import type { Exchange } from '../../../app/exchange/exchange.ts'
import { refusalIn } from '../../../app/exchange/observer.ts'
import { SHORT_GRACE_MS } from '../../../app/run.ts'
import { exchangeValue, noteOf } from '../../../exchange/result.ts'
import type { ExchangeState } from '../../../exchange/state.ts'
import type { WithOpenCalls } from '../../../ledger/calls.ts'
import { isWitanError } from '../../../ledger/errors.ts'
import type { Occurrence } from '../../../protocol.ts'
import { exchangeLines } from '../../../render/exchange.ts'
import { type Layout, plain, wrap } from '../../../render/plain.ts'
import { answerLines, busyLine, openSignalLines, poolLines } from '../../../render/pool-view.ts'
import { removedLine } from '../../../render/preview.ts'
import { answerInterrupts, type Call, type Outcome } from '../command.ts'
import { type ChatContext, COMMANDS, runChatLine } from './chat-commands.ts'
import { liveSheet, Screen } from './screen.ts'

const ROUNDS = 1_000

/** What to type for each answer to a signal. */
const ANSWERS = {
  acknowledge: '/ack [WHY]',
  amend: '/terms FILE',
  branch: '/branch [ROUND]',
  rollback: '/rollback [ROUND]',
  halt: '/halt [WHY]',
} as const

/** What the observer can do, by what the pool waits for. */
const ADVICE: Readonly<Record<string, (sheet: Layout) => readonly string[]>> = {
  observe: () => ['  → answer the audit by typing, or press Enter to pass'],
  answer: (sheet) => [
    '  → the pool asks for a restart, and waits for your answer:',
    ...answerLines(ANSWERS, sheet),
  ],
  continue: () => ['  → nothing is lost: type /continue to go on; /quit, or Ctrl-C again, leaves'],
  grant: () => ['  → the rounds that were granted are over: /continue [ROUNDS], or /quit'],
}

/** The audit that waits for an answer, for an observer who comes back to it. */
function waiting({ unanswered, protocol }: ExchangeState, width: number): readonly string[] {
  const audit = protocol.findLast(({ kind, round }) => kind === 'audit' && round === unanswered)
  if (!audit) return []
  return `[AUDIT] of round ${audit.round}: ${audit.text}`
    .split('\n')
    .map((text) => wrap(plain(text), 2, width))
}

function greeting(state: ExchangeState, width: number): readonly string[] {
  const { trace, terms, closed } = state
  const note = noteOf(state)
  return [
    ...(note === null ? [] : [note]),
    `exchange ${trace}${closed > 0 ? `, after round ${closed}` : ''}`,
    `  minds    ${terms?.pool.minds.join(', ')}; ${terms?.auditor.mind} audits every ${terms?.auditor.every} rounds`,
    `  you are  ${terms?.observer.name}, the observer`,
    'Type to speak. Enter passes an audit, /help lists more, Ctrl-C pauses.',
  ].map((line) =>
    line.startsWith('  ') ? `  ${wrap(plain(line.slice(2)), 11, width)}` : wrap(plain(line), 0, width),
  )
}

function deferred<Value>(): { readonly promise: Promise<Value>; resolve(value: Value): void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** A refusal of the protocol is no error here: it is shown, and the chat continues. */
function failureLines(error: unknown): readonly string[] {
  const refusal = refusalIn(error)
  if (refusal !== null) return [`  not now: ${plain(refusal)}`]
  if (!isWitanError(error)) throw error
  return [`  ${plain(error.message)}`, `  ${plain(error.next)}`]
}

type ChatSession = ChatContext & { pause(): Promise<void> }

/** Input is handled in the order in which it was typed. */
class Conversation {
  readonly #screen: Screen
  readonly #mute: boolean
  #turn: Promise<void> = Promise.resolve()
  /** The current listener: input that is typed before the first trace is open, or between two, waits for it. */
  #seat = deferred<ChatSession | null>()
  #left = false

  constructor(call: Call) {
    this.#mute = call.flag('json') || call.flag('quiet')
    this.#screen = new Screen(
      COMMANDS.map(({ name }) => name),
      { line: (text) => this.#hear(text), interrupt: () => this.interrupt(), end: () => this.leave() },
    )
  }

  get left(): boolean {
    return this.#left
  }

  listen(talk: ChatSession | null): void {
    if (talk) this.#seat.resolve(talk)
    else this.#seat = deferred()
  }

  print(lines: readonly string[], status?: string | null): void {
    if (!this.#mute) this.#screen.print(lines, status)
  }

  leave(): void {
    // Earlier input is still handled.
    this.#turn = this.#turn.then(async () => {
      this.#left = true
      const talk = await this.#seat.promise
      talk?.leave()
    })
  }

  interrupt(): void {
    void this.#do(async (talk) => {
      const { stopped } = talk.observer.state
      if (stopped === null) await talk.pause()
      else this.leave()
      return []
    })
  }

  #hear(text: string): void {
    void this.#do(async (talk) => {
      const before = talk.observer.removed
      const lines = await runChatLine(talk, text)
      const removed = talk.observer.removed - before
      return removed === 0 ? lines : [...lines, `  ${removedLine(removed)}`]
    })
  }

  #do(work: (talk: ChatSession) => Promise<readonly string[]>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      const talk = await this.#seat.promise
      if (!talk || this.#left) return
      try {
        this.print(await work(talk))
      } catch (error) {
        this.print(failureLines(error))
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

/** Runs one trace until the observer leaves, it ends, or it continues elsewhere: then returns that trace. */
async function runChat(
  exchange: Exchange,
  call: Call,
  conversation: Conversation,
  atATime: number,
): Promise<string | null> {
  const observer = await exchange.observe()
  const stop = new AbortController()
  const sheet = await liveSheet()
  let into: string | null = null
  let advised = ''
  const go = (rounds: number | null): Promise<void> => observer.grant(rounds ?? atATime, 'chat')

  function adviceLines(): readonly string[] {
    const waits = observer.awaited
    const key = waits.join(' ')
    if (key === advised) return []
    advised = key
    return waits.flatMap((id) => ADVICE[id.slice(0, id.indexOf('/'))]?.(sheet) ?? [])
  }

  async function show(event: Occurrence, after: WithOpenCalls<ExchangeState>): Promise<void> {
    await observer.log.refresh()
    const { movedTo } = after.inner
    if (event.type === 'branched' && movedTo !== null && event.payload?.into === movedTo) {
      into = movedTo
      stop.abort()
    }
    // What is waited for is shown after everything before it was shown.
    const isLatest = event.seq === observer.log.size - 1
    const advice = isLatest ? adviceLines() : []
    conversation.print([...poolLines(event, after, sheet), ...advice], busyLine(after))
  }

  conversation.print([...greeting(observer.state, sheet.width), ...waiting(observer.state, sheet.width)])
  conversation.listen({
    ...{ observer, call, go },
    leave: () => stop.abort(),
    pause: () => observer.pause('Ctrl-C'),
  })
  try {
    if (observer.state.signal === null) await go(null)
    else conversation.print([...openSignalLines(observer.state, sheet), ...adviceLines()])
    await exchange.drive({ signal: stop.signal, wait: true, grace: SHORT_GRACE_MS, hear: show })
    return into
  } finally {
    conversation.listen(null)
  }
}

export async function chat(first: Exchange, call: Call, rounds: number | null): Promise<Outcome> {
  const conversation = new Conversation(call)
  const release = answerInterrupts(() => conversation.interrupt())
  let exchange = first
  try {
    for (;;) {
      const into = await runChat(exchange, call, conversation, rounds ?? ROUNDS)
      if (into === null || conversation.left) break
      exchange = await exchange.goTo(into)
    }
  } finally {
    release()
    await conversation.close()
  }
  const { trace, state } = exchange
  const value = exchangeValue(state)
  return {
    value,
    lines: exchangeLines(value, call),
    brief: [trace],
    hints: state.halted ? [] : [`  Come back with: witan exchange chat ${trace}`],
  }
}
