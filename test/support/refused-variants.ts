// Variants of honest events, each wrong in one member, and verdicts on them in one line: for pins of what an edition refuses.

import type { Json } from '../../src/ledger/canonical.ts'
import type { Occurrence, Refusal } from '../../src/protocol.ts'

const OTHER_HASH = 'f'.repeat(64)

function changed(value: Json | undefined): Json {
  if (typeof value === 'string') return /^[0-9a-f]{64}$/.test(value) ? OTHER_HASH : `${value}x`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.slice(1)
  return value === null ? 'x' : null
}

/** The event itself, then with each member of its payload changed, then by another agent, role and key. */
export function variantsOf(event: Occurrence): readonly Occurrence[] {
  const { payload, actor } = event
  const changedPayloads = Object.keys(payload ?? {}).map((name) => ({
    ...event,
    payload: { ...payload, [name]: changed((payload as { [name: string]: Json })[name]) },
  }))
  const others = [
    { ...actor, agent: `${actor.agent}x` },
    { ...actor, role: actor.role === 'clerk' ? 'critic' : 'clerk' },
    { ...actor, key: OTHER_HASH },
  ]
  return [event, ...changedPayloads, ...others.map((by) => ({ ...event, actor: by }))]
}

const lackOf = (lack: NonNullable<Refusal['lacks']>[number]): string =>
  typeof lack === 'string'
    ? lack
    : [lack.types.join('+'), lack.since?.slice(0, 6), lack.least, lack.by?.join('+')].join(':')

/** The code, what its absence may excuse, and where a verifier reports it; `ok` where nothing is refused. */
export function verdictOf(refusal: Refusal | null): string {
  if (refusal === null) return 'ok'
  const { code, lacks = [], besides } = refusal
  return `${code} ${lacks.map(lackOf).join(',')}${besides ? ` & ${verdictOf(besides)}` : ''}`
}

/** How many verdicts there are, how many of them refuse, and a digest of all. */
export function pinOf(verdicts: readonly string[], hash: (text: string) => string): string {
  const refused = verdicts.filter((verdict) => /^[A-Z_]+ /.test(verdict)).length
  return `${refused}/${verdicts.length} ${hash(verdicts.join('\n')).slice(0, 10)}`
}
