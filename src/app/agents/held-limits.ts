// A warning at the start of a session for the person who set limits of sandboxes, if this machine cannot enforce
// them.

import type { ToolDefinition } from '../../tools/index.ts'
import { type HeldLimits, limitsHeldHere } from '../../tools/shell/held-limits.ts'
import type { Operator } from './operator-grants.ts'

const OF_ALL = ['agents.limits.memory_mib', 'agents.limits.processes']

/** Null where no limit is set, no tool has one, or the kernel enforces all of them. */
export function unheldWords(
  { limitsSet, bounds }: Pick<Operator, 'limitsSet' | 'bounds'>,
  offered: readonly Pick<ToolDefinition, 'name'>[],
  limits: HeldLimits,
): string | null {
  const runs = (kind: string): boolean => offered.some(({ name }) => name.startsWith(kind))
  if (limitsSet.length === 0 || !(runs('shell.') || runs('mcp.'))) return null
  if (bounds.unconfined && runs('shell.')) {
    const free = limitsSet.filter((name) => name !== 'agents.limits.processes')
    if (free.length > 0) return `Not held, since commands run unconfined: ${free.join(', ')}.`
  }
  const counted = limitsSet.filter((name) => OF_ALL.includes(name))
  if (counted.length === 0 || limits.by !== 'counting') return null
  return `${counted.join(', ')}: enforced, but not by the kernel for a sandbox as a whole. ${limits.detail}.`
}

export const unheldLimits = async (
  operator: Operator,
  offered: readonly ToolDefinition[],
): Promise<string | null> =>
  operator.limitsSet.length === 0
    ? null
    : unheldWords(operator, offered, await limitsHeldHere(process.env.PATH ?? ''))
