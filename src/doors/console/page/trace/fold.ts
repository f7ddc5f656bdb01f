// The common interface of every protocol's fold in the page.

import type { Occurrence } from '../../../../protocol.ts'

/** What the page folds a trace of one protocol into. */
export interface Fold {
  take(event: Occurrence): void
  /** What programs receive of it; the same value as on the command line. */
  result(): object
  /** What the views of this protocol are drawn from. */
  readonly state: unknown
}
