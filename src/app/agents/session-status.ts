// The status of a session, in the same word everywhere: `tampered` where stored data is invalid, which is the
// state `failed` of the protocol, in any phase.

import { awaitsRevision } from '../../agents/proposal-progress.ts'
import { outcomeWords, resultOf } from '../../agents/result.ts'
import type { Ports } from '../../clerk/ports.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { TraceStatus } from '../../ledger/recorded.ts'
import { openLog, pendingIn } from './decide.ts'

const TAMPERED = 'tampered'

/** A session of a newer release cannot be read here, but nothing is wrong with it. */
const unreadable = (error: WitanError): TraceStatus =>
  error.code === 'EDITION_UNKNOWN'
    ? { status: 'unknown edition', phase: null, reason: error.message }
    : { status: TAMPERED, phase: 'failed', reason: error.message }

/** Why a session cannot be resumed, in the usual words. */
export function unreadInWords(trace: string, error: WitanError): string {
  const { status, reason } = unreadable(error)
  return `${trace}: ${status}: ${reason}`
}

export async function sessionStatus(
  { ports }: { readonly ports: Ports },
  trace: string,
): Promise<TraceStatus> {
  let log: Awaited<ReturnType<typeof openLog>>
  try {
    log = await openLog(ports, trace)
  } catch (error) {
    // Not even the chain can be read; the reader should learn that, so it is still shown.
    if (!(error instanceof WitanError)) throw error
    return unreadable(error)
  }
  if (log.flaw) return unreadable(log.flaw)
  const state = log.state.inner
  const traceStatus = (status: string): TraceStatus => ({ status, phase: state.phase, reason: null })
  if (log.protocol.finished(log.state)) return traceStatus(outcomeWords(resultOf(trace, state)))
  if (awaitsRevision(state)) return traceStatus('blocked')
  return traceStatus(pendingIn(log).length > 0 ? 'waiting' : 'open')
}

/** The status word alone. */
export const readSessionState = async (ports: Ports, trace: string): Promise<string> =>
  (await sessionStatus({ ports }, trace)).status
