// A session of agents that is performed by a known world and recorded through a real book, in a home that it may share
// with other sessions.

import { forkTrace } from '../../../src/clerk/fork.ts'
import { Registrar } from '../../../src/clerk/registrar.ts'
import { TraceLog } from '../../../src/clerk/trace-log.ts'
import type { Payload } from '../../../src/ledger/event.ts'
import type { Draft } from '../../../src/ledger/signing.ts'
import type { Action } from '../../../src/protocol.ts'
import { sha256 } from '../../../src/stores/digest.ts'
import { MemoryStore } from '../../../src/stores/memory.ts'
import { agents } from '../../support/agents-walk.ts'
import { by, perform, personVerdict, SEATS, task, type World, world } from '../../support/agents-world.ts'
import type { AgentsState } from '../../support/all-of-agents.ts'
import { type TestPorts, testPorts } from '../../support/ports.ts'
import type { PageContext } from '../../support/tamper.ts'

export interface Room extends PageContext {
  /** How late it is, in minutes beyond what the clock says. */
  late: number
}

export async function openRoom(): Promise<Room> {
  const store = new MemoryStore()
  const base = testPorts(store, true)
  const ports: TestPorts = {
    ...base,
    now: () => new Date(Date.parse(base.now()) + room.late * 60_000).toISOString(),
  }
  const room = { late: 0 } as Room
  const registrar = await Registrar.create(ports, 'test home', ports.key('registrar').publicKey)
  for (const [agent, roles] of Object.entries(SEATS))
    await registrar.register(agent, roles, ports.key(agent).publicKey)
  const trust = { keys: [ports.key('registrar').id], checkpoints: [] }
  return Object.assign(room, {
    store,
    ports,
    registrar,
    trace: '',
    kit: { store, registrar, sha256 },
    trust,
  })
}

export class Recorded {
  readonly room: Room
  readonly world: World
  readonly log: TraceLog<AgentsState>
  /** How a person's word is changed before it is said. */
  readonly person: (draft: Draft, action: Action) => Draft

  constructor(
    room: Room,
    change: Partial<World> = {},
    person: (draft: Draft, action: Action) => Draft = (draft) => draft,
    log?: TraceLog<AgentsState>,
  ) {
    room.late = 0
    this.room = room
    this.world = world({ at: room.ports.now(), ...change })
    this.log = log ?? new TraceLog(room.ports, agents, room.ports.newTrace())
    this.person = person
  }

  get phase(): string {
    return this.log.state.inner.phase
  }

  get wanted(): readonly Action[] {
    return agents.decide(this.log.state)
  }

  async open(opening = task()): Promise<this> {
    return this.say({
      type: 'session_initialized',
      actor: by('olga'),
      payload: opening as unknown as Payload,
    })
  }

  async say(draft: Draft): Promise<this> {
    for (const bytes of this.world.artifacts.values()) await this.room.store.putArtifact(bytes)
    await this.log.append([draft])
    this.world.at = this.room.ports.now()
    return this
  }

  /** Performs what is decided until nothing is, or until this holds after an event. */
  async run(until: (session: Recorded) => boolean = () => false, people = true): Promise<this> {
    for (let i = 0; i < 300 && !agents.finished(this.log.state) && !until(this); i++) {
      const next = this.wanted.find(({ call }) => call !== 'park')
      const parked = people
        ? this.wanted.find(({ id }) => /^(review|judge|resolve|weigh)\//.test(id))
        : undefined
      if (!next && !parked) return this
      const drafts = next
        ? perform(this.world, next, this.log.state.inner)
        : [this.person(personVerdict(this.world, parked as Action), parked as Action)]
      for (const draft of drafts) {
        await this.say(draft)
        if (until(this)) return this
      }
    }
    return this
  }

  /** Closes the call that is open as one whose clerk is gone. */
  async lose(): Promise<this> {
    const [action = ''] = [...this.log.state.open.keys()]
    const type = action.startsWith('tool/') ? 'call_indeterminate' : 'call_lost'
    return this.say({ type, actor: by('clerk'), payload: { action, reason: 'its clerk is gone' } })
  }

  async fork(seq: number, change: Partial<World> = {}): Promise<Recorded> {
    const log = await forkTrace(this.room.ports, agents, { parent: this.log.trace, seq }, by('clerk'))
    const child = new Recorded(this.room, change, this.person, log)
    for (const [hash, bytes] of this.world.artifacts) child.world.artifacts.set(hash, bytes)
    return child
  }
}

export const opened =
  (kind: string) =>
  ({ log }: Recorded): boolean =>
    [...log.state.open.keys()].some((id) => id.startsWith(kind))

export const wanting =
  (kind: string) =>
  ({ wanted }: Recorded): boolean =>
    wanted.some(({ id }) => id.startsWith(kind))

export const inPhase =
  (phase: string) =>
  (session: Recorded): boolean =>
    session.phase === phase
