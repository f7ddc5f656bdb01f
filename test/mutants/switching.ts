// One text that holds all chosen mutants, each behind a switch that is off: `__mutants.on(7)` is true while the seventh is
// tried. Loops and bodies also ask how long the try has lasted, so that a mutant that never ends is stopped.
import ts from 'typescript'
import { type Mutant, parsed } from './kinds.ts'

export interface Numbered extends Mutant {
  readonly id: number
}

interface Edit {
  readonly start: number
  readonly end: number
  wrap(inner: string): string
}

function editOf({ id, kind, start, end, becomes }: Numbered): Edit {
  const on = `__mutants.on(${id})`
  if (becomes !== undefined) return { start, end, wrap: (inner) => `(${on} ? (${becomes}) : (${inner}))` }
  if (kind === 'body left out')
    return { start, end, wrap: (inner) => `{ if (${on}) return; ${inner.slice(1)}` }
  return { start, end, wrap: (inner) => `{ if (!${on}) { ${inner} } }` }
}

function frameEdits(text: string): Edit[] {
  const source = parsed(text)
  const edits: Edit[] = []
  const visit = (node: ts.Node): void => {
    const body =
      ts.isIterationStatement(node, false) || (ts.isFunctionLike(node) && 'body' in node)
        ? ((node as { statement?: ts.Node; body?: ts.Node }).statement ?? (node as { body?: ts.Node }).body)
        : undefined
    if (body !== undefined && ts.isStatement(body))
      edits.push({
        start: body.getStart(source),
        end: body.getEnd(),
        wrap: (inner) =>
          ts.isBlock(body) ? `{ __mutants.tick(); ${inner.slice(1)}` : `{ __mutants.tick(); ${inner} }`,
      })
    // In brackets, so that a switch at its beginning does not run on from the line before.
    if (ts.isExpressionStatement(node))
      edits.push({ start: node.getStart(source), end: node.getEnd(), wrap: (inner) => `{ ${inner} }` })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return edits
}

/** The text with every one of these mutants in it, switched off. */
export function withSwitches(text: string, mutants: readonly Numbered[]): string {
  // Those that hold others come first; of those with the same span the first one given is outermost.
  const inOrder = mutants.toSorted((a, b) => a.id - b.id).map(editOf)
  const edits = [...frameEdits(text), ...inOrder].sort((a, b) => a.start - b.start || b.end - a.end)
  let next = 0
  const render = (from: number, to: number): string => {
    let out = ''
    let at = from
    for (let edit = edits[next]; edit !== undefined && edit.end <= to; edit = edits[next]) {
      next += 1
      out += text.slice(at, edit.start) + edit.wrap(render(edit.start, edit.end))
      at = edit.end
    }
    return out + text.slice(at, to)
  }
  return render(0, text.length)
}
