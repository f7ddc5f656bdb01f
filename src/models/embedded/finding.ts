// The form of a finding: its rule, a place that exists in what the panel was shown, and fixed prose. Text of
// the input is in `quote` and nowhere else, so that prose is never the input's.

import type { Change } from './change.ts'

export type Severity = 'critical' | 'high' | 'medium' | 'low'

export type Category =
  | 'security'
  | 'performance'
  | 'reliability'
  | 'maintainability'
  | 'correctness'
  | 'documentation'
  | 'testing'
  | 'other'

export interface Rule {
  /** Stable: reports, gates and suppressions name it. */
  readonly id: string
  readonly severity: Severity
  readonly category: Category
  readonly description: string
  readonly rationale: string
  readonly fix: string
}

export interface Hit {
  readonly rule: Rule
  readonly path: string
  /** Of the file as it is after the change; null for the file as a whole and for what is gone. */
  readonly line: number | null
  /** The text of the input, raw; masked and shortened before anyone sees it. */
  readonly quote?: string
  readonly severity?: Severity
  /** Fixed prose added to the rule's description. */
  readonly note?: string
  /** Why a match of the rule is not reported as a finding. */
  readonly dismissed?: string
}

export interface Check {
  readonly rules: readonly Rule[]
  /** Yields null now and then: a place where the caller may stop it. */
  find(change: Change): Iterable<Hit | null>
}

export interface Finding {
  readonly rule: string
  readonly severity: Severity
  readonly category: Category
  readonly path: string
  readonly line: number | null
  readonly quote: string | null
  readonly description: string
  readonly rationale: string
  readonly fix: string
}

export interface Dismissal {
  readonly rule: string
  readonly path: string
  readonly line: number | null
  readonly reason: string
}

export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low']

export const severityOf = ({ rule, severity }: Hit): Severity => severity ?? rule.severity

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byPlace = (a: Hit, b: Hit): number =>
  compare(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0) || compare(a.rule.id, b.rule.id)

/** Most severe first, then by place and rule: the same input always gives the same order. */
export const byWeight = (a: Hit, b: Hit): number =>
  SEVERITIES.indexOf(severityOf(a)) - SEVERITIES.indexOf(severityOf(b)) || byPlace(a, b)
