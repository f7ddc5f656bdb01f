// What no rule needs is refused. A verdict speaks of the whole file, and bytes that nothing was held against would
// stand under it unseen: in a proof that is not followed, an artifact that no event names, a trace replayed by nobody.

import { FORKED } from '../fork.ts'
import { CHECKPOINT_RECORDED, REDACTION_RECORDED } from '../registry/registry.ts'
import type { Context } from './context.ts'
import type { ReadEvent, ReadSection } from './inquire.ts'

function refuse(ctx: Context, message: string, where: { event?: string; artifact?: string } = {}): void {
  ctx.findings.add('schema', 'SCHEMA_INVALID', message, where)
}

const headerOf = ({ header }: ReadEvent) => (typeof header === 'object' ? header : null)

/** The sizes at which an extract of the registry has to show what was last then. */
function sizesNamed(sections: readonly ReadSection[]): ReadonlySet<number> {
  const sizes = new Set<number>()
  for (const { events } of sections) for (const read of events) sizes.add(headerOf(read)?.registry.size ?? 0)
  return sizes
}

function checkPositions(ctx: Context): void {
  const { registry, ancestors, main } = ctx.inquiry
  const others = [...ancestors, main].filter((section) => section !== registry)
  for (const { trace, positions } of others)
    if (positions.length > 0) refuse(ctx, `${trace} comes with positions, which only the registry has`)
  const named = registry.form === 'sparse' ? sizesNamed(others) : new Set<number>()
  let before = 0
  for (const { size } of registry.positions) {
    if (size <= before) refuse(ctx, `position ${size} of the registry stands behind position ${before}`)
    else if (!named.has(size)) refuse(ctx, `no event here names position ${size} of the registry`)
    before = size
  }
}

/** Redactions and checkpoints belong here when they are about something that is here; events about keys always do. */
function checkExtract(ctx: Context): void {
  const { bundle, registry, ancestors, main, questions } = ctx.inquiry
  if (registry === main || registry.form === 'whole') return
  const traces = new Set([...ancestors, main].map(({ trace }) => trace))
  const artifacts = new Set(questions.artifacts)
  // Without content it cannot be told which artifacts the trace names.
  const mayBeNamed = (hash: string): boolean => bundle.content === 'none' || artifacts.has(hash)
  for (const read of registry.events) {
    const { payload } = read
    const type = headerOf(read)?.type
    if (typeof payload !== 'object' || !payload) continue
    if (type !== REDACTION_RECORDED && type !== CHECKPOINT_RECORDED) continue
    if (typeof payload.trace === 'string' && traces.has(payload.trace)) continue
    if (typeof payload.artifact === 'string' && mayBeNamed(payload.artifact)) continue
    refuse(ctx, 'the extract of the registry holds what concerns nothing here', { event: read.id })
  }
}

function checkSections(ctx: Context): void {
  const { bundle, registry, ancestors, main } = ctx.inquiry
  if (main.trace === registry.trace) {
    if (bundle.content === 'none') refuse(ctx, 'the registry cannot come without its content')
    if (main !== registry && main.form === 'whole') refuse(ctx, 'the whole registry is here twice')
  }
  for (const { trace, checkpoint } of ancestors)
    if (checkpoint !== null) refuse(ctx, `${trace} is only forked from, yet comes with a checkpoint`)
  for (const { trace, form, earlier } of new Set([registry, ...ancestors, main])) {
    if (form === 'whole' && earlier)
      refuse(ctx, `${trace} is here whole, yet comes with a proof that it extends an earlier checkpoint`)
  }
}

/** With content, replaying tells whether each is the parent that the next one names. */
function checkUnreplayed(ctx: Context): void {
  const { bundle, registry, ancestors, main } = ctx.inquiry
  if (bundle.content === 'full') return
  const seen = new Set([registry.trace, main.trace])
  for (const [i, section] of ancestors.entries()) {
    const first = (ancestors[i + 1] ?? main).events[0]
    const isParent =
      section.form === 'whole' &&
      section.events.length > 0 &&
      !seen.has(section.trace) &&
      ctx.protocolOf(section) === ctx.protocolOf(main) &&
      (first && headerOf(first))?.type === FORKED
    if (!isParent) refuse(ctx, `${section.trace} comes with a trace that is no fork of it`)
    seen.add(section.trace)
  }
}

function checkArtifacts(ctx: Context): void {
  const { bundle, questions } = ctx.inquiry
  const named = new Set(questions.artifacts)
  for (const [artifact, { state }] of ctx.answers.artifacts) {
    if (state !== 'absent' && !named.has(artifact))
      refuse(ctx, 'an artifact is here that no event names', { artifact })
  }
  const seen = new Set<string>()
  for (const artifact of bundle.omitted) {
    if (!named.has(artifact)) refuse(ctx, 'an artifact is left out that no event names', { artifact })
    else if (seen.has(artifact)) refuse(ctx, 'an artifact is said to be left out twice', { artifact })
    seen.add(artifact)
  }
}

/** Where something failed, what belongs to it may look needless: it is not reported a second time. */
export function checkSurplus(ctx: Context): void {
  if (ctx.findings.status === 'fail') return
  checkSections(ctx)
  checkUnreplayed(ctx)
  checkPositions(ctx)
  checkExtract(ctx)
  checkArtifacts(ctx)
}
