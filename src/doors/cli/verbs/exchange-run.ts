// `witan exchange run`: opens an exchange on terms, or goes on with one, for so many rounds.

import { withPool } from '../../../app/exchange/pool-run.ts'
import { grant, runPool } from '../../../app/exchange/running.ts'
import type { Verb } from '../command.ts'
import { checkOutputs } from '../run-trace.ts'

const ROUNDS = 20

export const run: Verb = async (call) => {
  await checkOutputs(call)
  return withPool(call, { chat: false }, async (pool) => {
    await grant(pool, call.count('rounds') ?? ROUNDS, 'run')
    return runPool(pool)
  })
}
