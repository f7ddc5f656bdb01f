// Whether a bundle is of the home that the reader means. A consistent registry proves nothing by itself, since anyone
// can make one: it counts when a key or a checkpoint that the reader got by another way stands behind it.

import { toBase64 } from '../bytes.ts'
import { revocationsIn } from '../registry/registry.ts'
import type { TraceCheckpoint } from '../tree/tree-head.ts'
import { compare, extendsEarlier, inconsistent } from './checkpoints.ts'
import type { Context } from './context.ts'
import type { ReadSection } from './inquire.ts'

export interface TrustFound {
  readonly by: 'key' | 'checkpoint' | null
  readonly truncationExcludedTo: number | null
}

/**
 * Registrars that stand behind this registry themselves. All but the last have signed over their office. The last
 * may have been named by someone who never held its key, so it counts only if it has signed something here; in an
 * extract, where no event shows what came before it, only the checkpoint will do.
 */
function standingBehind(ctx: Context): readonly string[] {
  const { registry, keys } = ctx.inquiry
  const last = keys.registrars.at(-1)
  const spoke =
    (registry.checkpoint !== null && ctx.signerOf(registry.checkpoint) === last) ||
    (registry.form === 'whole' &&
      registry.events.some(
        ({ header, question }) =>
          typeof header === 'object' &&
          header.actor.key === last &&
          ctx.answers.signatures[question] === true,
      ))
  return spoke ? keys.registrars : keys.registrars.slice(0, -1)
}

/** A revoked key still leads to its successor; but who stole it leads the same reader to another. */
function warnOfRevoked(ctx: Context, pinned: readonly string[]): void {
  const records = pinned.map((id) => ctx.inquiry.keys.keys.get(id))
  const ends = records.map((record) =>
    [...revocationsIn(record?.revoked ?? null)].find(({ retired }) => !retired),
  )
  const [end] = ends
  if (!end || ends.includes(undefined)) return
  const message = `the key that you trust was revoked at registry event ${end.seq} (${end.reason}): who has it can make a bundle that you would take for this home's`
  ctx.findings.add('trust', 'TRUST_REVOKED', message, { severity: 'warning' })
}

/** Whether this registry is the one the reader knows, and how long the reader knows the trace to have been. */
export function checkTrust(ctx: Context): TrustFound {
  const { trust, registry, main } = ctx.inquiry
  ctx.findings.examined('trust')
  const registrars = standingBehind(ctx)
  const pinnedKeys = trust.keys.filter((key) => registrars.includes(key))
  const given = trust.keys.length + trust.checkpoints.length > 0
  let by: TrustFound['by'] = pinnedKeys.length > 0 || (ctx.own && !given) ? 'key' : null
  if (!ctx.own) warnOfRevoked(ctx, pinnedKeys)
  let excluded: number | null = null
  for (const note of trust.checkpoints) {
    const pinned = ctx.checkpointOf(note)
    if (!pinned || pinned.registry !== registry.trace) continue
    const signer = ctx.signerOf(note)
    if (signer === null) {
      inconsistent(
        ctx,
        `the checkpoint of ${pinned.trace} that you hold is signed by no registrar of this registry`,
      )
      continue
    }
    if (registrars.includes(signer)) by ??= 'checkpoint'
    for (const section of registry === main ? [main] : [registry, main]) {
      if (pinned.trace !== section.trace) continue
      ctx.findings.examined('checkpoints')
      const holds =
        section.form === 'whole' ? compare(ctx, section, pinned, false) : holdsInExtract(ctx, section, pinned)
      if (holds && section === main) excluded = Math.max(excluded ?? 0, pinned.size)
    }
  }
  if (ctx.departures.length > 0) {
    for (const departure of ctx.departures) {
      inconsistent(ctx, `${departure}: it names the registry of this home, and is not its history`)
    }
    return { by: null, truncationExcludedTo: null }
  }
  if (by === null) {
    const message = given
      ? 'the registry of this bundle is not the one you trust: it has another key, or was exported before that key took over'
      : 'nothing ties this registry to anyone: a forger could have made all of it'
    ctx.findings.add('trust', 'TRUST_UNPINNED', message, { severity: given ? 'error' : 'warning' })
  }
  return { by, truncationExcludedTo: excluded }
}

/** An extract shows no more than its own checkpoint does, and an older one cannot know of later revocations. */
function holdsInExtract(ctx: Context, section: ReadSection, pinned: TraceCheckpoint): boolean {
  const own = ctx.checkpointOf(section.checkpoint)
  if (!own) return false
  const warn = (code: 'LOG_TRUNCATED' | 'CHECKPOINT_INCONSISTENT', message: string): false => {
    ctx.findings.add('checkpoints', code, message, { severity: 'warning' })
    return false
  }
  if (own.size < pinned.size) {
    const message = `what is here of ${section.trace} ends at ${own.size}, before the checkpoint you hold`
    return warn('LOG_TRUNCATED', `${message} (${pinned.size})`)
  }
  if (own.size > pinned.size) {
    // A proof that fails is reported where the section is checked.
    if (section.earlier?.note === pinned.note) return extendsEarlier(ctx, section, pinned, own)
    const message = `nothing here shows that ${section.trace} extends the checkpoint you hold`
    return warn('CHECKPOINT_INCONSISTENT', `${message} (${pinned.size})`)
  }
  if (toBase64(own.root) === toBase64(pinned.root)) return true
  inconsistent(ctx, `two checkpoints of ${section.trace} at size ${own.size} differ`)
  return false
}
