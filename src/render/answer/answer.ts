// The result of a trace, of any protocol: what a reader wants to see first. It is folded from the events
// alone and nothing is verified here: an invalid trace has a result too, which must be marked as such where
// it is shown.

import { agentsProtocol } from '../../agents/agents.ts'
import { councilProtocol } from '../../council/council.ts'
import { councilResult } from '../../council/council-result.ts'
import { evalProtocol } from '../../eval/eval.ts'
import { ITEM_GRADED } from '../../eval/events.ts'
import { isOpened } from '../../eval/state.ts'
import { exchangeProtocol } from '../../exchange/exchange.ts'
import type { Sha256 } from '../../ledger/bytes.ts'
import type { Occurrence, Protocol } from '../../protocol.ts'
import type { Block } from '../report/document.ts'
import { documentOf } from '../report/sections.ts'
import { evaluationBlocks } from './evaluation.ts'
import { poolBlocks } from './pool.ts'
import { sessionBlocks } from './session.ts'

const foldEvents = <State>(protocol: Protocol<State>, events: readonly Occurrence[]): State =>
  events.reduce((state, event) => protocol.evolve(state, event), protocol.initial)

/** Null where the protocol has no result to show, or its opening cannot be read. */
export function answerOf(
  sha256: Sha256,
  protocol: string,
  events: readonly Occurrence[],
): readonly Block[] | null {
  const trace = events.at(-1)?.trace ?? ''
  switch (protocol.split('/')[0]) {
    case 'council': {
      const { inner } = foldEvents(councilProtocol(sha256), events)
      return documentOf(councilResult(sha256, inner))
    }
    case 'agents': {
      const { inner } = foldEvents(agentsProtocol(sha256), events)
      const at = new Map(events.map(({ hash, trace: of, seq }) => [hash, `${of}/${seq}`]))
      return inner.task ? sessionBlocks(trace, inner, (hash) => at.get(hash)) : null
    }
    case 'exchange': {
      const { inner } = foldEvents(exchangeProtocol(sha256), events)
      return inner.terms ? poolBlocks(inner, events) : null
    }
    case 'eval': {
      const { inner } = foldEvents(evalProtocol(sha256), events)
      const graded = new Map(
        events.flatMap(({ type, payload, trace: of, seq }) =>
          type === ITEM_GRADED && payload
            ? [[`${payload.item} ${payload.rep}`, `${of}/${seq}`] as const]
            : [],
        ),
      )
      return isOpened(inner) ? evaluationBlocks(inner, (item, rep) => graded.get(`${item} ${rep}`)) : null
    }
    default:
      return null
  }
}
