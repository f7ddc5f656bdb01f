// Markdown from a model, as elements made from its tree, never through a string of HTML. The target of a link
// or an image is shown as text and never followed or loaded; HTML in it is text.

import type { Nodes } from 'mdast'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Scroll } from './scroll.tsx'
import { Long, safeParts } from './text.tsx'

type Parse = (text: string) => Nodes

let parse: Parse | null = null
const loading = async (): Promise<Parse> => {
  parse ??= (await import('./markdown-tree.ts')).treeOf
  return parse
}

const MAX_DEPTH = 24
const MAX_CHARS = 40_000
const HEADINGS = ['h4', 'h4', 'h5', 'h6', 'h6', 'h6'] as const

const renderChildren = (node: { readonly children: readonly Nodes[] }, depth: number): ComponentChildren =>
  node.children.map((child, i) => <Element key={i} node={child} depth={depth + 1} />)

function Element({ node, depth }: { readonly node: Nodes; readonly depth: number }): ComponentChildren {
  if (depth > MAX_DEPTH) return '…'
  switch (node.type) {
    case 'text':
    case 'html':
      return safeParts(node.value)
    case 'paragraph':
      return <p dir="auto">{renderChildren(node, depth)}</p>
    case 'heading': {
      const Tag = HEADINGS[node.depth - 1] ?? 'h6'
      return <Tag>{renderChildren(node, depth)}</Tag>
    }
    case 'emphasis':
      return <em>{renderChildren(node, depth)}</em>
    case 'strong':
      return <strong>{renderChildren(node, depth)}</strong>
    case 'delete':
      return <del>{renderChildren(node, depth)}</del>
    case 'inlineCode':
      return <code>{safeParts(node.value)}</code>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        <pre class="code" tabIndex={0}>
          {safeParts(node.value)}
        </pre>
      )
    case 'blockquote':
      return <blockquote>{renderChildren(node, depth)}</blockquote>
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1}>{renderChildren(node, depth)}</ol>
      ) : (
        <ul>{renderChildren(node, depth)}</ul>
      )
    case 'listItem':
      return <li>{renderChildren(node, depth)}</li>
    case 'thematicBreak':
      return <hr />
    case 'break':
      return <br />
    case 'link':
      return (
        <span class="not-a-link">
          {renderChildren(node, depth)} <code class="small">{safeParts(node.url)}</code>
        </span>
      )
    case 'image':
      return (
        <span class="not-a-link">
          image “{safeParts(node.alt ?? '')}” <code class="small">{safeParts(node.url)}</code>
        </span>
      )
    case 'table':
      return (
        <Scroll>
          <table>
            <tbody>{renderChildren(node, depth)}</tbody>
          </table>
        </Scroll>
      )
    case 'tableRow':
      return <tr>{renderChildren(node, depth)}</tr>
    case 'tableCell':
      return <td>{renderChildren(node, depth)}</td>
    case 'root':
      return <>{renderChildren(node, depth)}</>
    default:
      return 'children' in node
        ? renderChildren(node as { readonly children: readonly Nodes[] }, depth)
        : null
  }
}

export function Markdown({ text }: { readonly text: string }) {
  const [known, setKnown] = useState<Parse | null>(() => parse)
  useEffect(() => {
    if (!known) void loading().then((module) => setKnown(() => module))
  }, [known])
  if (!known || text.length > MAX_CHARS) return <Long text={text} />
  return (
    <div class="markdown">
      <Element node={known(text)} depth={0} />
    </div>
  )
}
