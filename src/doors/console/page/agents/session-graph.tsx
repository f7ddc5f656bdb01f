// A session as a graph, from plan to proof: proposals, their intents, what ran, and the resulting claims. The
// lines are drawn below the boxes; for readers who cannot see them each box names what it comes from.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { SessionState } from '../../../../agents/state.ts'
import { clip, IsolatedText } from '../elements/text.tsx'
import { graphOf, type Node, reachOf } from './graph.ts'
import { statusText } from './session-words.ts'

const COLUMNS = ['Proposals', 'Calls', 'Executions', 'Claims'] as const

function drawEdges(
  canvas: HTMLCanvasElement,
  edges: readonly (readonly [string, string])[],
  reachable: ReadonlySet<string>,
): void {
  const context = canvas.getContext('2d')
  const box = canvas.getBoundingClientRect()
  if (!context) return
  canvas.width = box.width * devicePixelRatio
  canvas.height = box.height * devicePixelRatio
  context.scale(devicePixelRatio, devicePixelRatio)
  const style = getComputedStyle(canvas)
  const boxOf = (id: string): DOMRect | undefined =>
    canvas.parentElement?.querySelector(`[data-node="${CSS.escape(id)}"]`)?.getBoundingClientRect()
  for (const [from, to] of edges) {
    const [a, b] = [boxOf(from), boxOf(to)]
    if (!a || !b) continue
    const isChosen = reachable.has(from) && reachable.has(to)
    context.strokeStyle = style.color
    context.globalAlpha = reachable.size === 0 ? 0.5 : isChosen ? 1 : 0.15
    context.lineWidth = isChosen ? 2 : 1
    const [x1, y1] = [a.right - box.left, a.top + a.height / 2 - box.top]
    const [x2, y2] = [b.left - box.left, b.top + b.height / 2 - box.top]
    context.beginPath()
    context.moveTo(x1, y1)
    context.bezierCurveTo((x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2)
    context.stroke()
  }
}

function NodeBox({
  node,
  isChosen,
  isPale,
  choose,
}: {
  readonly node: Node
  readonly isChosen: boolean
  readonly isPale: boolean
  readonly choose: () => void
}) {
  return (
    <button
      type="button"
      class={`node${isPale ? ' pale' : ''}`}
      data-node={node.id}
      aria-pressed={isChosen}
      onClick={choose}
    >
      <span class="block small">
        <code>{node.name}</code> <span class={`status ${node.tone}`}>{statusText(node.status)}</span>
      </span>
      <IsolatedText text={clip(node.words, 140)} />
      {node.from.length > 0 && <span class="visually-hidden"> from {node.from.join(', ')}</span>}
    </button>
  )
}

export function SessionGraph({ state }: { readonly state: SessionState }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const graph = graphOf(state)
  const reachable = chosen === null ? new Set<string>() : reachOf(graph, chosen)
  useEffect(() => {
    const { current } = canvas
    if (!current) return
    const draw = (): void => drawEdges(current, graph.edges, reachable)
    draw()
    const observer = new ResizeObserver(draw)
    observer.observe(current)
    return () => observer.disconnect()
  })
  return (
    <section class="graph" aria-label="Graph of the session">
      <canvas ref={canvas} />
      {COLUMNS.map((title, column) => (
        <div key={title} class="graph-column">
          <h2>{title}</h2>
          {graph.nodes
            .filter((node) => node.column === column)
            .map((node) => (
              <NodeBox
                key={node.id}
                node={node}
                isChosen={node.id === chosen}
                isPale={reachable.size > 0 && !reachable.has(node.id)}
                choose={() => setChosen(node.id === chosen ? null : node.id)}
              />
            ))}
          {graph.nodes.every((node) => node.column !== column) && <p class="muted small">none yet</p>}
        </div>
      ))}
    </section>
  )
}
