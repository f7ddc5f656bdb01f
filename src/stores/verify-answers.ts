// Answers the verifier's questions with Node: signatures on worker threads, artifacts as streams. It only reads.

import type { Bundle } from '../ledger/bundle/bundle.ts'
import {
  type ArtifactAnswer,
  inquire,
  type TimestampAnswer,
  type TimestampQuestion,
  type Trust,
} from '../ledger/verify/inquire.ts'
import { artifactsToRead } from '../ledger/verify/replay.ts'
import type { Report } from '../ledger/verify/report.ts'
import { verify } from '../ledger/verify/verify.ts'
import type { Protocol } from '../protocol.ts'
import { type ArtifactSource, readArtifact } from './bundle-file.ts'
import { sha256 } from './digest.ts'
import { SignatureBench } from './signature-checks.ts'

/** Looks for artifacts and hashes what it finds, as streams. */
export async function answerArtifacts(
  hashes: readonly string[],
  source: ArtifactSource,
  wanted: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<string, ArtifactAnswer>> {
  const answers = new Map<string, ArtifactAnswer>()
  for (const hash of hashes) {
    const bytes = await source.openArtifact(hash)
    const answer: ArtifactAnswer = bytes
      ? await readArtifact(bytes, hash, wanted.has(hash))
      : { state: 'absent', size: 0 }
    answers.set(hash, answer)
  }
  return answers
}

/** Loaded only where there are timestamps and someone whose timestamps count. */
async function answerTimestamps(
  questions: readonly TimestampQuestion[],
  { authorities = [] }: Trust,
): Promise<readonly TimestampAnswer[]> {
  if (questions.length === 0) return []
  const { checkTimestamp, readCertificates } = await import('./timestamp-checks.ts')
  const pinned = authorities.flatMap(readCertificates)
  return questions.map((question) => checkTimestamp(question, pinned))
}

/**
 * The whole of verification. Artifacts are answered already when a bundle file was read (with `contentsWanted`), or
 * lie in a source.
 */
export async function examine(
  bundle: Bundle,
  artifacts: ReadonlyMap<string, ArtifactAnswer> | ArtifactSource,
  trust: Trust,
  protocols: readonly Protocol[],
): Promise<Report> {
  const bench = new SignatureBench()
  const inquiry = inquire(sha256, bundle, trust, (question) => bench.put(question))
  const answering = bench.answers()
  // Awaited below; until then a thread that breaks down is not an unhandled rejection.
  answering.catch(() => undefined)
  const sections = [...inquiry.ancestors, inquiry.main]
  const contents =
    'openArtifact' in artifacts
      ? await answerArtifacts(inquiry.questions.artifacts, artifacts, artifactsToRead(sections, protocols))
      : artifacts
  const timestamps = await answerTimestamps(inquiry.questions.timestamps, trust)
  const report = (signatures: readonly boolean[]): Report =>
    verify(sha256, inquiry, { signatures, artifacts: contents, timestamps }, protocols)
  // While other threads check the signatures, the report is made as if all were valid. It is a function of its
  // input alone: when they are, it is the report; when one is not, it is thrown away.
  const optimisticReport = bench.isElsewhere ? report(inquiry.questions.signatures.map(() => true)) : null
  const signatures = await answering
  return optimisticReport && signatures.every(Boolean) ? optimisticReport : report(signatures)
}
