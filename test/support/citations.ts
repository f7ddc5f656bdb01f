// Reads from the text of a test file which requirement ids its test names cite. Only names count, in the syntax
// tree: an id in a comment or in data proves nothing, and neither does a test that is skipped or still to be written.
import ts from 'typescript'
import type { Requirement } from '../../spec/requirements.ts'

export interface Source {
  readonly path: string
  readonly text: string
}

const ID = /\b(?:LED|VER|VOX|COU|AGT|EXC|APP)(?:-[A-Z]+\d*)?-\d+\b/g
const CALLS = new Set(['it', 'test', 'describe'])
const IDLE = new Set(['skip', 'todo'])

const idsIn = (text: string): string[] => text.match(ID) ?? []

/** `it`, `it.each(…)`, `describe.skipIf(…)`: the words of the callee, outermost function first. */
function callee(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return [node.text]
  if (ts.isPropertyAccessExpression(node)) return [...callee(node.expression), node.name.text]
  if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) {
    return callee(ts.isCallExpression(node) ? node.expression : node.tag)
  }
  return []
}

function literalText(node: ts.Expression | undefined): string {
  if (node === undefined) return ''
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join(' ')
  }
  return ''
}

/** The ids cited by the names of tests that run. */
export function citations(source: Source): string[] {
  const found: string[] = []
  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) {
      const [name, ...modifiers] = callee(node.expression)
      if (name !== undefined && CALLS.has(name)) {
        if (modifiers.some((word) => IDLE.has(word))) return
        found.push(...idsIn(literalText(node.arguments[0])))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true))
  return found
}

/** One line per fault; empty when every built id is cited, no planned one is, and every cited one exists. */
export function coverageFaults(
  requirements: Readonly<Record<string, Requirement>>,
  sources: readonly Source[],
): string[] {
  const cited = new Map<string, string>()
  for (const source of sources) for (const id of citations(source)) cited.set(id, source.path)
  const faults: string[] = []
  for (const [id, { text, status }] of Object.entries(requirements)) {
    const path = cited.get(id)
    if (status === 'built' && path === undefined) faults.push(`${id} is built but no test cites it: ${text}`)
    if (status === 'planned' && path !== undefined) faults.push(`${id} is planned but ${path} cites it`)
  }
  for (const [id, path] of cited) if (!(id in requirements)) faults.push(`${id} in ${path} does not exist`)
  return faults
}

/** What only one of the two lists holds. */
export function difference(ours: readonly string[], theirs: readonly string[]): string[] {
  return [
    ...theirs.filter((id) => !ours.includes(id)).map((id) => `${id} is missing here`),
    ...ours.filter((id) => !theirs.includes(id)).map((id) => `${id} is only here`),
  ]
}
