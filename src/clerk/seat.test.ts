import { expect, it } from 'vitest'
import { WitanError } from '../ledger/errors.ts'
import { type AskableSeat, askSeatSafely } from './seat.ts'

const ASKING = {
  ...{ round: 'R1', system: '', parts: [], schema: null },
  limits: { maxOutputTokens: null, maxReplyBytes: 1_000 },
  signal: new AbortController().signal,
}

const rejecting = (error: Error): AskableSeat => ({ provider: 'ann', ask: () => Promise.reject(error) })

it('APP-14 treats a seat that throws as a failed one', async () => {
  const asked = await askSeatSafely(rejecting(new Error('out of ink')), ASKING)
  expect(asked.failure).toMatchObject({ provider: 'ann', error_message: 'the seat of ann threw: out of ink' })
})

it('APP-14 counts no failure of a seat if the run must stop: a database that is away, a worker that was given up', async () => {
  for (const code of ['VAULT_UNREACHABLE', 'VAULT_BUSY', 'INTERRUPTED'] as const) {
    const error = new WitanError(code, 'the run cannot go on', 'Try again.')
    await expect(askSeatSafely(rejecting(error), ASKING)).rejects.toBe(error)
  }
})
