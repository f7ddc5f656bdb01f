// A model that only gives recorded answers. It is asked by the same code as a live one; when the request is
// not the recorded one it fails rather than answer something else.

import { canonicalize } from '../ledger/canonical.ts'
import { failed, type Model, type Outcome, type Request } from './model.ts'

/** A request with its outcome. */
export interface Recording {
  readonly request: Pick<Request, 'system' | 'parts' | 'schema'>
  readonly outcome: Outcome
}

const textOf = ({ system, parts, schema }: Recording['request']): string =>
  canonicalize({ system, parts, schema })

/** Returns the outcome of the equal recorded request; a request that was recorded twice is answered in order. */
export function replayModel(options: {
  readonly provider: string
  readonly model: string | null
  readonly recordings: readonly Recording[]
}): Model {
  const waiting = new Map<string, Outcome[]>()
  for (const { request, outcome } of options.recordings) {
    const text = textOf(request)
    waiting.set(text, [...(waiting.get(text) ?? []), outcome])
  }
  return {
    provider: options.provider,
    model: options.model,
    transport: 'replay',
    available: async () => ({ ready: true, detail: 'answers from the record', next: null }),
    ask: async (request) => {
      const outcome = waiting.get(textOf(request))?.shift()
      if (outcome) return { ...outcome, transport: 'replay' }
      const message = 'nothing was recorded for this request: it differs from what was asked then'
      return failed({ type: 'network', cause: 'unavailable', message }, 'replay', 0)
    },
  }
}
