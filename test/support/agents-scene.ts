// Sessions in a home of their own, really signed and kept: run as the clerk would run them, and forged by the one who
// holds the keys, past every guard. What the forger does is chained and signed without a flaw.

import { wholeBundle } from '../../src/clerk/extract.ts'
import { forkTrace } from '../../src/clerk/fork.ts'
import { Registrar } from '../../src/clerk/registrar.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import type { Payload } from '../../src/ledger/event.ts'
import type { Draft } from '../../src/ledger/signing.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import type { Protocol } from '../../src/protocol.ts'
import type { ArtifactSource } from '../../src/stores/bundle-file.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { MemoryStore } from '../../src/stores/memory.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { agents } from './agents-walk.ts'
import { by, perform, personVerdict, SEATS, task, type World, world } from './agents-world.ts'
import { AGENTS_PROTOCOL, type AgentsState } from './all-of-agents.ts'
import { testPorts } from './ports.ts'
import { type PageContext, type SmuggledDraft, smuggle } from './tamper.ts'

export class SignedSession {
  readonly scene: PageContext
  readonly world: World
  readonly log: TraceLog<AgentsState>

  private constructor(scene: PageContext, known: World) {
    this.scene = scene
    this.world = known
    this.log = new TraceLog(scene.ports, agents, scene.trace)
  }

  static async open(
    opening = task(),
    change: Partial<World> = {},
    seats: typeof SEATS = {},
  ): Promise<SignedSession> {
    const store = new MemoryStore()
    const ports = testPorts(store, true)
    const registrar = await Registrar.create(ports, 'test home', ports.key('registrar').publicKey)
    for (const [agent, roles] of Object.entries({ ...SEATS, ...seats }))
      await registrar.register(agent, roles, ports.key(agent).publicKey)
    const trust = { keys: [ports.key('registrar').id], checkpoints: [] }
    const kit = { store, registrar, sha256 }
    const scene = { store, ports, registrar, trace: ports.newTrace(), kit, trust }
    const session = new SignedSession(scene, world({ at: ports.now(), ...change }))
    await session.say({
      type: 'session_initialized',
      actor: by('olga'),
      payload: opening as unknown as Payload,
    })
    return session
  }

  /** A session that continues from an event of this one. */
  async fork(seq: number): Promise<SignedSession> {
    const from = { parent: this.scene.trace, seq }
    const { trace } = await forkTrace(this.scene.ports, agents, from, by('olga'))
    const forked = new SignedSession({ ...this.scene, trace }, this.world)
    await forked.log.refresh()
    return forked
  }

  get phase(): string {
    return this.log.state.inner.phase
  }

  get wanted(): readonly string[] {
    return agents.decide(this.log.state).map(({ id }) => id)
  }

  async #keep(): Promise<void> {
    for (const bytes of this.world.artifacts.values()) await this.scene.store.putArtifact(bytes)
  }

  async say(draft: Draft): Promise<void> {
    await this.#keep()
    await this.log.append([draft])
    this.world.at = this.scene.ports.now()
  }

  /** Performs what is decided, people included, until an action of this kind is the next. */
  async run(until = 'never/'): Promise<this> {
    await this.log.refresh()
    for (let i = 0; i < 300 && !agents.finished(this.log.state); i++) {
      const actions = agents.decide(this.log.state)
      const next =
        actions.find(({ call }) => call !== 'park') ?? actions.find(({ id }) => /^(review|judge)\//.test(id))
      if (!next || next.id.startsWith(until)) return this
      const drafts =
        next.call === 'park'
          ? [personVerdict(this.world, next)]
          : perform(this.world, next, this.log.state.inner)
      for (const draft of drafts) await this.say(draft)
    }
    return this
  }

  /** What would be said next about this action, to be bent. */
  next(prefix: string): readonly Draft[] {
    const action = agents.decide(this.log.state).find(({ id }) => id.startsWith(prefix))
    if (!action) throw new Error(`${prefix} is not wanted: ${this.wanted.join(' ')}`)
    return action.call === 'park'
      ? [personVerdict(this.world, action)]
      : perform(this.world, action, this.log.state.inner)
  }

  /** Past all guards. */
  async forge(...drafts: readonly (SmuggledDraft | Draft | undefined)[]): Promise<this> {
    await this.#keep()
    const known = drafts.flatMap((draft) => (draft ? [{ protocol: AGENTS_PROTOCOL, ...draft }] : []))
    await smuggle(this.scene, this.scene.trace, ...known)
    await this.log.refresh()
    return this
  }

  /** As an outsider verifies it, offline; one artifact may be gone. */
  async verify(gone: string | null = null): Promise<Report> {
    const { store, trace, trust } = this.scene
    const bundle = await wholeBundle(store, trace)
    const source: ArtifactSource = {
      statArtifact: async (hash) => (hash === gone ? null : store.statArtifact(hash)),
      openArtifact: async (hash) => (hash === gone ? null : store.openArtifact(hash)),
    }
    return examine(bundle, source, trust, [agents as Protocol])
  }

  /** Code and event type of everything that is found. */
  async findings(): Promise<readonly string[]> {
    const { failures } = await this.verify()
    const types: string[] = []
    for await (const { header } of this.scene.store.read(this.scene.trace)) {
      types.push(String(JSON.parse(Buffer.from(header).toString()).type))
    }
    return failures.map(({ code, event }) => `${code} ${types[Number(event?.split('/')[1])]}`)
  }
}

export const withPayload = (
  draft: Draft | undefined,
  change: Payload,
  agent?: string,
  role?: string,
): Draft => {
  if (!draft) throw new Error('nothing to bend')
  const actor = agent ? by(agent, role ?? draft.actor.role) : draft.actor
  return { ...draft, actor, payload: { ...draft.payload, ...change } }
}
