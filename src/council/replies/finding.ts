// The words by which a council rates severity and faults. A model states where a finding is; whether that
// place exists is checked against the files that were shown to it.

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const
export type Severity = (typeof SEVERITIES)[number]

export const CONFIDENCES = ['low', 'medium', 'high'] as const
export type Confidence = (typeof CONFIDENCES)[number]

export const CATEGORIES = [
  'security',
  'performance',
  'reliability',
  'maintainability',
  'correctness',
  'documentation',
  'testing',
  'other',
] as const
export type Category = (typeof CATEGORIES)[number]

export const PRIORITIES = ['now', 'soon', 'later'] as const
export type Priority = (typeof PRIORITIES)[number]

/** A finding as a model gives it, before it is checked. */
export interface FindingAnswer {
  /** A stable name of the kind of fault, for example CWE-89; empty when there is none. */
  readonly rule: string
  readonly severity: Severity
  readonly category: Category
  /** Null when it concerns no single file. */
  readonly file: string | null
  readonly line: number | null
  /** The text that it is about, as it is in the file; empty when none was given. */
  readonly quote: string
  readonly description: string
  readonly rationale: string
  readonly fix: string
  readonly impact: string
  readonly tests: string
  readonly priority: Priority
}

/** `none`: no file was named. `unknown-file`: it was not among the files reviewed. */
export type LocationCheck = 'ok' | 'none' | 'unknown-file' | 'beyond-end'

/** A finding as the report shows it. */
export interface Finding extends FindingAnswer {
  /** For example SEC-001: by category, counted in the order of the report. */
  readonly id: string
  /** The findings of single opinions and reviews that it gathers, for example `op-1.f2`. */
  readonly sources: readonly string[]
  /** Names of seats. */
  readonly reported_by: readonly string[]
  readonly confirmed_by: readonly string[]
  readonly disputed_by: readonly string[]
  readonly location_checked: LocationCheck
}

/** At least as severe as high: must not be dropped silently. */
export const isSevere = (severity: Severity): boolean => severity === 'critical' || severity === 'high'

export const isWorse = (a: Severity, b: Severity): boolean => SEVERITIES.indexOf(a) < SEVERITIES.indexOf(b)
