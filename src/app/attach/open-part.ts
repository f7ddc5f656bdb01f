// One part of a host's session as it stands in its trace, with what is needed to go on with it: the policy that its attachment
// names, who signs, and how its tools are defined.

import { hostTool } from '../../tools/hosts/host-tools.ts'
import { verifierOf } from '../agents/own-audit.ts'
import type { Home } from '../home/home.ts'
import { personName, registerSigners } from '../home/signers.ts'
import { type AttachedPolicy, attachedPolicy, type Define } from './attached-policy.ts'
import { AttachedSession } from './attached-session.ts'
import { type Attachment, type Gateway, type HostSession, PROGRAM } from './attachments.ts'
import { attachedSigners, openAttached } from './open-attached.ts'

export interface Defined {
  readonly define: Define
  /** What is asked before the policy that the attachment names. */
  readonly guard?: (policy: AttachedPolicy) => AttachedPolicy
}

const programOf = ({ host }: Attachment | Gateway, part: HostSession): string =>
  part.program ?? (host === 'gateway' ? host : PROGRAM[host])

export async function openPart(
  home: Home,
  attachment: Attachment | Gateway,
  part: HostSession,
  definitions?: Defined,
): Promise<AttachedSession> {
  const host = programOf(attachment, part)
  const { define, guard } = definitions ?? { define: (tool: string) => hostTool(host, tool) }
  const registrar = await registerSigners(home, attachedSigners(personName()))
  const judged = await attachedPolicy(attachment, define, part.workspace)
  const policy = guard ? guard(judged) : judged
  const log = await openAttached(home.ports, registrar, part.trace, {
    as: { host, version: part.version, session: part.session },
    order: attachment.order,
    policy,
    proof: attachment.proof,
    operator: personName(),
    continues: part.continues,
  })
  const verify = verifierOf(home, registrar.log.state.registrars)
  return new AttachedSession(log, { ports: home.ports, registrar, policy, define, verify })
}
