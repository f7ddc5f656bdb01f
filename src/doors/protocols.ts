// The protocols whose rules this installation can replay. The verifier knows the registry's by itself; a trace of a
// protocol that is not here fails as unknown and never passes unjudged.

import type { Protocol } from '../protocol.ts'

export const PROTOCOLS: readonly Protocol[] = []
