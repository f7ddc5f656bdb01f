// Variants of honest events, each wrong in one member, and verdicts on them in one line: for pins of what an edition refuses.

import type { Json } from '../../src/ledger/canonical.ts'
import type { Occurrence, Refusal } from '../../src/protocol.ts'

const OTHER_HASH = 'f'.repeat(64)

function changed(value: Json | undefined): Json {
  if (typeof value === 'string') return /^[0-9a-f]{64}$/.test(value) ? OTHER_HASH : `${value}x`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : ['x']
  return value === null ? 'x' : null
}

/** Who an event is by, changed: another agent, another role, another key. */
const OTHERS = ['by agent', 'by role', 'by key'] as const

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

interface Step<State> {
  readonly state: State
  readonly event: Occurrence
}

/** By type, what may say something else and is not refused: members, and who it is by. Of each run the first event of a type. */
export function acceptedChanges<State>(
  runs: readonly (readonly Step<State>[])[],
  refuse: (state: State, event: Occurrence) => Refusal | null,
): Readonly<Record<string, readonly string[]>> {
  const accepted = new Map<string, Set<string>>()
  for (const steps of runs)
    for (const { state, event } of new Map(
      steps.toReversed().map((step) => [step.event.type, step]),
    ).values()) {
      const names = [...Object.keys(event.payload ?? {}), ...OTHERS]
      const free = names.filter((_, i) => {
        const tried = variantsOf(event)[i + 1]
        return tried !== undefined && refuse(state, tried) === null
      })
      accepted.set(event.type, new Set([...(accepted.get(event.type) ?? []), ...free]))
    }
  return Object.fromEntries([...accepted].sort().map(([type, names]) => [type, [...names].sort()]))
}
