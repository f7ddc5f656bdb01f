// What every part of the page is drawn from: one examination and the lookups over it. Drawing decides nothing.

import type { Examination } from '../../browser/examine.ts'
import { each, type Redaction } from '../../ledger/registry/registry.ts'
import type { ArtifactAnswer, Inquiry } from '../../ledger/verify/inquire.ts'
import type { Failure, Report } from '../../ledger/verify/report.ts'
import type { PageData } from './blocks.ts'

export interface PageContext {
  readonly cargo: PageData
  readonly inquiry: Inquiry
  readonly artifacts: ReadonlyMap<string, ArtifactAnswer>
  /** Null while, or where, nothing could be checked. */
  readonly report: Report | null
  readonly digest: string | null
  readonly failures: ReadonlyMap<string, readonly Failure[]>
  /** Recorded redactions by `trace/seq` or artifact hash. */
  readonly erased: ReadonlyMap<string, Redaction>
  /** Brings an event into view; set by the list of events. */
  reveal: (event: string) => void
}

export function pageContextOf(
  cargo: PageData,
  artifacts: ReadonlyMap<string, ArtifactAnswer>,
  inquiry: Inquiry,
  examination: Examination | null,
): PageContext {
  const failures = new Map<string, Failure[]>()
  for (const failure of examination?.report.failures ?? []) {
    if (failure.event === null) continue
    const there = failures.get(failure.event)
    if (there) there.push(failure)
    else failures.set(failure.event, [failure])
  }
  const erased = new Map<string, Redaction>()
  for (const redaction of each(inquiry.keys.redactions)) {
    const { artifact, trace, seq } = redaction.target
    erased.set(artifact ?? `${trace}/${seq}`, redaction)
  }
  const { report = null, digest = null } = examination ?? {}
  return { cargo, inquiry, artifacts, report, digest, failures, erased, reveal: () => {} }
}
