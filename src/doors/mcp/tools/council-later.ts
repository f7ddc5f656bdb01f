// What a host may do with an earlier council: continue it, fork it, have failed seats asked again.

import { z } from 'zod'
import { waitForAnswer } from '../council/attend.ts'
import { fork, resume, retry } from '../council/continue-council.ts'
import { findTrace, tool } from '../tool.ts'

export const trace = z.string().min(1).max(64)
export const timeout = z.string().max(20).optional().describe('how long a seat may be silent: 90s, 2m')
export const seats = z.array(z.string().max(100)).max(8).optional().describe('provider or provider:model')
export const chair = z.string().min(1).max(100).optional().describe('the seat that writes the report')
export const wait = z.boolean().optional().describe('false: return the trace id at once')
export const maxCost = z.number().min(0).max(1_000_000).optional().describe('US dollars')
export const shortCircuit = z.boolean().optional().describe('skip rounds where the settings allow it')

const councilRetry = tool({
  name: 'council_retry',
  title: 'Ask again who failed',
  description:
    'Ask again the seats that failed in a council that is over. Who answered is not asked again; the report is written again.',
  input: z.object({
    trace,
    seats: z.array(z.string().max(100)).max(8).optional().describe('only these of those that failed'),
    timeout,
  }),
  readOnly: false,
  async run(input, session) {
    const { seats: failed = [], timeout: patience } = input
    const id = await findTrace(session.kit, input.trace)
    return waitForAnswer(await retry(session.kit, id, { failed, timeout: patience }), session)
  },
})

const councilResume = tool({
  name: 'council_resume',
  title: 'Go on with a council',
  description: 'Go on with a council that was stopped. What was answered is not asked again.',
  input: z.object({ trace, timeout, wait }),
  readOnly: false,
  async run(input, session) {
    const id = await findTrace(session.kit, input.trace)
    return waitForAnswer(await resume(session.kit, id, input.timeout), session, input.wait)
  },
})

const councilFork = tool({
  name: 'council_fork',
  title: 'Fork a council',
  description: 'A new council that begins as another stood after a round, with another chair or policy.',
  input: z.object({
    trace,
    after: z.union([z.enum(['R1', 'R2']), z.int().min(0)]).describe('a round, or an event number'),
    seats,
    chair,
    max_cost: maxCost,
    short_circuit: shortCircuit,
    timeout,
    wait,
  }),
  readOnly: false,
  async run(input, session) {
    const id = await findTrace(session.kit, input.trace)
    const sitting = await fork(session.kit, id, {
      after: input.after,
      seats: input.seats ?? [],
      chair: input.chair ?? null,
      shortCircuit: input.short_circuit ?? false,
      maxCost: input.max_cost ?? null,
      timeout: input.timeout,
    })
    return waitForAnswer(sitting, session, input.wait)
  },
})

export const LATER_TOOLS = [councilRetry, councilResume, councilFork]
