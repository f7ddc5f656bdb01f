// Where the calls of a gateway are recorded: one session of the agents protocol for as long as a host is connected, opened with
// its first call. Gated, a call runs only once it is allowed and that is on disk, and what cannot be recorded is
// denied. Who only records never blocks: what could not be recorded becomes a gap.

import { realpath } from 'node:fs/promises'
import type { ToolDefinition } from '../../tools/toolset.ts'
import { deniedWords, type HostCall } from '../attach/announce-call.ts'
import type { AttachedPolicy } from '../attach/attached-policy.ts'
import type { HostOutcome } from '../attach/attached-session.ts'
import { beginPart, type Gateway, keepAttachment, latestPart } from '../attach/attachments.ts'
import { LiveSession } from '../attach/live-session.ts'
import { openPart } from '../attach/open-part.ts'
import { recordUnrecorded, rememberUnrecorded } from '../attach/unrecorded.ts'
import type { Home } from '../home/home.ts'
import { openOrCreateHome, personName } from '../home/signers.ts'
import type { Fields } from './messages.ts'
import { type ApprovedTools, approvedTools, noteOffered, offeredHash } from './tool-definitions.ts'

/** A host, as it says. */
export interface Client {
  readonly name: string
  readonly version: string
}

/** A tool as a server offers it now, under the name by which the host calls it. */
export interface Offered {
  readonly definition: Fields
  readonly recorded: ToolDefinition
}

export interface RecorderOptions {
  readonly directory: string
  /** Where the ledger is when a trusted `--config` says so. */
  readonly postgres: string | null
  readonly gateway: Gateway
  /** What counts as inside. */
  readonly workspace: string
  /** Names this connection of a host. */
  readonly session: string
  readonly offered: () => ReadonlyMap<string, Offered>
  /** What a person should know. */
  readonly tell: (words: string) => void
}

interface OpenedSession {
  readonly home: Home
  readonly live: LiveSession
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export class Recorder {
  readonly #options: RecorderOptions
  #opening: Promise<OpenedSession> | null = null
  #approved: ApprovedTools = {}

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  get #gates(): boolean {
    return this.#options.gateway.mode === 'gate'
  }

  /** Why the tool is not what was approved; null when it is. */
  #changed(tool: string): string | null {
    const offered = this.#options.offered().get(tool)
    const approved = Object.hasOwn(this.#approved, tool) ? this.#approved[tool] : undefined
    if (!offered || approved?.hash === offeredHash(offered.definition)) return null
    const { name } = this.#options.gateway
    return `the server describes ${tool} otherwise than it did when it was approved; a person types: witan gateway --name ${name} --approve ${tool}`
  }

  #guard(policy: AttachedPolicy): AttachedPolicy {
    return {
      ...policy,
      assess: async (call) => {
        const changed = this.#changed(call.tool)
        if (changed !== null && !policy.observes)
          return {
            decision: 'deny',
            needs: 'none',
            risk: 'high',
            deciding: ['definition'],
            reasons: [changed],
          }
        const assessed = await policy.assess(call)
        const reapproved = this.#approved[call.tool]
        const definitionNote =
          changed ?? (reapproved?.by ? `definition approved by ${reapproved.by} at ${reapproved.at}` : null)
        return definitionNote === null
          ? assessed
          : { ...assessed, reasons: [...assessed.reasons, definitionNote] }
      },
    }
  }

  async #open(client: Client): Promise<OpenedSession> {
    const { directory, postgres, gateway, session, workspace, offered } = this.#options
    const home = await openOrCreateHome({ directory, postgres })
    try {
      await keepAttachment(directory, gateway)
      const { part: before, nth } = await latestPart(directory, gateway.id, session)
      const part = await beginPart(directory, nth, {
        ...{ trace: home.ports.newTrace(), attachment: gateway.id, session },
        ...{ program: client.name, version: client.version, transcript: null },
        workspace: await realpath(workspace),
        continues: before?.trace ?? null,
      })
      const unknown = { description: '', inputSchema: {}, effects: ['unknown' as const], source: 'mcp' }
      const opened = await openPart(home, gateway, part, {
        define: (name) => offered().get(name)?.recorded ?? { ...unknown, name },
        guard: (policy) => this.#guard(policy),
      })
      await recordUnrecorded(opened, session)
      return { home, live: new LiveSession(opened) }
    } catch (error) {
      await home.close()
      throw error
    }
  }

  /** The session as it stands; a new one where somebody has closed it. */
  async #session(client: Client): Promise<LiveSession> {
    this.#opening ??= this.#open(client)
    try {
      const { home, live } = await this.#opening
      await live.inTurn(() => live.session.log.refresh())
      if (!live.session.isOver) return live
      await home.close()
      this.#opening = this.#open(client)
      return (await this.#opening).live
    } catch (error) {
      this.#opening = null
      throw error
    }
  }

  async #approve(tool: string): Promise<void> {
    const { directory, gateway, offered } = this.#options
    if (Object.hasOwn(this.#approved, tool) && this.#changed(tool) === null) return
    const known = await approvedTools(directory, gateway.id)
    const definitions = new Map([...offered()].map(([name, entry]) => [name, entry.definition]))
    this.#approved = known
    if (definitions.size > 0)
      this.#approved = await noteOffered(directory, gateway.id, definitions, new Date().toISOString())
  }

  /** Null when the call may be made; else what its host is told. */
  async announce(call: HostCall, client: Client, patience: () => AbortSignal): Promise<string | null> {
    try {
      const live = await this.#session(client)
      await this.#approve(call.tool)
      return deniedWords(live.session.log.trace, await live.announce(call, patience))
    } catch (error) {
      const reason = errorText(error)
      if (this.#gates) return `Witan cannot record this call, so it is denied: ${reason}`
      this.#options.tell(`a call of ${call.tool} could not be recorded: ${reason}`)
      const { tool, call: id } = call
      await rememberUnrecorded(this.#options.session, { tool, call: id, reason }).catch(() => undefined)
      return null
    }
  }

  async finish(outcome: HostOutcome): Promise<void> {
    const opened = await this.#opening?.catch(() => null)
    try {
      await opened?.live.finish(outcome)
    } catch (error) {
      this.#options.tell(`the end of a call of ${outcome.tool} could not be recorded: ${errorText(error)}`)
    }
  }

  /** The host is gone: what is provable is claimed and audited. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => null)
    if (!opened) return
    const { home, live } = opened
    try {
      await live.inTurn(async () => {
        await recordUnrecorded(live.session, this.#options.session)
        await live.session.end('ended', 'the host closed its connection')
        await live.session.conclude(personName())
      })
    } catch (error) {
      this.#options.tell(`the session could not be closed: ${errorText(error)}`)
    } finally {
      await home.close()
    }
  }
}
