// Erases much at once, by the same rules as a single erasure: each target has its own event in the registry
// before its bytes are erased. Records are written in batches and the store erases in one go, since erasing
// there rewrites whole tables. After an interruption, running it again finishes the work.

import { each, REDACTION_RECORDED, REGISTRAR, type Redaction } from '../ledger/registry/registry.ts'
import type { Ports } from './ports.ts'
import type { RedactionTarget } from './redaction.ts'
import type { Registrar } from './registrar.ts'

const BATCH = 256
/** The store gets this many in one call. */
const ERASED_AT_ONCE = 20_000

/** An artifact is identified by its bytes alone, in whichever trace it was erased. */
const keyOf = ({ trace, seq, artifact }: RedactionTarget): string => artifact ?? `${trace}/${seq}`

function recordedIn(registrar: Registrar): ReadonlyMap<string, Redaction> {
  const redactions = new Map<string, Redaction>()
  for (const redaction of each(registrar.log.state.redactions))
    redactions.set(keyOf(redaction.target), redaction)
  return redactions
}

/** The targets are events and artifacts that the caller found in the store, in traces other than the registry. */
export async function redactMany(
  ports: Ports,
  registrar: Registrar,
  targets: readonly RedactionTarget[],
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await registrar.log.refresh()
  for (let at = 0; at < targets.length; at += BATCH) {
    const batch = targets.slice(at, at + BATCH)
    await registrar.log.append(async () => {
      const known = recordedIn(registrar)
      const actor = registrar.actor(REGISTRAR, REGISTRAR)
      return batch
        .filter((target) => !known.has(keyOf(target)))
        .map(({ trace, seq, artifact }) => ({
          type: REDACTION_RECORDED,
          actor,
          payload: { trace, seq, artifact, by, reason },
        }))
    })
  }
  const recorded = recordedIn(registrar)
  const erasures = targets.flatMap((target) => {
    const redaction = recorded.get(keyOf(target))
    return redaction
      ? [{ ...redaction.target, registry: { trace: registrar.trace, seq: redaction.seq } }]
      : []
  })
  for (let at = 0; at < erasures.length; at += ERASED_AT_ONCE)
    await ports.store.erase(...erasures.slice(at, at + ERASED_AT_ONCE))
  await ports.snapshots?.clear()
}
