// Checkpoints are what stays with an outsider when a home is rewritten. A checkpoint that does not fit the events is
// evidence of two histories; one that counts more events than are here, of a tail cut off.

import { proofBytes } from '../bundle.ts'
import { toBase64 } from '../bytes.ts'
import { treeRoot, verifyConsistency } from '../merkle.ts'
import { each, KEY_EVENTS } from '../registry.ts'
import { agrees, hashBytes, type TraceCheckpoint, tryTreeHead } from '../tree-head.ts'
import type { Context } from './context.ts'
import type { ReadSection } from './inquire.ts'

const inconsistent = (ctx: Context, message: string): void =>
  ctx.findings.add('checkpoints', 'CHECKPOINT_INCONSISTENT', message)

/** The note as a checkpoint of this trace by this registry, or null after reporting why it is none. */
function admitted(ctx: Context, section: ReadSection, note: string): TraceCheckpoint | null {
  ctx.findings.examined('checkpoints')
  const checkpoint = ctx.inquiry.notes.get(note)?.checkpoint
  if (typeof checkpoint !== 'object') {
    inconsistent(ctx, `checkpoint of ${section.trace} is unreadable: ${checkpoint}`)
  } else if (checkpoint.trace !== section.trace || checkpoint.registry !== ctx.inquiry.registry.trace) {
    inconsistent(ctx, `checkpoint is of ${checkpoint.origin}, not of ${section.trace}`)
  } else if (!ctx.isSigned(note)) {
    inconsistent(ctx, `checkpoint of ${section.trace} is not signed by the registrar`)
  } else {
    return checkpoint
  }
  return null
}

/** Holds a checkpoint against the events of a whole section. */
function compare(
  ctx: Context,
  section: ReadSection,
  checkpoint: TraceCheckpoint,
  isPrefix: boolean,
): boolean {
  if (section.form !== 'whole') return true
  if (checkpoint.size > section.events.length) {
    if (isPrefix) return true
    const message = `a checkpoint counts ${checkpoint.size} events, here are ${section.events.length}`
    ctx.findings.add('checkpoints', 'LOG_TRUNCATED', message)
    return false
  }
  if (agrees(checkpoint, ctx.roots(section, checkpoint.size))) return true
  inconsistent(ctx, `the first ${checkpoint.size} events of ${section.trace} are not those of the checkpoint`)
  return false
}

/** An extract of the registry must hold every event about keys: what is left out may be a revocation. */
function checkKeyEvents(ctx: Context, checkpoint: TraceCheckpoint): void {
  const { registry } = ctx.inquiry
  const hashes = registry.events
    .filter(
      ({ header }) =>
        typeof header === 'object' && header.seq < checkpoint.size && KEY_EVENTS.includes(header.type),
    )
    .map(({ event }) => hashBytes(event.hash))
  const complete =
    checkpoint.keys?.count === hashes.length &&
    checkpoint.keys.root === toBase64(treeRoot(ctx.sha256, hashes))
  if (!complete) inconsistent(ctx, 'the extract of the registry does not hold every event about keys')
}

function checkEarlier(ctx: Context, section: ReadSection, checkpoint: TraceCheckpoint): void {
  if (!section.earlier) return
  const earlier = admitted(ctx, section, section.earlier.note)
  if (!earlier) return
  const consistent = verifyConsistency(ctx.sha256, {
    from: earlier.size,
    to: checkpoint.size,
    fromRoot: earlier.root,
    toRoot: checkpoint.root,
    proof: proofBytes(section.earlier.proof),
  })
  if (!consistent)
    inconsistent(ctx, `size ${checkpoint.size} does not extend the checkpoint of size ${earlier.size}`)
}

function checkSection(ctx: Context, section: ReadSection, isPrefix: boolean): void {
  if (section.form === 'sparse' && section.checkpoint === null) {
    inconsistent(ctx, `single events of ${section.trace} came without a checkpoint`)
  }
  if (section.checkpoint !== null) {
    const checkpoint = admitted(ctx, section, section.checkpoint)
    if (checkpoint) {
      compare(ctx, section, checkpoint, isPrefix)
      checkEarlier(ctx, section, checkpoint)
      if (section === ctx.inquiry.registry) checkKeyEvents(ctx, checkpoint)
    }
  }
  for (const recorded of each(ctx.inquiry.keys.checkpoints)) {
    if (recorded.trace !== section.trace || section.form !== 'whole') continue
    ctx.findings.examined('checkpoints')
    const checkpoint = tryTreeHead(recorded.note)
    if (typeof checkpoint === 'string') inconsistent(ctx, `recorded checkpoint is unreadable: ${checkpoint}`)
    else compare(ctx, section, checkpoint, isPrefix)
  }
}

export function checkCheckpoints(ctx: Context): void {
  const { registry, ancestors, main } = ctx.inquiry
  if (registry !== main) checkSection(ctx, registry, false)
  for (const section of ancestors) checkSection(ctx, section, true)
  checkSection(ctx, main, false)
}

export interface TrustFound {
  readonly by: 'key' | 'checkpoint' | null
  readonly truncationExcludedTo: number | null
}

/** Whether this registry is the one the reader knows, and how long the reader knows the trace to have been. */
export function checkTrust(ctx: Context): TrustFound {
  const { trust, registry, main, keys } = ctx.inquiry
  ctx.findings.examined('trust')
  let by: TrustFound['by'] = trust.keys.some((key) => keys.registrars.includes(key)) ? 'key' : null
  let excluded: number | null = null
  for (const note of trust.checkpoints) {
    const pinned = ctx.checkpointOf(note)
    if (!pinned || pinned.registry !== registry.trace || !ctx.isSigned(note)) continue
    by ??= 'checkpoint'
    for (const section of registry === main ? [main] : [registry, main]) {
      if (pinned.trace !== section.trace) continue
      ctx.findings.examined('checkpoints')
      const holds = compare(ctx, section, pinned, false) && sameWhereSparse(ctx, section, pinned)
      if (holds && section === main) excluded = Math.max(excluded ?? 0, pinned.size)
    }
  }
  if (by === null) {
    const given = trust.keys.length + trust.checkpoints.length > 0
    const message = given
      ? 'the registry of this bundle is not the one you trust: it has another key'
      : 'nothing ties this registry to anyone: a forger could have made all of it'
    ctx.findings.add('trust', 'TRUST_UNPINNED', message, { severity: given ? 'error' : 'warning' })
  }
  return { by, truncationExcludedTo: excluded }
}

/** Of an extract only equal sizes can be compared, and an older extract cannot know of later revocations. */
function sameWhereSparse(ctx: Context, section: ReadSection, pinned: TraceCheckpoint): boolean {
  if (section.form === 'whole') return true
  const own = ctx.checkpointOf(section.checkpoint)
  if (!own || own.size > pinned.size) return true
  if (own.size === pinned.size) {
    if (toBase64(own.root) === toBase64(pinned.root)) return true
    inconsistent(ctx, `two checkpoints of ${section.trace} at size ${own.size} differ`)
    return false
  }
  const message = `what is here of ${section.trace} ends at ${own.size}, before the checkpoint you hold (${pinned.size})`
  ctx.findings.add('checkpoints', 'LOG_TRUNCATED', message, { severity: 'warning' })
  return false
}
