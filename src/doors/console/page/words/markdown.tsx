// Markdown that a model wrote, as elements made from its tree: no string of HTML exists anywhere. What a link or an image
// points to is shown as text and never followed or loaded; HTML in it is text.

import type { Nodes } from 'mdast'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Scroll } from './scroll.tsx'
import { Long, parts } from './text.tsx'

type Parse = (text: string) => Nodes

let parse: Parse | null = null
const loading = async (): Promise<Parse> => {
  parse ??= (await import('./markdown-tree.ts')).treeOf
  return parse
}

const DEEPEST = 24
const MOST_CHARS = 40_000
const HEADINGS = ['h4', 'h4', 'h5', 'h6', 'h6', 'h6'] as const

const kids = (node: { readonly children: readonly Nodes[] }, depth: number): ComponentChildren =>
  node.children.map((child, i) => <Element key={i} node={child} depth={depth + 1} />)

function Element({ node, depth }: { readonly node: Nodes; readonly depth: number }): ComponentChildren {
  if (depth > DEEPEST) return '…'
  switch (node.type) {
    case 'text':
    case 'html':
      return parts(node.value)
    case 'paragraph':
      return <p dir="auto">{kids(node, depth)}</p>
    case 'heading': {
      const Tag = HEADINGS[node.depth - 1] ?? 'h6'
      return <Tag>{kids(node, depth)}</Tag>
    }
    case 'emphasis':
      return <em>{kids(node, depth)}</em>
    case 'strong':
      return <strong>{kids(node, depth)}</strong>
    case 'delete':
      return <del>{kids(node, depth)}</del>
    case 'inlineCode':
      return <code>{parts(node.value)}</code>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        <pre class="code" tabIndex={0}>
          {parts(node.value)}
        </pre>
      )
    case 'blockquote':
      return <blockquote>{kids(node, depth)}</blockquote>
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1}>{kids(node, depth)}</ol>
      ) : (
        <ul>{kids(node, depth)}</ul>
      )
    case 'listItem':
      return <li>{kids(node, depth)}</li>
    case 'thematicBreak':
      return <hr />
    case 'break':
      return <br />
    case 'link':
      return (
        <span class="not-a-link">
          {kids(node, depth)} <code class="small">{parts(node.url)}</code>
        </span>
      )
    case 'image':
      return (
        <span class="not-a-link">
          image “{parts(node.alt ?? '')}” <code class="small">{parts(node.url)}</code>
        </span>
      )
    case 'table':
      return (
        <Scroll>
          <table>
            <tbody>{kids(node, depth)}</tbody>
          </table>
        </Scroll>
      )
    case 'tableRow':
      return <tr>{kids(node, depth)}</tr>
    case 'tableCell':
      return <td>{kids(node, depth)}</td>
    case 'root':
      return <>{kids(node, depth)}</>
    default:
      return 'children' in node ? kids(node as { readonly children: readonly Nodes[] }, depth) : null
  }
}

export function Markdown({ text }: { readonly text: string }) {
  const [known, setKnown] = useState<Parse | null>(() => parse)
  useEffect(() => {
    if (!known) void loading().then((found) => setKnown(() => found))
  }, [known])
  if (!known || text.length > MOST_CHARS) return <Long text={text} />
  return (
    <div class="markdown">
      <Element node={known(text)} depth={0} />
    </div>
  )
}
