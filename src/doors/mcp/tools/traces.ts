// What a host may read of the traces of this home: list, show and verify. It names a trace, never a file.

import { z } from 'zod'
import { listTraces } from '../../../app/traces/list-traces.ts'
import { readEvent, readTrace } from '../../../app/traces/read-trace.ts'
import { tracesLike as idsLike } from '../../../app/traces/trace-name.ts'
import { verifyTrace } from '../../../app/traces/verify-trace.ts'
import { isWitanError } from '../../../ledger/errors.ts'
import { eventJson, eventLines, traceJson, traceLines } from '../../../render/trace-content.ts'
import { listJson, listLines } from '../../../render/trace-list.ts'
import { verdictLines } from '../../../render/verdict.ts'
import { refuseHidden } from '../hidden-traces.ts'
import { type Answer, findTrace, type Kit, locationOf, PAGE, type Session, tool } from '../tool.ts'

export const trace = z.string().min(1).max(64).describe('id, its beginning, or "last"')

/** A home that does not exist contains nothing, which is no error: some hosts drop a server that reports one. */
function noneYet(error: unknown): readonly never[] {
  if (isWitanError(error, 'HOME_MISSING')) return []
  throw error
}

export const listedTraces = (kit: Kit) => listTraces(locationOf(kit)).catch(noneYet)

/** The ids that begin like this, newest first. */
export const tracesLike = async (kit: Kit, begun: string): Promise<string[]> => [
  ...(await idsLike(locationOf(kit), begun).catch(noneYet)),
]

export const answer = (value: object, lines: readonly string[]): Answer => ({ value, text: lines.join('\n') })

export async function showTrace({ kit }: Pick<Session, 'kit'>, name: string, seq?: number): Promise<Answer> {
  const id = await findTrace(kit, name)
  await refuseHidden(kit, id)
  if (seq === undefined) {
    const content = await readTrace(locationOf(kit), id)
    return answer(traceJson(content), traceLines(content, PAGE))
  }
  const content = await readEvent(locationOf(kit), id, seq)
  return answer(eventJson(content), eventLines(content, PAGE))
}

const traceList = tool({
  name: 'trace_list',
  title: 'List traces',
  description: 'List the recorded deliberations of this installation, newest first.',
  input: z.object({}),
  readOnly: true,
  run: async (_, { kit }) => {
    const value = listJson(kit.home, await listTraces(locationOf(kit)))
    return answer(value, listLines(value.traces, new Date().toISOString(), PAGE))
  },
})

const traceShow = tool({
  name: 'trace_show',
  title: 'Show a trace',
  description: 'What happened in a trace, event by event; with seq, one event in full.',
  input: z.object({ trace, seq: z.int().min(0).max(1e9).optional() }),
  readOnly: true,
  run: ({ trace: name, seq }, session) => showTrace(session, name, seq),
})

const traceVerify = tool({
  name: 'trace_verify',
  title: 'Verify a trace',
  description: 'Check every signature, link, artifact and rule of a trace. Changes nothing.',
  input: z.object({ trace }),
  readOnly: true,
  run: async ({ trace: name }, { kit, progress }) => {
    const id = await findTrace(kit, name)
    const checking = (events: number): void => progress(`Checking ${events} events…`)
    const report = await verifyTrace(locationOf(kit), id, { checking })
    return answer(report, verdictLines(report, { ...PAGE, hasReaderTrust: false }))
  },
})

export const TRACE_TOOLS = [traceList, traceShow, traceVerify]
