// A session of agents that is performed by a known world and recorded through a real book, in a home that it may share
// with other sessions.

import { Book } from '../../../src/clerk/book.ts'
import { forkTrace } from '../../../src/clerk/fork.ts'
import { Registrar } from '../../../src/clerk/registrar.ts'
import type { Payload } from '../../../src/ledger/event.ts'
import type { Draft } from '../../../src/ledger/seal.ts'
import type { Action } from '../../../src/protocol.ts'
import { sha256 } from '../../../src/vaults/digest.ts'
import { MemoryVault } from '../../../src/vaults/memory.ts'
import type { AgentsState } from '../../support/agents-room.ts'
import { agents } from '../../support/agents-walk.ts'
import { by, perform, personSays, SEATS, task, type World, world } from '../../support/agents-world.ts'
import { type TestOffice, testOffice } from '../../support/office.ts'
import type { Scene } from '../../support/tamper.ts'

export interface Room extends Scene {
  /** How late it is, in minutes beyond what the clock says. */
  late: number
}

export async function openRoom(): Promise<Room> {
  const vault = new MemoryVault()
  const base = testOffice(vault, true)
  const office: TestOffice = {
    ...base,
    now: () => new Date(Date.parse(base.now()) + room.late * 60_000).toISOString(),
  }
  const room = { late: 0 } as Room
  const registrar = await Registrar.create(office, 'test home', office.key('registrar').publicKey)
  for (const [agent, roles] of Object.entries(SEATS))
    await registrar.register(agent, roles, office.key(agent).publicKey)
  const trust = { keys: [office.key('registrar').id], checkpoints: [] }
  return Object.assign(room, {
    vault,
    office,
    registrar,
    trace: '',
    desk: { vault, registrar, sha256 },
    trust,
  })
}

export class Recorded {
  readonly room: Room
  readonly world: World
  readonly book: Book<AgentsState>
  /** How a person's word is changed before it is said. */
  readonly person: (draft: Draft, action: Action) => Draft

  constructor(
    room: Room,
    change: Partial<World> = {},
    person: (draft: Draft, action: Action) => Draft = (draft) => draft,
    book?: Book<AgentsState>,
  ) {
    room.late = 0
    this.room = room
    this.world = world({ at: room.office.now(), ...change })
    this.book = book ?? new Book(room.office, agents, room.office.newTrace())
    this.person = person
  }

  get phase(): string {
    return this.book.state.inner.phase
  }

  get wanted(): readonly Action[] {
    return agents.decide(this.book.state)
  }

  async open(opening = task()): Promise<this> {
    return this.say({
      type: 'session_initialized',
      actor: by('olga'),
      payload: opening as unknown as Payload,
    })
  }

  async say(draft: Draft): Promise<this> {
    for (const bytes of this.world.artifacts.values()) await this.room.vault.putArtifact(bytes)
    await this.book.append([draft])
    this.world.at = this.room.office.now()
    return this
  }

  /** Performs what is decided until nothing is, or until this holds after an event. */
  async run(until: (session: Recorded) => boolean = () => false, people = true): Promise<this> {
    for (let i = 0; i < 300 && !agents.finished(this.book.state) && !until(this); i++) {
      const next = this.wanted.find(({ call }) => call !== 'park')
      const parked = people ? this.wanted.find(({ id }) => /^(review|judge|resolve)\//.test(id)) : undefined
      if (!next && !parked) return this
      const drafts = next
        ? perform(this.world, next, this.book.state.inner)
        : [this.person(personSays(this.world, parked as Action), parked as Action)]
      for (const draft of drafts) {
        await this.say(draft)
        if (until(this)) return this
      }
    }
    return this
  }

  /** Closes the call that is open as one whose clerk is gone. */
  async lose(): Promise<this> {
    const [action = ''] = [...this.book.state.open.keys()]
    const type = action.startsWith('tool/') ? 'call_indeterminate' : 'call_lost'
    return this.say({ type, actor: by('clerk'), payload: { action, reason: 'its clerk is gone' } })
  }

  async fork(seq: number, change: Partial<World> = {}): Promise<Recorded> {
    const book = await forkTrace(this.room.office, agents, { parent: this.book.trace, seq }, by('clerk'))
    const child = new Recorded(this.room, change, this.person, book)
    for (const [hash, bytes] of this.world.artifacts) child.world.artifacts.set(hash, bytes)
    return child
  }
}

export const opened =
  (kind: string) =>
  ({ book }: Recorded): boolean =>
    [...book.state.open.keys()].some((id) => id.startsWith(kind))

export const wanting =
  (kind: string) =>
  ({ wanted }: Recorded): boolean =>
    wanted.some(({ id }) => id.startsWith(kind))

export const inPhase =
  (phase: string) =>
  (session: Recorded): boolean =>
    session.phase === phase
