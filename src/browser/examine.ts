// One examination of a page's own bundle or a given one: the same reading, questions and pure verdict as on
// the command line, so that both name the same report digest. Only the signatures are checked by the browser.

import { agentsProtocol } from '../agents/agents.ts'
import { councilProtocol } from '../council/council.ts'
import { evalProtocol } from '../eval/eval.ts'
import { exchangeProtocol } from '../exchange/exchange.ts'
import type { Bundle } from '../ledger/bundle/bundle.ts'
import { toHex } from '../ledger/bytes.ts'
import { type ArtifactAnswer, type Inquiry, inquire, type Trust } from '../ledger/verify/inquire.ts'
import { type Report, reportDigest } from '../ledger/verify/report.ts'
import { verify } from '../ledger/verify/verify.ts'
import type { Protocol } from '../protocol.ts'
import { sha256 } from './bytes.ts'
import { answerSignatures, type CheckSignature } from './signatures.ts'

export interface Examination {
  readonly inquiry: Inquiry
  readonly report: Report
  readonly digest: string
}

export type Progress = (doing: string, done: number, total: number) => void

/** Lets the page paint between two stretches of work. */
export const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

export async function digestArtifacts(
  artifacts: ReadonlyMap<string, Uint8Array>,
  progress: Progress,
): Promise<ReadonlyMap<string, ArtifactAnswer>> {
  const answers = new Map<string, ArtifactAnswer>()
  for (const [hash, bytes] of artifacts) {
    const state = toHex(sha256(bytes)) === hash ? 'intact' : 'altered'
    answers.set(hash, { state, size: bytes.length, content: bytes })
    progress('artifacts digested', answers.size, artifacts.size)
    await breathe()
  }
  return answers
}

export async function examine(
  bundle: Bundle,
  artifacts: ReadonlyMap<string, ArtifactAnswer>,
  trust: Trust,
  tools: { readonly protocols: readonly Protocol[]; readonly check: CheckSignature },
  progress: Progress,
): Promise<Examination> {
  const inquiry = inquire(sha256, bundle, trust)
  const questions = inquiry.questions.signatures
  const signatures = await answerSignatures(tools.check, questions, (done) =>
    progress('signatures checked', done, questions.length),
  )
  await breathe()
  const report = verify(sha256, inquiry, { signatures, artifacts }, tools.protocols)
  return { inquiry, report, digest: reportDigest(sha256, report) }
}

// The protocols whose rules the page can replay. The verifier contains the registry's rules; a trace of an
// unknown protocol fails and never passes unchecked.

export const PROTOCOLS: readonly Protocol[] = [
  agentsProtocol(sha256) as Protocol,
  councilProtocol(sha256) as Protocol,
  evalProtocol(sha256) as Protocol,
  exchangeProtocol(sha256) as Protocol,
]
