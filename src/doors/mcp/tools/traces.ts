// What a host may do with the traces of this home: list, read, check and export them. It names a trace, never a file.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { openStore } from '../../../app/home/home.ts'
import { byActivity } from '../../../app/traces/trace-name.ts'
import { isWitanError } from '../../../ledger/errors.ts'
import { run as runExport } from '../../cli/verbs/export.ts'
import { run as runList } from '../../cli/verbs/list.ts'
import { run as runShow } from '../../cli/verbs/show.ts'
import { run as runVerify } from '../../cli/verbs/verify.ts'
import { refuseHidden } from '../hidden.ts'
import { type Answer, type Desk, type Session, tool } from '../tool.ts'
import { runVerb, traceOf } from '../verb.ts'

const trace = z.string().min(1).max(64).describe('id, its beginning, or "last"')

export interface Listed {
  readonly trace: string
  readonly protocol: string
  readonly size: number
}

const listTraces = (session: Session): Promise<Answer> => runVerb(runList, session, [])

/** A home that was never made holds nothing, which is no fault: some hosts drop a server that reports one. */
function noneYet(error: unknown): null {
  if (isWitanError(error, 'HOME_MISSING')) return null
  throw error
}

export async function listedTraces(session: Session): Promise<readonly Listed[]> {
  const answer = await listTraces(session).catch(noneYet)
  return (answer?.value as { traces: readonly Listed[] } | undefined)?.traces ?? []
}

/** The ids that begin like this, newest first. */
export async function tracesLike({ home, postgres }: Desk, begun: string): Promise<string[]> {
  const store = await openStore({ directory: home, mode: 'read', postgres }).catch(noneYet)
  if (store === null) return []
  try {
    const ids = byActivity(await store.traces()).map(({ trace: id }) => id)
    return ids.filter((id) => id.startsWith(begun.toUpperCase()))
  } finally {
    await store.close()
  }
}

export async function showTrace(session: Session, name: string, seq?: number): Promise<Answer> {
  const id = await traceOf(session.desk, name)
  await refuseHidden(session.desk, id)
  return runVerb(runShow, session, seq === undefined ? [id] : [id, String(seq)])
}

const traceList = tool({
  name: 'trace_list',
  title: 'List traces',
  description: 'List the recorded deliberations of this installation, newest first.',
  input: z.object({}),
  readOnly: true,
  run: (_, session) => listTraces(session),
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
  run: async ({ trace: name }, session) => runVerb(runVerify, session, [await traceOf(session.desk, name)]),
})

const traceExport = tool({
  name: 'trace_export',
  title: 'Export a trace',
  description: 'Write a trace into the exports folder of the home, as a bundle or page anyone can verify.',
  input: z.object({ trace, html: z.boolean().optional() }),
  readOnly: false,
  run: async ({ trace: name, html = false }, session) => {
    const id = await traceOf(session.desk, name)
    await refuseHidden(session.desk, id)
    const folder = join(session.desk.home, 'exports')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const output = join(folder, `${id}.${html ? 'html' : 'witan'}`)
    return runVerb(runExport, session, [id], { output, force: true, ...(html && { html: true }) })
  },
})

export const TRACE_TOOLS = [traceList, traceShow, traceVerify, traceExport]
