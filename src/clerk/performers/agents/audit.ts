// The auditor runs the same verifier as any outsider, over everything up to the start of the run, and signs what it
// found: status, hash of the report, and how much of the trace it is about.

import { utf8 } from '../../../ledger/bytes.ts'
import { canonicalize } from '../../../ledger/canonical.ts'
import type { Draft } from '../../../ledger/seal.ts'
import type { Action } from '../../../protocol.ts'
import { type AgentsDesk, saying } from './ports.ts'

export async function completeAudit(desk: AgentsDesk, action: Action): Promise<readonly Draft[]> {
  const { agent, trace, size, hash: head } = action.input as { [name: string]: string | number }
  const { status, report } = await desk.verify(String(trace), Number(size))
  const kept = await desk.ports.store.putArtifact(utf8(canonicalize(report)))
  const artifacts = [{ ...kept, name: 'report.json', media_type: 'application/json' }]
  const payload = { status, report: kept.hash, trace, size, head, artifacts }
  return saying(desk, action, {
    type: 'verification_run_completed',
    agent: String(agent),
    role: 'auditor',
    payload,
  })
}
