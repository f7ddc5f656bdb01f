// Whether a bundle is of the home that the reader means. A consistent registry proves nothing by itself,
// since anyone can make one: it counts when a key or a checkpoint that the reader got over another channel
// supports it.

import { proofBytes } from '../bundle/bundle.ts'
import { claimedHash, toBase64 } from '../bytes.ts'
import { registrarStillCounts } from '../registry/keys.ts'
import { each, KEY_EVENTS, registrarAt, revocationsIn } from '../registry/registry.ts'
import { treeRoot, verifyConsistency } from '../tree/merkle.ts'
import { agrees, type TraceCheckpoint } from '../tree/tree-head.ts'
import type { Context } from './context.ts'
import type { ReadSection } from './inquire.ts'

// Checkpoints are what an outsider still has when a home is rewritten. A checkpoint that contradicts the
// events proves two histories; one that counts more events than are here, a truncated end.

export const inconsistent = (ctx: Context, message: string): void =>
  ctx.findings.add('checkpoints', 'CHECKPOINT_INCONSISTENT', message)

/** The note as a checkpoint of this trace by this registry, or null after reporting why it is none. */
function readCheckpointOf(ctx: Context, section: ReadSection, note: string): TraceCheckpoint | null {
  ctx.findings.examined('checkpoints')
  const checkpoint = ctx.inquiry.notes.get(note)?.checkpoint
  if (typeof checkpoint !== 'object') {
    inconsistent(ctx, `checkpoint of ${section.trace} is unreadable: ${checkpoint}`)
  } else if (checkpoint.trace !== section.trace || checkpoint.registry !== ctx.inquiry.registry.trace) {
    inconsistent(ctx, `checkpoint is of ${checkpoint.origin}, not of ${section.trace}`)
  } else if (ctx.signerOf(note) === null) {
    inconsistent(ctx, `checkpoint of ${section.trace} is not signed by the registrar`)
  } else {
    return checkpoint
  }
  return null
}

/** Compares a checkpoint with the events of a whole section. */
function compare(
  ctx: Context,
  section: ReadSection,
  checkpoint: TraceCheckpoint,
  isPrefix: boolean,
): boolean {
  if (checkpoint.size > section.events.length) {
    if (isPrefix) return true
    const message = `a checkpoint counts ${checkpoint.size} events, here are ${section.events.length}`
    ctx.findings.add('checkpoints', 'LOG_TRUNCATED', message)
    return false
  }
  const roots = ctx.roots(section, checkpoint.size)
  if (roots && agrees(checkpoint, roots)) return true
  inconsistent(ctx, `the first ${checkpoint.size} events of ${section.trace} are not those of the checkpoint`)
  return false
}

/**
 * A key that was handed over may have been stolen, and its holder could make up a registry up to that time. So the
 * current registry counts only under the signature of its last registrar.
 */
function checkPorts(ctx: Context, checkpoint: TraceCheckpoint): void {
  if (ctx.signerOf(checkpoint.note) === registrarAt(ctx.inquiry.keys, checkpoint.size)) return
  inconsistent(ctx, 'the checkpoint of the registry is signed by a key that was not registrar then')
}

/** An extract of the registry must contain every event about keys: a missing one may be a revocation. */
function checkKeyEvents(ctx: Context, checkpoint: TraceCheckpoint): void {
  const { registry } = ctx.inquiry
  const hashes = registry.events
    .filter(
      ({ header }) =>
        typeof header === 'object' && header.seq < checkpoint.size && KEY_EVENTS.includes(header.type),
    )
    .map(({ event }) => claimedHash(event.hash))
  const complete =
    checkpoint.keys?.count === hashes.length &&
    checkpoint.keys.root === toBase64(treeRoot(ctx.sha256, hashes))
  if (!complete) inconsistent(ctx, 'the extract of the registry does not hold every event about keys')
}

function extendsEarlier(
  ctx: Context,
  section: ReadSection,
  earlier: TraceCheckpoint,
  checkpoint: TraceCheckpoint,
): boolean {
  return verifyConsistency(ctx.sha256, {
    from: earlier.size,
    to: checkpoint.size,
    fromRoot: earlier.root,
    toRoot: checkpoint.root,
    proof: proofBytes(section.earlier?.proof ?? []),
  })
}

function checkEarlier(ctx: Context, section: ReadSection, checkpoint: TraceCheckpoint): void {
  const earlier = section.earlier && readCheckpointOf(ctx, section, section.earlier.note)
  if (earlier && !extendsEarlier(ctx, section, earlier, checkpoint))
    inconsistent(ctx, `size ${checkpoint.size} does not extend the checkpoint of size ${earlier.size}`)
}

/** A revocation recorded how long traces were: every extract of the registry contains it. */
function checkRecordedHeads(ctx: Context, section: ReadSection): void {
  const ends = [...ctx.inquiry.keys.keys.values()].flatMap(({ revoked }) => [...revocationsIn(revoked)])
  for (const { heads } of ends) {
    const head = heads.find(({ trace }) => trace === section.trace)
    if (!head) continue
    ctx.findings.examined('checkpoints')
    const hash = ctx.hashAt(section, head.size - 1)
    if (hash === null) {
      const message = `a revocation recorded ${head.size} events, here are ${section.events.length}`
      ctx.findings.add('checkpoints', 'LOG_TRUNCATED', message)
    } else if (hash !== undefined && hash !== head.hash) {
      inconsistent(
        ctx,
        `event ${head.size - 1} of ${section.trace} is not the head that a revocation recorded`,
      )
    }
  }
}

/** A registrar with a revoked key is evidence only for the events of a trace that were recorded by then. */
function checkSigner(ctx: Context, section: ReadSection, { note, size }: TraceCheckpoint): void {
  const signer = ctx.signerOf(note)
  const registry = ctx.own?.registry ?? ctx.inquiry.keys
  if (signer === null || registrarStillCounts(registry, signer, section.trace, size)) return
  const message = `the checkpoint of ${section.trace} at size ${size} is signed by a registrar whose key was revoked`
  ctx.findings.add('checkpoints', 'KEY_REVOKED', message)
}

function checkSection(ctx: Context, section: ReadSection, isPrefix: boolean): void {
  if (section.form === 'sparse' && section.checkpoint === null) {
    inconsistent(ctx, `single events of ${section.trace} came without a checkpoint`)
  }
  if (section.earlier && section.checkpoint === null) {
    inconsistent(ctx, `an earlier checkpoint of ${section.trace} came without the one that extends it`)
  }
  if (section.checkpoint !== null) {
    const checkpoint = readCheckpointOf(ctx, section, section.checkpoint)
    if (checkpoint) {
      if (section.form === 'whole') compare(ctx, section, checkpoint, isPrefix)
      checkEarlier(ctx, section, checkpoint)
      if (section === ctx.inquiry.registry) {
        checkPorts(ctx, checkpoint)
        checkKeyEvents(ctx, checkpoint)
      } else checkSigner(ctx, section, checkpoint)
    }
  }
  checkRecordedHeads(ctx, section)
  for (const recorded of each(ctx.inquiry.keys.checkpoints)) {
    if (recorded.trace !== section.trace || section.form !== 'whole') continue
    ctx.findings.examined('checkpoints')
    const checkpoint = ctx.recorded(recorded.note)
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

/**
 * Registrars that support this registry themselves. All except the last have signed over their role. The last may
 * have been named by someone who never had its key, so it counts only if it has signed something here; in an
 * extract, where no event shows what came before it, only the checkpoint counts.
 */
function signingRegistrars(ctx: Context): readonly string[] {
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

/** A revoked key still leads to its successor; but a thief of the key leads the same reader to another. */
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
  const registrars = signingRegistrars(ctx)
  const pinnedKeys = trust.keys.filter((key) => registrars.includes(key))
  const hasPins = trust.keys.length + trust.checkpoints.length > 0
  let by: TrustFound['by'] = pinnedKeys.length > 0 || (ctx.own && !hasPins) ? 'key' : null
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
        section.form === 'whole'
          ? compare(ctx, section, pinned, false)
          : agreesWithExtract(ctx, section, pinned)
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
    const message = hasPins
      ? 'the registry of this bundle is not the one you trust: it has another key, or was exported before that key took over'
      : 'nothing ties this registry to anyone: a forger could have made all of it'
    ctx.findings.add('trust', 'TRUST_UNPINNED', message, { severity: hasPins ? 'error' : 'warning' })
  }
  return { by, truncationExcludedTo: excluded }
}

/** An extract shows no more than its own checkpoint does, and an older one cannot know of later revocations. */
function agreesWithExtract(ctx: Context, section: ReadSection, pinned: TraceCheckpoint): boolean {
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
