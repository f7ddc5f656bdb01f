// The result of verification. A report contains nothing that differs between two readings of the same bytes,
// so it can be hashed, signed and compared. Codes form a closed union; every one has one meaning and one next
// step.

import type { Sha256 } from '../bytes.ts'
import { toHex, utf8 } from '../bytes.ts'
import { canonicalize } from '../canonical.ts'

/** The checks of a verification, in order. At one event the first that fails hides the later ones. */
export const CHECKS = [
  'schema',
  'event_hash',
  'chain',
  'signature',
  'key_status',
  'key_role',
  'artifact_existence',
  'artifact_hash',
  'payload_hash',
  'protocol_replay',
  'claim_evidence',
  'finalisation',
  'checkpoints',
  'trust',
] as const

export type Check = (typeof CHECKS)[number]

/** Every code of a verdict, with what the reader can do about it. */
export const SUGGESTIONS = {
  SCHEMA_INVALID:
    'Get the trace again from its home; if it is the same there, its writer was faulty or hostile.',
  HASH_MISMATCH: 'The header was changed after it was written. Get the trace again from its home.',
  CHAIN_BREAK: 'Events are missing, added or reordered here. Get the trace again from its home.',
  SIG_MISSING: 'This event is not signed. Ask the home for the signed one.',
  SIG_INVALID: 'The event is not what its signer signed. Get the trace again from its home.',
  KEY_UNKNOWN: 'Ask the home which key this is, and for a registry that holds it.',
  KEY_REVOKED: 'Do not rely on this event: its key no longer counted. Ask its agent to repeat it.',
  KEY_ROLE_MISMATCH:
    'The signer was not allowed to act in this role. Treat the event as not done by the role.',
  ARTIFACT_MISSING: 'Ask the home for the artifact, or for the redaction that erased it.',
  ARTIFACT_HASH_MISMATCH: 'The artifact was changed. Get it again from its home.',
  PAYLOAD_MISSING: 'Ask the home for the payload, or for the redaction that erased it.',
  PAYLOAD_HASH_MISMATCH: 'The payload was changed after signing. Get the trace again from its home.',
  ORDER_VIOLATION: 'The event does not belong here under its protocol. Do not rely on what follows from it.',
  ROLE_POLICY_VIOLATION: 'The role may not say this. Do not rely on what follows from it.',
  APPROVAL_MISSING: 'It was done without the approval it needed. Find out who ran it and why.',
  CLAIM_UNPROVEN: 'Do not rely on the claim: its evidence is missing or too little.',
  FORK_PARENT_MISSING: 'Ask for a bundle that holds the prefix of the parent trace.',
  CHECKPOINT_INCONSISTENT: 'Two histories exist. Keep both files and ask the home for an explanation.',
  LOG_TRUNCATED: 'The tail was cut off after that checkpoint. Ask the home for the whole trace.',
  REDACTION_LIMITED: 'Read the redaction: it says who erased this and why. What depends on it is not proven.',
  RECORD_GAP: 'The record says itself that it is incomplete here. Ask what ran the host at that time.',
  CONTENT_WITHHELD: 'Ask for a bundle with content if you must know what was said, not only that and when.',
  ARTIFACT_OMITTED: 'Ask for the artifact if you must rely on it; its bytes were not checked here.',
  TRUST_REVOKED:
    'Ask the home for its new registry key (registry.vkey) by another way, and give that with --trust.',
  TRUST_UNPINNED:
    'Get the registry key or a checkpoint from the home by another way, and give it with --trust.',
} as const

/** What can be wrong with a trace. */
export type VerifyCode = keyof typeof SUGGESTIONS

/** One fault, its place and what to do. */
export interface Failure {
  readonly code: VerifyCode
  readonly severity: 'error' | 'warning'
  readonly check: Check
  /** `trace/seq`, or null when it concerns the whole. */
  readonly event: string | null
  readonly artifact: string | null
  readonly message: string
  readonly suggested_action: string
}

/** The result of one of the checks, and over how many things. */
export interface CheckLine {
  readonly check: Check
  readonly status: 'pass' | 'warning' | 'fail' | 'skipped'
  readonly examined: number
}

/** What a pinned authority or witness attests about the first events of the trace. */
export interface Attested {
  /** `timestamp`: they existed no later than this. `witness`: it saw this history, and no other, by then. */
  readonly kind: 'timestamp' | 'witness'
  readonly by: string
  readonly time: string
  readonly size: number
}

/** The verdict on a trace, with its basis. */
export interface Report {
  readonly witan: 'report/1'
  readonly status: 'pass' | 'pass-with-warnings' | 'fail'
  readonly trace: string
  readonly protocol: string | null
  readonly form: 'whole' | 'sparse'
  readonly size: number
  /** The events that a sparse bundle contains and proves to be in the trace; null when it contains all. */
  readonly proven: readonly string[] | null
  readonly head: string | null
  readonly root: string | null
  readonly registry: { readonly trace: string; readonly size: number; readonly keys: readonly string[] }
  /** The reader's pins that this bundle matches. */
  readonly trusted_by: 'key' | 'checkpoint' | null
  /** Up to which size a checkpoint of the reader rules out a truncated end; null: truncation not excluded. */
  readonly truncation_excluded_to: number | null
  /** Only where the reader pinned witnesses or authorities, and nothing failed. */
  readonly attested?: readonly Attested[]
  readonly checks: readonly CheckLine[]
  readonly failures: readonly Failure[]
}

/** A hash by which a report can be named. */
export const reportDigest = (sha256: Sha256, report: Report): string =>
  toHex(sha256(utf8(canonicalize(report))))

/** The report with faults that were found outside the bundle. Without any it is the same report. */
export function withFaults(
  report: Report,
  check: Check,
  code: VerifyCode,
  faults: readonly Pick<Failure, 'event' | 'message'>[],
): Report {
  if (faults.length === 0) return report
  const findings = new Findings()
  for (const { event, message } of faults) findings.add(check, code, message, { event })
  return {
    ...report,
    status: 'fail',
    ...(report.attested && { attested: [] }),
    checks: report.checks.map((line) => (line.check === check ? { ...line, status: 'fail' } : line)),
    failures: [...report.failures, ...findings.failures],
  }
}

/** Longer than any message of ours; its quotes may be a megabyte, and be repeated at every event. */
const MOST_SAID = 500

/** Not between the halves of a character: the report is hashed, and a lone half has no UTF-8. */
const clipped = (message: string): string =>
  message.length <= MOST_SAID ? message : `${message.slice(0, MOST_SAID).toWellFormed()}…`

/** Collects what the checks find. */
export class Findings {
  readonly failures: Failure[] = []
  /** Counted about ten times for each event. */
  readonly #examined = Object.fromEntries(CHECKS.map((check) => [check, 0])) as Record<Check, number>

  examined(check: Check, count = 1): void {
    this.#examined[check] += count
  }

  add(
    check: Check,
    code: VerifyCode,
    message: string,
    where: { event?: string | null; artifact?: string | null; severity?: 'error' | 'warning' } = {},
  ): void {
    const { event = null, artifact = null, severity = 'error' } = where
    this.failures.push({
      code,
      severity,
      check,
      event,
      artifact,
      message: clipped(message),
      suggested_action: SUGGESTIONS[code],
    })
  }

  get status(): Report['status'] {
    if (this.failures.some((failure) => failure.severity === 'error')) return 'fail'
    return this.failures.length > 0 ? 'pass-with-warnings' : 'pass'
  }

  lines(): readonly CheckLine[] {
    return CHECKS.map((check) => {
      const own = this.failures.filter((failure) => failure.check === check)
      const examined = this.#examined[check]
      if (own.some((failure) => failure.severity === 'error')) return { check, status: 'fail', examined }
      if (own.length > 0) return { check, status: 'warning', examined }
      return { check, status: examined > 0 ? 'pass' : 'skipped', examined }
    })
  }
}
