// Verifies a session like an outsider who trusts this home's registry. The code for this, including every
// protocol, is loaded when a session reaches its audit: a hook that records one call does not need it.

import type { AgentsKit, AuditResult } from '../../clerk/performers/agents/ports.ts'
import type { Home } from '../home/home.ts'

export const verifierOf =
  ({ ports }: Pick<Home, 'ports'>, registrars: readonly string[]): AgentsKit['verify'] =>
  async (trace): Promise<AuditResult> => {
    const [{ wholeBundle }, { reportDigest }, { examine }, { loadProtocols: protocolsOf }] =
      await Promise.all([
        import('../../clerk/extract.ts'),
        import('../../ledger/verify/report.ts'),
        import('../../stores/verify-answers.ts'),
        import('../protocols.ts'),
      ])
    const { store } = ports
    const bundle = await wholeBundle(store, trace)
    const report = await examine(
      bundle,
      store,
      { keys: registrars, checkpoints: [] },
      await protocolsOf(bundle),
    )
    return { status: report.status, report: { ...report, digest: reportDigest(ports.sha256, report) } }
  }
