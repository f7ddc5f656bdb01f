// Walks a session event by event without a store: every event is judged by the protocol before it is folded, and the
// hash of an event is the hash of what it says and of what came before it.

import { canonicalize } from '../../src/ledger/canonical.ts'
import type { Draft } from '../../src/ledger/signing.ts'
import type { Action, Occurrence, Refusal } from '../../src/protocol.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { by, hashOf, perform, personVerdict, task, type World, world } from './agents-world.ts'
import { type AgentsState, agentsProtocol, type SessionState } from './all-of-agents.ts'

export const agents = agentsProtocol(sha256)
export const TRACE = '01KE0000000000000000000001'

export class Walk {
  state: AgentsState = agents.initial
  readonly events: Occurrence[] = []
  readonly world: World
  /** Which of the actions that can be performed now is performed next. */
  pick: (actions: readonly Action[]) => Action | undefined = (actions) => actions[0]
  #last = ''

  constructor(change: Partial<World> = {}) {
    this.world = world(change)
  }

  get session(): SessionState {
    return this.state.inner
  }

  get phase(): SessionState['phase'] {
    return this.session.phase
  }

  occurrence({ type, actor, payload }: Draft): Occurrence {
    const hash = hashOf(canonicalize({ type, payload, before: this.#last }))
    return { trace: TRACE, seq: this.events.length, at: this.world.at, type, actor, hash, payload }
  }

  refusal(draft: Draft): Refusal | null {
    return agents.refuse(this.state, this.occurrence(draft))
  }

  /** Folds the event no matter what the protocol says of it. */
  force(draft: Draft): Occurrence {
    const event = this.occurrence(draft)
    this.events.push(event)
    this.#last = event.hash
    this.state = agents.evolve(this.state, event)
    this.world.at = new Date(Date.parse(this.world.at) + 1_000).toISOString()
    return event
  }

  say(draft: Draft): Occurrence {
    const refusal = this.refusal(draft)
    if (refusal) throw new Error(`${draft.type} is refused: ${refusal.code} ${refusal.message}`)
    return this.force(draft)
  }

  open(opening = task()): this {
    this.say({ type: 'session_initialized', actor: by('olga'), payload: opening as never })
    return this
  }

  get wanted(): readonly Action[] {
    return agents.decide(this.state)
  }

  /** Performs what is decided until nothing is, or `until` says so; people answer when `people` is set. */
  run(until: (walk: Walk) => boolean = () => false, people = true): this {
    for (let i = 0; i < 500 && !agents.finished(this.state) && !until(this); i++) {
      const next = this.pick(this.wanted.filter(({ call }) => call !== 'park'))
      const parked = people
        ? this.wanted.find(({ id }) => /^(review|judge|resolve|weigh)\//.test(id))
        : undefined
      if (next) this.#perform(next, until)
      else if (parked) this.say(personVerdict(this.world, parked))
      else return this
    }
    return this
  }

  #perform(action: Action, until: (walk: Walk) => boolean): void {
    for (const draft of perform(this.world, action, this.session)) {
      this.say(draft)
      if (until(this)) return
    }
  }

  /** What would be recorded of the wanted action whose id starts so. */
  drafts(prefix: string): readonly Draft[] {
    const action = this.wanted.find(({ id }) => id.startsWith(prefix))
    if (!action)
      throw new Error(`${prefix} is not wanted; wanted: ${this.wanted.map(({ id }) => id).join(' ')}`)
    return action.call === 'park'
      ? [personVerdict(this.world, action)]
      : perform(this.world, action, this.session)
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => type)
  }
}
