// Computes and records the positions of quotes in the bytes of artifacts. A quote that is not found is
// recorded as such, for the critics to object to. Missing bytes are named and left to the audit.

import { checkQuotes, findQuote, type Quote } from '../../../agents/claiming.ts'
import type { Evidence } from '../../../agents/events.ts'
import type { RecordInput } from '../../../agents/signable-actions.ts'
import type { Claim } from '../../../agents/state.ts'
import type { Draft } from '../../../ledger/signing.ts'
import { type Action, inputOf, MAX_READ_BYTES } from '../../../protocol.ts'
import { artifactBytes } from '../../artifact-bytes.ts'
import { type AgentsKit, answerDraft } from './ports.ts'

async function readContent({ ports: { store } }: AgentsKit, hash: string): Promise<Uint8Array | null> {
  const stat = await store.statArtifact(hash)
  return stat && stat.size <= MAX_READ_BYTES ? artifactBytes(store, hash) : null
}

async function evidenceFor(kit: AgentsKit, { artifacts, quote }: Quote): Promise<Evidence> {
  for (const artifact of artifacts) {
    const bytes = await readContent(kit, artifact)
    const range = bytes && findQuote(bytes, quote)
    if (range) return { artifact, range, quote }
  }
  return { artifact: artifacts[0] ?? '', range: null, quote }
}

export async function issueClaim(kit: AgentsKit, action: Action): Promise<readonly Draft[]> {
  const { find, say } = inputOf<{ readonly find: readonly Quote[]; readonly say: RecordInput }>(action)
  const evidence: Evidence[] = []
  for (const quote of find) evidence.push(await evidenceFor(kit, quote))
  return answerDraft(kit, action, { ...say, payload: { ...say.payload, evidence } })
}

export async function challengeClaim(kit: AgentsKit, action: Action): Promise<readonly Draft[]> {
  const { claim, seat, agent, evidence } = inputOf<{
    readonly claim: string
    readonly seat: string
    readonly agent: string
    readonly evidence: Claim['evidence']
  }>(action)
  const contents = new Map<string, Uint8Array | null>()
  for (const { artifact } of evidence) contents.set(artifact, await readContent(kit, artifact))
  const { contradicted, unchecked } = checkQuotes(evidence, (hash) => contents.get(hash) ?? null)
  const about = { claim, seat, via: 'policy' }
  if (contradicted === null) {
    return answerDraft(kit, action, {
      type: 'claim_accepted',
      agent,
      role: 'critic',
      payload: { ...about, unchecked },
    })
  }
  const challenge = { ...about, ground: 'contradicted', reason: contradicted }
  return answerDraft(kit, action, { type: 'claim_challenged', agent, role: 'critic', payload: challenge })
}
