// Second half of verification: from a reading and its answers to a report. Pure, synchronous, read-only: the
// same bytes and answers give the same report on any machine, and no input makes it throw.

import type { Protocol } from '../../protocol.ts'
import { type Sha256, toHex } from '../bytes.ts'
import { REGISTRY_PROTOCOL, registryProtocol } from '../registry/registry.ts'
import { checkAttested } from './attested.ts'
import { Context } from './context.ts'
import type { Answers, Inquiry } from './inquire.ts'
import { checkSurplus } from './inspect.ts'
import { inspectAll, replay } from './replay.ts'
import type { Report } from './report.ts'
import { checkCheckpoints, checkTrust } from './trust.ts'

/** Whether the reader pinned a party that attests checkpoints; without one the report has its old form. */
const asksForOthers = ({ trust: { witnesses = [], authorities = [] } }: Inquiry): boolean =>
  witnesses.length + authorities.length > 0

/** The verdict: pure and synchronous, a function of the bundle, the answers and what is trusted. */
export function verify(
  sha256: Sha256,
  inquiry: Inquiry,
  answers: Answers,
  protocols: readonly Protocol[],
): Report {
  const known = new Map(protocols.map((protocol) => [protocol.id, protocol]))
  const registry = registryProtocol(sha256)
  known.set(registry.id, registry as Protocol)
  const ctx = new Context(sha256, inquiry, answers, known)
  const { bundle, main, ancestors } = inquiry

  if (inquiry.registry.events.length === 0) {
    ctx.findings.add('key_status', 'KEY_UNKNOWN', 'the bundle holds no registry: no key can be judged')
  } else if (ctx.protocolOf(inquiry.registry) !== REGISTRY_PROTOCOL) {
    ctx.findings.add('schema', 'SCHEMA_INVALID', 'what is given as the registry is no registry')
  }
  // Only an extract can prove something without an event: that one checkpoint extends another.
  if (main.events.length === 0 && (main.form === 'whole' || !main.earlier)) {
    ctx.findings.add('schema', 'SCHEMA_INVALID', `the bundle holds nothing of ${bundle.trace}`)
  }
  if (main.form === 'sparse' && ancestors.length > 0) {
    // Nothing would be replayed on them: they would be covered by a verdict that is not about them.
    ctx.findings.add('schema', 'SCHEMA_INVALID', 'a bundle of single events has a parent trace')
  }
  if (main !== inquiry.registry || main.form === 'sparse') replay(ctx, [inquiry.registry])
  if (bundle.content === 'none' && main !== inquiry.registry) {
    for (const section of [...ancestors, main]) inspectAll(ctx, section)
    const message =
      'payloads and artifacts were left out: what was said, and whether it was allowed, was not checked'
    ctx.findings.add('payload_hash', 'CONTENT_WITHHELD', message, { severity: 'warning' })
  } else if (main.form === 'sparse') {
    if (main !== inquiry.registry) inspectAll(ctx, main)
  } else {
    replay(ctx, [...ancestors, main])
  }
  checkCheckpoints(ctx)
  const attested = checkAttested(ctx)
  checkSurplus(ctx)
  const trust = checkTrust(ctx)

  const checkpoint = ctx.checkpointOf(main.checkpoint)
  const whole = main.form === 'whole'
  const root = whole ? ctx.roots(main, main.events.length)?.events : checkpoint && toHex(checkpoint.root)
  return {
    witan: 'report/1',
    status: ctx.findings.status,
    trace: bundle.trace,
    protocol: ctx.protocolOf(main),
    form: main.form,
    size: whole ? main.events.length : (checkpoint?.size ?? 0),
    proven: whole ? null : main.events.map((read) => read.id),
    head: whole ? (main.events.at(-1)?.event.hash ?? null) : null,
    root: root ?? null,
    registry: {
      trace: inquiry.registry.trace,
      size: ctx.checkpointOf(inquiry.registry.checkpoint)?.size ?? inquiry.registry.events.length,
      keys: inquiry.keys.registrars,
    },
    trusted_by: trust.by,
    truncation_excluded_to: trust.truncationExcludedTo,
    ...(asksForOthers(inquiry) && { attested: ctx.findings.status === 'fail' ? [] : attested }),
    checks: ctx.findings.lines(),
    failures: ctx.findings.failures,
  }
}
