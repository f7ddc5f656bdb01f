// What an attached session works with, and how it says things: as drafts signed by those who say them, and as texts that these
// name.

import type { Payloads } from '../../agents/events.ts'
import type { AgentsKit } from '../../clerk/performers/agents/ports.ts'
import type { Ports } from '../../clerk/ports.ts'
import type { Registrar } from '../../clerk/registrar.ts'
import { utf8 } from '../../ledger/bytes.ts'
import type { Artifact, Payload } from '../../ledger/event.ts'
import type { Draft } from '../../ledger/signing.ts'
import type { AttachedPolicy, Define } from './attached-policy.ts'

export interface AttachedKit extends Omit<AgentsKit, 'log' | 'policy' | 'toolsets' | 'minds'> {
  readonly policy: AttachedPolicy
  readonly define: Define
}

const toolsets: AgentsKit['toolsets'] = {
  tools: async () => [],
  call: async () => {
    throw new Error('the host runs its tools itself')
  },
  close: async () => undefined,
}

/** As performers want it. */
export const agentsKitOf = (
  { ports, registrar, verify, policy }: AttachedKit,
  log: AgentsKit['log'],
): AgentsKit => ({ ports, registrar, verify, policy, toolsets, minds: new Map(), log })

export const draftBy = (
  registrar: Registrar,
  type: keyof Payloads,
  agent: string,
  role: string,
  payload: object,
): Draft => ({ type, actor: registrar.actor(agent, role), payload: payload as Payload })

export const storeText = async (
  { store }: Ports,
  name: string,
  text: string,
  media_type = 'application/json',
): Promise<Artifact> => ({ ...(await store.putArtifact(utf8(text))), name, media_type })
