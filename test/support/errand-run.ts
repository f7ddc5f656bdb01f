// Runs an errand from its first event to its last, with a real clerk.

import { Clerk, type Perform, type RunEnd, type RunOptions } from '../../src/clerk/clerk.ts'
import type { Registrar } from '../../src/clerk/registrar.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import type { WithOpenCalls } from '../../src/ledger/calls.ts'
import type { Draft } from '../../src/ledger/signing.ts'
import { type ErrandState, errand } from '../protocols/errand.ts'
import type { TestPorts } from './ports.ts'

export type ErrandLog = TraceLog<WithOpenCalls<ErrandState>>

export const OUTPUT = 'the licence is Apache-2.0\n'

export function performer(ports: TestPorts, registrar: Registrar): Perform {
  return async (action): Promise<readonly Draft[]> => {
    const base = action.id.slice(0, action.id.lastIndexOf('/'))
    const say = (type: string, agent: string, role: string, payload: object): readonly Draft[] => [
      { type, actor: registrar.actor(agent, role), payload: { action: action.id, ...payload } },
    ]
    if (base.startsWith('ask/')) {
      return say('answer_given', 'sam', 'seat', {
        seat: action.input.seat,
        text: `answer of ${action.input.seat}`,
      })
    }
    if (base === 'intent')
      return say('tool_intent_signed', 'eve', 'executor', { tool: 'fetch', risk: 'high' })
    if (base === 'claim') {
      return say('claim_issued', 'eve', 'executor', {
        text: 'it is Apache-2.0',
        evidence: action.input.evidence,
      })
    }
    if (base === 'close') return say('errand_closed', 'aude', 'auditor', {})
    const { hash, size } = await ports.store.putArtifact(Buffer.from(OUTPUT))
    const artifacts = [{ hash, size, name: 'output.txt', media_type: 'text/plain' }]
    return say('tool_execution_completed', 'eve', 'executor', { artifacts })
  }
}

export async function openErrand(
  ports: TestPorts,
  registrar: Registrar,
  seats = ['a', 'b', 'c'],
): Promise<ErrandLog> {
  const log = new TraceLog(ports, errand, ports.newTrace())
  const payload = { question: 'Which licence?', seats }
  await log.append([{ type: 'errand_opened', actor: registrar.actor('paula', 'planner'), payload }])
  return log
}

export async function approve(log: ErrandLog, registrar: Registrar): Promise<void> {
  await log.refresh()
  const action = log.protocol.decide(log.state).find((candidate) => candidate.call === 'park')
  if (!action) throw new Error('nothing waits for approval')
  await log.append([
    { type: 'intent_approved', actor: registrar.actor('carl', 'critic'), payload: { action: action.id } },
  ])
}

export const runClerk = (
  ports: TestPorts,
  registrar: Registrar,
  log: ErrandLog,
  options: RunOptions = {},
  perform: Perform = performer(ports, registrar),
): Promise<RunEnd> => new Clerk(ports, registrar, log, perform, options).run()

/** A whole errand: asked, intended, approved, executed, claimed, closed and checkpointed. */
export async function completeErrand(ports: TestPorts, registrar: Registrar): Promise<ErrandLog> {
  const log = await openErrand(ports, registrar)
  await runClerk(ports, registrar, log)
  await approve(log, registrar)
  await runClerk(ports, registrar, log)
  return log
}
