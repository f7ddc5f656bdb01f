// Which ways can carry a seat's settings. One that cannot is not used for this seat: it says why, so that the
// next is tried or the council is refused, and no setting is dropped.

import { untunable } from './api/tuned-body.ts'
import type { ApiKind } from './default-models.ts'
import { type Arguments, untunableTool } from './mcp/mapping.ts'
import type { Model } from './model.ts'
import type { Tuning } from './tuning.ts'

/** How each way is asked: an API, a vendor's command, the arguments of a tool. */
export interface Transports {
  readonly api: ApiKind
  readonly cli: 'claude' | 'codex' | 'gemini' | null
  readonly mcp: Arguments
}

function untunableCommand(cli: Transports['cli'], model: string | null, tuning: Tuning): string | null {
  if (cli !== 'gemini')
    return tuning.temperature === undefined ? null : `the command ${cli} has no option for a temperature`
  if (model === null)
    return 'the command gemini takes a temperature or thinking only for a model that is named'
  return untunable('google', model, tuning)
}

/** Why this way cannot carry the seat's settings; null where it can. */
export function whyUntunable(
  { transport, model, absent }: Pick<Model, 'transport' | 'model' | 'absent'>,
  reached: Transports,
  tuning: Tuning,
): string | null {
  if (absent) return null
  if (transport === 'mcp') return untunableTool(reached.mcp, tuning)
  if (transport === 'cli') return untunableCommand(reached.cli, model, tuning)
  return untunable(reached.api, model ?? '', tuning)
}
