// The protocols whose rules this installation can replay. The verifier knows the registry's by itself; a trace of a
// protocol that is not here fails as unknown and never passes unjudged.

import { agentsProtocol } from '../agents/agents.ts'
import { councilProtocol } from '../council/council.ts'
import { evalProtocol } from '../eval/eval.ts'
import { exchangeProtocol } from '../exchange/exchange.ts'
import type { Protocol } from '../protocol.ts'
import { sha256 } from '../stores/digest.ts'

export const PROTOCOLS: readonly Protocol[] = [
  agentsProtocol(sha256) as Protocol,
  councilProtocol(sha256) as Protocol,
  evalProtocol(sha256) as Protocol,
  exchangeProtocol(sha256) as Protocol,
]
