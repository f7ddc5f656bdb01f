// What pinned outsiders attest about a trace: timestamps and cosignatures below checkpoints that match it. An
// invalid line in the name of one of them is a fault, since it was made to look like theirs; lines of others
// say nothing.

import { momentText } from '../clock.ts'
import { each } from '../registry/registry.ts'
import type { TraceCheckpoint } from '../tree/tree-head.ts'
import type { Context } from './context.ts'
import type { ReadAttestation } from './inquire.ts'
import type { Attested } from './report.ts'
import { inconsistent } from './trust.ts'

/** The attestation of the line, or null: by no pinned party, or reported as a fault. */
function read(
  ctx: Context,
  { checkpoint, witness, question }: ReadAttestation,
): Omit<Attested, 'size'> | null {
  const { trace, size } = checkpoint
  ctx.findings.examined('checkpoints')
  if (witness) {
    const time = momentText(witness.time * 1000)
    if (ctx.answers.signatures[question] === true && time) return { kind: 'witness', by: witness.name, time }
    inconsistent(
      ctx,
      `the cosignature of ${witness.name} below the checkpoint of ${trace} at ${size} does not fit`,
    )
    return null
  }
  const answer = ctx.answers.timestamps?.[question] ?? { state: 'foreign' }
  if (answer.state === 'good') return { kind: 'timestamp', by: answer.by, time: answer.time }
  if (answer.state === 'bad')
    inconsistent(ctx, `a timestamp below the checkpoint of ${trace} at ${size} does not hold: ${answer.why}`)
  return null
}

/** Up to which size of the main trace a checkpoint applies, when it was compared with what is here; otherwise null. */
function covered(ctx: Context, { trace, size, note }: TraceCheckpoint): number | null {
  const { main, registry, keys } = ctx.inquiry
  const section = trace === main.trace ? main : registry
  const isHeld = section.form === 'whole' || section.checkpoint === note || section.earlier?.note === note
  if (!isHeld) return null
  if (trace === main.trace) return size
  // The registry commits to the checkpoints that it had recorded by then.
  const recorded = [...each(keys.checkpoints)].filter((one) => one.trace === main.trace && one.seq < size)
  return recorded.length > 0 ? Math.max(...recorded.map((one) => one.size)) : null
}

/** Reports invalid lines; returns the attestations of the others: timestamps, then witnesses, each the earliest first. */
export function checkAttested(ctx: Context): readonly Attested[] {
  const byPlace = new Map<string, Attested>()
  for (const attestation of ctx.inquiry.attestations) {
    const statement = read(ctx, attestation)
    const size = statement && covered(ctx, attestation.checkpoint)
    if (!statement || size === null) continue
    const place = `${statement.kind} ${size} ${statement.by}`
    // If one party attests the same events several times the earliest says most.
    const before = byPlace.get(place)
    if (!before || statement.time < before.time) byPlace.set(place, { ...statement, size })
  }
  const order = ({ kind, time, by }: Attested): string => `${kind} ${time} ${by}`
  return [...byPlace.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1))
}
