// The graph of a session as a value: which node comes from which. A claim depends on the executions whose artifacts
// it quotes.

import type { SessionState } from '../../../../agents/state.ts'
import { callText, toneOf } from './session-words.ts'

export interface Node {
  readonly id: string
  /** As the trace names it. */
  readonly name: string
  readonly column: 0 | 1 | 2 | 3
  readonly words: string
  readonly status: string
  readonly tone: string
  readonly from: readonly string[]
}

export interface Graph {
  readonly nodes: readonly Node[]
  readonly edges: readonly (readonly [from: string, to: string])[]
}

/** Intents that ran, or may have run. */
const RAN_STATUSES: readonly string[] = ['completed', 'failed', 'indeterminate', 'lost', 'started', 'running']

export function graphOf(state: SessionState): Graph {
  const nodes: Node[] = []
  const edges: (readonly [string, string])[] = []
  const add = (node: Omit<Node, 'tone' | 'from'>, from: readonly string[]): void => {
    nodes.push({ ...node, tone: toneOf(node.status), from })
    for (const id of from) edges.push([id, node.id])
  }
  for (const { id, plan, status, closed, revises } of state.proposals.values())
    add(
      { id, name: id, column: 0, words: plan.objective, status: closed?.outcome ?? status },
      revises ? [revises] : [],
    )
  for (const intent of state.intents.values()) {
    const { id, tool, status, proposal } = intent
    add({ id, name: id, column: 1, words: `${tool} ${callText(intent)}`, status }, [proposal])
    if (RAN_STATUSES.includes(status))
      add({ id: `run/${id}`, name: id, column: 2, words: tool, status }, [id])
  }
  for (const { id, text, status, evidence, proposal } of state.claims.values()) {
    const ran = evidence.flatMap(({ artifact }) => {
      const intent = state.produced.get(artifact)?.intent
      return intent === undefined ? [] : [`run/${intent}`]
    })
    add({ id, name: id, column: 3, words: text, status }, ran.length > 0 ? [...new Set(ran)] : [proposal])
  }
  return { nodes, edges }
}

/** All ancestors and descendants of a node, including itself. */
export function reachOf({ edges }: Graph, id: string): ReadonlySet<string> {
  const reached = new Set([id])
  const walk = (from: string, ends: 0 | 1): void => {
    for (const edge of edges) {
      const next = edge[ends]
      if (edge[1 - ends] !== from || reached.has(next)) continue
      reached.add(next)
      walk(next, ends)
    }
  }
  walk(id, 0)
  walk(id, 1)
  return reached
}
