// Tools of a program's own agent, made accountable: each call is announced, judged and recorded before it runs, as a call of
// an attached host is. The program is the host: it says its own name, and what runs, runs in it. A call that is not
// allowed is never made; its caller gets an error instead.

import { resolve } from 'node:path'
import { resultOf, type SessionResult } from '../../agents/result.ts'
import { asJson, type Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { ToolDefinition } from '../../tools/toolset.ts'
import { decideAs, pendingIn } from '../agents/decide.ts'
import { verifierOf } from '../agents/own-audit.ts'
import { inStore } from '../storage.ts'
import {
  type AccountableOptions,
  checkedEffects,
  readPolicyFile,
  standingOrderOf,
} from './accountable-options.ts'
import { attachedPolicy } from './attached-policy.ts'
import { AttachedSession } from './attached-session.ts'
import { attachedSigners, openAttached } from './open-attached.ts'

/** One call of one tool, and the function that makes it. */
export interface AccountableCall {
  readonly tool: string
  readonly input: unknown
  readonly call?: string | null
  readonly description?: string
}

/** A session that records every call made through it. */
export interface AccountableSession {
  readonly trace: string
  /** Makes the call if it is allowed, and records how it ended. */
  run<Result>(call: AccountableCall, make: () => Result | Promise<Result>): Promise<Result>
  /** Claims what is provable, audits and seals the session. */
  close(): Promise<SessionResult>
}

const OPERATOR = 'operator'
const PERSON = 'person'

/** What cannot be said in JSON is said in words. */
function jsonValue(value: unknown): Json {
  if (value === undefined) return null
  try {
    return asJson(JSON.parse(JSON.stringify(value) ?? 'null'))
  } catch {
    return String(value)
  }
}

/** Opens a session for tools that a program calls itself; close it when the work is done. */
export async function openAccountable(options: AccountableOptions = {}): Promise<AccountableSession> {
  const { name = 'program', version = 'unknown', decide, person = PERSON, gate = false } = options
  const effects = checkedEffects(options.effects)
  const order = standingOrderOf(options.order)
  const file = await readPolicyFile(options.policy ?? 'lenient')
  const storage = options.storage ?? (await inStore())
  const { ports } = storage
  const people = decide ? [{ agent: person, roles: ['critic'] }] : []
  const registrar = await storage.registerSigners([...attachedSigners(OPERATOR), ...people])
  const described = new Map<string, string>()
  const define = (tool: string): ToolDefinition => ({
    name: tool,
    description: described.get(tool) ?? `A tool of ${name}.`,
    inputSchema: {},
    effects: effects[tool] ?? ['unknown'],
    source: 'program',
  })
  const workspace = resolve(options.workspace ?? process.cwd())
  const policy = await attachedPolicy({ mode: gate ? 'gate' : 'record', policy: file }, define, workspace)
  const trace = ports.newTrace()
  const log = await openAttached(ports, registrar, trace, {
    as: { host: name, version, session: trace },
    order,
    policy,
    proof: 'terminal',
    viaHost: decide !== undefined,
    operator: OPERATOR,
  })
  const verify = verifierOf({ ports }, registrar.log.state.registrars)
  const session = new AttachedSession(log, { ports, registrar, policy, define, verify })

  /** False when no one answered. */
  async function isDecided(intent: string, tool: string, input: Json): Promise<boolean> {
    const pending = pendingIn(log).find(({ subject }) => subject === intent)
    const verdict = pending && (await decide?.({ ...pending, tool, input }))
    if (!verdict) return false
    const actor = registrar.actor(person, 'critic')
    await decideAs({ actor, via: 'host', ports }, trace, intent, verdict)
    await log.refresh()
    return true
  }

  async function allow(tool: string, input: Json, call: string): Promise<void> {
    for (;;) {
      const announced = await session.announce({ tool, input, call }, AbortSignal.abort())
      if (announced.kind === 'go') return
      const { intent } = announced
      const isHeard = announced.kind === 'waiting' && (await isDecided(intent, tool, input))
      // Announced again, a call that a person has just blocked would be another one, and they would be asked again.
      const { status, reason: why } = session.state.intents.get(intent) ?? { status: 'blocked', reason: null }
      if (isHeard && status !== 'blocked') continue
      const reason = status === 'blocked' ? (why ?? 'blocked') : 'it needs a person, and none has allowed it'
      throw new WitanError('EVENT_REFUSED', `${intent} (${tool}) was not allowed: ${reason}`, `See ${trace}.`)
    }
  }

  let calls = 0
  return {
    trace,
    async run({ tool, input: rawInput, call: id, description }, make) {
      if (description !== undefined && !described.has(tool)) described.set(tool, description)
      const input = jsonValue(rawInput)
      const call = id ?? `call-${++calls}`
      await allow(tool, input, call)
      const start = performance.now()
      const about = { tool, input, call }
      const durationMs = () => performance.now() - start
      try {
        const result = await make()
        await session.finish({ ...about, ok: true, output: jsonValue(result), durationMs: durationMs() })
        await session.tend()
        return result
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error)
        await session.finish({ ...about, ok: false, output: words, error: words, durationMs: durationMs() })
        throw error
      }
    },
    async close() {
      await session.end('ended', 'the program closed it')
      await session.conclude(OPERATOR)
      return resultOf(trace, session.state)
    },
  }
}
