// Sessions in a home of their own, really signed and kept: run as the clerk would run them, and forged by whoever
// holds the keys, past every guard. What the forger does is chained and signed without a flaw.

import { Book } from '../../src/clerk/book.ts'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { forkTrace } from '../../src/clerk/fork.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import type { Payload } from '../../src/ledger/event.ts'
import type { Draft } from '../../src/ledger/seal.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import type { Protocol } from '../../src/protocol.ts'
import { examine } from '../../src/vaults/answers.ts'
import type { ArtifactSource } from '../../src/vaults/bundle-file.ts'
import { sha256 } from '../../src/vaults/digest.ts'
import { MemoryVault } from '../../src/vaults/memory.ts'
import { AGENTS_PROTOCOL, type AgentsState } from './agents-room.ts'
import { agents } from './agents-walk.ts'
import { by, perform, personSays, SEATS, task, type World, world } from './agents-world.ts'
import { testOffice } from './office.ts'
import { type Scene, type Smuggled, smuggle } from './tamper.ts'

export class SignedSession {
  readonly scene: Scene
  readonly world: World
  readonly book: Book<AgentsState>

  private constructor(scene: Scene, known: World) {
    this.scene = scene
    this.world = known
    this.book = new Book(scene.office, agents, scene.trace)
  }

  static async open(
    opening = task(),
    change: Partial<World> = {},
    seats: typeof SEATS = {},
  ): Promise<SignedSession> {
    const vault = new MemoryVault()
    const office = testOffice(vault, true)
    const registrar = await Registrar.create(office, 'test home', office.key('registrar').publicKey)
    for (const [agent, roles] of Object.entries({ ...SEATS, ...seats }))
      await registrar.register(agent, roles, office.key(agent).publicKey)
    const trust = { keys: [office.key('registrar').id], checkpoints: [] }
    const desk = { vault, registrar, sha256 }
    const scene = { vault, office, registrar, trace: office.newTrace(), desk, trust }
    const session = new SignedSession(scene, world({ at: office.now(), ...change }))
    await session.say({
      type: 'session_initialized',
      actor: by('olga'),
      payload: opening as unknown as Payload,
    })
    return session
  }

  /** A session that goes on from an event of this one. */
  async fork(seq: number): Promise<SignedSession> {
    const from = { parent: this.scene.trace, seq }
    const { trace } = await forkTrace(this.scene.office, agents, from, by('olga'))
    const forked = new SignedSession({ ...this.scene, trace }, this.world)
    await forked.book.refresh()
    return forked
  }

  get phase(): string {
    return this.book.state.inner.phase
  }

  get wanted(): readonly string[] {
    return agents.decide(this.book.state).map(({ id }) => id)
  }

  async #keep(): Promise<void> {
    for (const bytes of this.world.artifacts.values()) await this.scene.vault.putArtifact(bytes)
  }

  async say(draft: Draft): Promise<void> {
    await this.#keep()
    await this.book.append([draft])
    this.world.at = this.scene.office.now()
  }

  /** Performs what is decided, people included, until an action of this kind is the next. */
  async run(until = 'never/'): Promise<this> {
    await this.book.refresh()
    for (let i = 0; i < 300 && !agents.finished(this.book.state); i++) {
      const actions = agents.decide(this.book.state)
      const next =
        actions.find(({ call }) => call !== 'park') ?? actions.find(({ id }) => /^(review|judge)\//.test(id))
      if (!next || next.id.startsWith(until)) return this
      const drafts =
        next.call === 'park'
          ? [personSays(this.world, next)]
          : perform(this.world, next, this.book.state.inner)
      for (const draft of drafts) await this.say(draft)
    }
    return this
  }

  /** What would be said next about this action, to be bent. */
  next(prefix: string): readonly Draft[] {
    const action = agents.decide(this.book.state).find(({ id }) => id.startsWith(prefix))
    if (!action) throw new Error(`${prefix} is not wanted: ${this.wanted.join(' ')}`)
    return action.call === 'park'
      ? [personSays(this.world, action)]
      : perform(this.world, action, this.book.state.inner)
  }

  /** Past all guards. */
  async forge(...drafts: readonly (Smuggled | Draft | undefined)[]): Promise<this> {
    await this.#keep()
    const known = drafts.flatMap((draft) => (draft ? [{ protocol: AGENTS_PROTOCOL, ...draft }] : []))
    await smuggle(this.scene, this.scene.trace, ...known)
    await this.book.refresh()
    return this
  }

  /** As an outsider verifies it, offline; one artifact may be gone. */
  async verify(gone: string | null = null): Promise<Report> {
    const { vault, trace, trust } = this.scene
    const bundle = await wholeBundle(vault, trace)
    const source: ArtifactSource = {
      statArtifact: async (hash) => (hash === gone ? null : vault.statArtifact(hash)),
      openArtifact: async (hash) => (hash === gone ? null : vault.openArtifact(hash)),
    }
    return examine(bundle, source, trust, [agents as Protocol])
  }

  /** Code and event type of everything that is found. */
  async findings(): Promise<readonly string[]> {
    const { failures } = await this.verify()
    const types: string[] = []
    for await (const { header } of this.scene.vault.read(this.scene.trace)) {
      types.push(String(JSON.parse(Buffer.from(header).toString()).type))
    }
    return failures.map(({ code, event }) => `${code} ${types[Number(event?.split('/')[1])]}`)
  }
}

export const bent = (draft: Draft | undefined, change: Payload, agent?: string, role?: string): Draft => {
  if (!draft) throw new Error('nothing to bend')
  const actor = agent ? by(agent, role ?? draft.actor.role) : draft.actor
  return { ...draft, actor, payload: { ...draft.payload, ...change } }
}
