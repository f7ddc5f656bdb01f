// The mutants of one source file: small wrong changes, each a span of the text and what is there instead. Only code
// that runs in a call is changed: no types, imports, tables of a module's own level, or texts for people.
import ts from 'typescript'

export interface Mutant {
  readonly start: number
  readonly end: number
  readonly line: number
  readonly kind: string
  /** What is in the place of an expression; absent where the whole statement or body goes. */
  readonly becomes?: string
}

const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
}
const OPERATORS: Readonly<Record<string, string>> = {
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
}
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
}
const LEFT_OUT = new Set(['trim', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'filter'])

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** The condition by which a statement or `?:` chooses, with the values it may be held at. */
function conditionOf(node: ts.Node): [ts.Expression, readonly string[]] | undefined {
  if (ts.isIfStatement(node)) return [node.expression, ['true', 'false']]
  if (ts.isConditionalExpression(node)) return [node.condition, ['true', 'false']]
  if (ts.isWhileStatement(node) || ts.isDoStatement(node)) return [node.expression, ['false']]
  if (ts.isForStatement(node) && node.condition !== undefined) return [node.condition, ['false']]
  return undefined
}

/** A part of `a?.b.c` cannot be put in brackets by itself. */
const insideChain = ({ parent }: ts.Node): boolean =>
  (parent.flags & ts.NodeFlags.OptionalChain) !== 0 && !ts.isConditionalExpression(parent)

const isTarget = (node: ts.Node): boolean =>
  (ts.isBinaryExpression(node.parent) &&
    node.parent.left === node &&
    node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) ||
  ts.isForOfStatement(node.parent)

/** A name, a label or a path: no sentence, and no key of a property. */
function isWord(node: ts.Node): node is ts.StringLiteralLike {
  if (!ts.isStringLiteralLike(node) || node.text.includes(' ')) return false
  const { parent } = node
  return !('name' in parent && parent.name === node) && !ts.isTaggedTemplateExpression(parent)
}

const removable = (node: ts.Expression): boolean =>
  (ts.isCallExpression(node) && node.expression.kind !== ts.SyntaxKind.SuperKeyword) ||
  (ts.isAwaitExpression(node) && removable(node.expression)) ||
  ts.isPostfixUnaryExpression(node) ||
  (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)

/** What an expression may become, by kind. */
function* replacements(node: ts.Node, textOf: (node: ts.Node) => string): Generator<[string, string]> {
  if (ts.isBinaryExpression(node)) {
    const operator = textOf(node.operatorToken)
    const with_ = (other: string) => `${textOf(node.left)} ${other} ${textOf(node.right)}`
    for (const other of COMPARISONS[operator] ?? []) yield ['comparison', with_(other)]
    const other = OPERATORS[operator]
    const joinsText = operator.startsWith('+') && (isText(node.left) || isText(node.right))
    if (other !== undefined && !joinsText)
      yield [
        /[&|?]/.test(operator) ? 'logic' : 'arithmetic',
        `(${textOf(node.left)}) ${other} (${textOf(node.right)})`,
      ]
    if (operator in COMPARISONS && conditionOf(node.parent)?.[0] !== node) {
      yield ['condition', 'true']
      yield ['condition', 'false']
    }
  }
  if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === ts.SyntaxKind.ExclamationToken) yield ['negation', textOf(node.operand)]
    if (node.operator === ts.SyntaxKind.MinusToken) yield ['arithmetic', textOf(node.operand)]
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) yield ['boolean', 'false']
  if (node.kind === ts.SyntaxKind.FalseKeyword) yield ['boolean', 'true']
  if (isWord(node)) yield ['word', node.text === '' ? "'mutant'" : "''"]
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isTarget(node)) {
    yield ['list', '[]']
    if (node.elements.length > 1) yield ['list', `[${node.elements.slice(0, -1).map(textOf).join(', ')}]`]
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && !insideChain(node)) {
    const { expression, name } = node.expression
    const dot = node.expression.questionDotToken === undefined ? '.' : '?.'
    const other = METHODS[name.text]
    const rest = `(${node.arguments.map(textOf).join(', ')})`
    if (other !== undefined) yield ['method', `${textOf(expression)}${dot}${other}${rest}`]
    if (LEFT_OUT.has(name.text)) yield ['method', textOf(expression)]
  }
  const condition = ts.isExpression(node) ? conditionOf(node.parent) : undefined
  if (condition?.[0] === node) for (const value of condition[1]) yield ['condition', value]
  if (ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node))
    yield ['nothing returned', 'undefined']
}

const isPassedOver = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node)

export const parsed = (text: string): ts.SourceFile =>
  ts.createSourceFile('source.ts', text, ts.ScriptTarget.ES2023, true)

/** All mutants of a source text, in its order. */
export function mutantsOf(text: string): Mutant[] {
  const source = parsed(text)
  const mutants: Mutant[] = []
  const textOf = (node: ts.Node) => node.getText(source)
  const add = (node: ts.Node, kind: string, becomes?: string) => {
    const [start, end] = [node.getStart(source), node.getEnd()]
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    mutants.push({ start, end, line, kind, ...(becomes !== undefined && { becomes }) })
  }
  const visit = (node: ts.Node, called: boolean, thrown: boolean): void => {
    if (isPassedOver(node)) return
    if (called && !(thrown && isText(node)))
      for (const [kind, becomes] of replacements(node, textOf)) add(node, kind, becomes)
    if (called && ts.isExpressionStatement(node) && removable(node.expression))
      add(node, 'statement left out')
    if (ts.isBlock(node) && ts.isFunctionLike(node.parent) && node.statements.length > 0)
      add(node, 'body left out')
    const error =
      ts.isThrowStatement(node) || (ts.isNewExpression(node) && /Error$/.test(textOf(node.expression)))
    ts.forEachChild(node, (child) => visit(child, called || ts.isFunctionLike(node), thrown || error))
  }
  visit(source, false, false)
  return mutants
}
