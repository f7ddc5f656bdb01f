// What every view of a trace is drawn from.

import type { TraceModel } from './trace-model.ts'

export interface ViewProps {
  readonly model: TraceModel
}
