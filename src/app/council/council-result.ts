// What came of a council, with the digest of this installation.

import { type CouncilResult, councilResult } from '../../council/council-result.ts'
import type { CouncilState } from '../../council/state.ts'
import { sha256 } from '../../stores/digest.ts'

export type { CouncilResult, Third } from '../../council/council-result.ts'

export const resultOf = (state: CouncilState): CouncilResult => councilResult(sha256, state)
