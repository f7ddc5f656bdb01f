// Hooks of hosts that are answered by one process which stays: the home is open and sessions are folded already. What is told is
// recorded and judged as by a hook of its own; a home that was moved or replaced meanwhile is opened anew.

import type { Home } from '../home/home.ts'
import { openOrCreateHome } from '../home/signers.ts'
import { deniedWords } from './announce-call.ts'
import { type Attachment, attachmentNamed } from './attachments.ts'
import { type HookAnswer, type HookRequest, handleHook, sessionFor } from './hook.ts'
import { LiveSession } from './live-session.ts'
import { recordUnrecorded } from './unrecorded.ts'

interface Kept {
  /** When its host was attached: attached again, other terms count. */
  readonly at: string
  readonly live: Promise<LiveSession>
}

export class LiveHooks {
  readonly #directory: string
  readonly #sessions = new Map<string, Kept>()
  #held: Home | null = null

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Whether a session that was answered here has not said that it is over. */
  get hasSessions(): boolean {
    return this.#sessions.size > 0
  }

  async handle(id: string, request: HookRequest): Promise<HookAnswer> {
    const attachment = await attachmentNamed(this.#directory, id)
    const home = await openOrCreateHome({ directory: this.#directory })
    try {
      await this.#hold(home)
      return await this.#answer(home, attachment, request)
    } catch (error) {
      this.#sessions.delete(`${id} ${request.session}`)
      throw error
    } finally {
      await home.close()
    }
  }

  /** Open from one call to the next. */
  async #hold(home: Home): Promise<void> {
    if (this.#held?.store === home.store) return
    this.#sessions.clear()
    const before = this.#held
    this.#held = await openOrCreateHome({ directory: this.#directory })
    await before?.close()
  }

  async #answer(home: Home, attachment: Attachment, request: HookRequest): Promise<HookAnswer> {
    const { hostEvent } = request
    if (hostEvent.kind === 'start') return { kind: 'pass' }
    const key = `${attachment.id} ${request.session}`
    if (hostEvent.kind === 'end') {
      this.#sessions.delete(key)
      return handleHook(home, attachment, request)
    }
    const live = await this.#session(key, home, attachment, request)
    await live.inTurn(() => recordUnrecorded(live.session, request.session))
    if (hostEvent.kind === 'after') {
      await live.finish(hostEvent.outcome)
      return { kind: 'pass' }
    }
    const announced = await live.announce(hostEvent.call, () => AbortSignal.timeout(attachment.wait * 1_000))
    const reason = deniedWords(live.session.log.trace, announced)
    return reason === null ? { kind: 'pass' } : { kind: 'deny', reason }
  }

  async #session(
    key: string,
    home: Home,
    attachment: Attachment,
    request: HookRequest,
  ): Promise<LiveSession> {
    const known = this.#sessions.get(key)
    if (known?.at === attachment.at) {
      const live = await known.live
      await live.inTurn(() => live.session.log.refresh())
      if (!live.session.isOver) return live
    }
    const now = this.#sessions.get(key)
    if (now && now !== known) return now.live
    const live = sessionFor(home, attachment, request).then((session) => new LiveSession(session))
    this.#sessions.set(key, { at: attachment.at, live })
    return live
  }

  async close(): Promise<void> {
    this.#sessions.clear()
    await this.#held?.close()
  }
}
