// The events of a session, one line each, noted as they arrive. Only the newest are kept: a session may have
// any number, and the list of events has them all.

import { AGENTS_PROTOCOL } from '../../../../agents/agents.ts'
import type { Occurrence } from '../../../../protocol.ts'
import { tellOf } from '../../../../render/story/story.ts'

export interface Step {
  readonly trace: string
  readonly seq: number
  readonly who: string
  readonly words: string
  readonly tone: string
  readonly from: number
  readonly to: number
}

const MAX_STEPS = 1_000

export class SessionSteps {
  readonly shown: Step[] = []
  /** How many were dropped. */
  earlier = 0
  readonly #begun = new Map<string, number>()

  take(event: Occurrence): void {
    const { trace, seq, type, actor, payload } = event
    const at = Date.parse(event.at)
    const action = typeof payload?.action === 'string' ? payload.action : null
    if (type === 'call_started') {
      if (action !== null) this.#begun.set(action, at)
      return
    }
    const from = (action === null ? undefined : this.#begun.get(action)) ?? at
    if (action !== null) this.#begun.delete(action)
    const storyLine = tellOf(AGENTS_PROTOCOL, event)
    const [words, tone] = storyLine === null ? [type, 'quiet'] : [storyLine.text, storyLine.tone]
    this.shown.push({ trace, seq, who: actor.agent, words, tone, from, to: at })
    if (this.shown.length <= MAX_STEPS) return
    this.shown.shift()
    this.earlier++
  }
}
