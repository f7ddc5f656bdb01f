// A script of which V8's code is kept cannot import: every `import(…)` in it becomes a call of the function that its starter
// hands it. They are found by syntax, so that the same characters in a string or a pattern stay as they are.
import ts from 'typescript'

/** The text of a script with `OWN_IMPORT(…)` for each `import(…)`. */
export function withOwnImports(text) {
  const file = ts.createSourceFile('script.js', text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS)
  const ends = []
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      ends.push(node.expression.end)
    ts.forEachChild(node, visit)
  }
  visit(file)
  let [out, from] = ['', 0]
  for (const end of ends.sort((a, b) => a - b)) {
    out += `${text.slice(from, end - 'import'.length)}OWN_IMPORT`
    from = end
  }
  return out + text.slice(from)
}
