// The rules of the storage as functions of source text: each takes files with paths relative to src/ and answers with
// one line per violation. They read the syntax tree, so that a comment cannot break a rule and a trick of layout
// cannot hide a breach.
import { posix } from 'node:path'
import ts from 'typescript'
import type { Source } from './citations.ts'

const PROTOCOLS = ['council', 'agents', 'exchange', 'eval']
const BASE = ['protocol', 'ledger']
/** How a model's careless answer is read: for every protocol, knowing none of them. */
const REPLY = 'reply'
const CORE = [...BASE, REPLY, ...PROTOCOLS]
/** How things are shown: words, tables and pages made of values, the same for every entrance. */
const RENDER = 'render'
const PURE = [...CORE, RENDER]
const PORTS = ['models/model.ts', 'embeddings/embedder.ts', 'tools/toolset.ts', 'stores/store.ts']
/** How an MCP server is reached; models and tools both are based on it, for adapters may not import each other. */
const WIRES = 'mcp-client'
const ON_WIRES = ['models', 'tools']
/** What may be read and sent has no port: the application makes packs, and the clerk sees only values. */
const CONTEXT = 'context'
const ADAPTERS = [...PORTS.map((port) => posix.dirname(port)), CONTEXT]
/** What any page needs of a browser: digests, signatures, examination. */
const BROWSER = 'browser'
/** Run in a browser, so they have no application behind them, only pure rooms. */
const PAGES = ['doors/page/', 'doors/console/page/']
const BROWSER_PACKAGES = ['@noble/hashes']
/** Of the console's page alone: the verification page has no framework. */
const CONSOLE_PACKAGES = [
  ...[
    'preact',
    '@preact/signals',
    'mdast',
    'mdast-util-from-markdown',
    'mdast-util-gfm',
    'micromark-extension-gfm',
  ],
]

/** Joins the entrances to the program that is installed, and does nothing else. */
const PROGRAM = 'main.ts'

/** The rooms that each room may import in addition to itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: ['ledger'],
  ledger: ['protocol'],
  [REPLY]: ['ledger'],
  ...Object.fromEntries(PROTOCOLS.map((room) => [room, [...BASE, REPLY]])),
  [RENDER]: CORE,
  ...Object.fromEntries(ADAPTERS.map((room) => [room, BASE])),
  [WIRES]: BASE,
  ...Object.fromEntries(ON_WIRES.map((room) => [room, [...BASE, WIRES]])),
  clerk: CORE,
  app: [...CORE, ...ADAPTERS, WIRES, 'clerk'],
  [BROWSER]: CORE,
  doors: [...PURE, 'app', BROWSER],
  [PROGRAM]: ['doors'],
}

const FORBIDDEN_NAMES =
  'Date process Buffer fetch setTimeout setInterval setImmediate crypto performance require globalThis global ' +
  'console eval WebSocket XMLHttpRequest localStorage indexedDB'
const FORBIDDEN = new Set(FORBIDDEN_NAMES.split(' '))
const VAGUE = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'types'])

export const MAX_SOURCE_LINES = 300
export const MAX_TEST_LINES = 500

interface Import {
  /** Null when the specifier is computed. */
  readonly specifier: string | null
  /** Path relative to src/, null for packages and node modules. */
  readonly target: string | null
}

const isTest = (path: string) => path.endsWith('.test.ts')
const isPage = (path: string) => PAGES.some((folder) => path.startsWith(folder))
const roomOf = (path: string) => (path === 'protocol.ts' ? 'protocol' : (path.split('/')[0] ?? path))
/** Each folder below doors/ is one entrance. */
const doorOf = (path: string) => path.split('/')[1] ?? ''
const isPure = (path: string) => PURE.includes(roomOf(path)) && !isTest(path)
const parse = ({ path, text }: Source) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

function specifierOf(node: ts.Node): ts.Node | null {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier ?? null
  if (ts.isExternalModuleReference(node)) return node.expression
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node
  const dynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  return dynamic ? (node.arguments[0] ?? node) : null
}

/** Everything a file imports, types and dynamic imports included. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = []
  walk(parse(source), (node) => {
    const literal = specifierOf(node)
    if (literal === null) return
    const specifier = ts.isStringLiteralLike(literal) ? literal.text : null
    const relative = specifier?.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : null
    found.push({ specifier, target: relative })
  })
  return found
}

const production = (sources: readonly Source[]) => sources.filter(({ path }) => !isTest(path))

function roomFault(from: string, { specifier, target }: Import): string | null {
  if (specifier === null) return 'a computed import'
  if (target === null) return null
  if (target.startsWith('..')) return `${target}, outside src`
  if (isTest(target)) return `the test ${target}`
  const to = roomOf(target)
  if (isPage(from) && to === 'app') return target
  // A page has nothing behind it but what travels over the wire, and a server has no browser.
  if (to === BROWSER && !isPage(from) && roomOf(from) !== BROWSER) return target
  if (doorOf(from) === doorOf(target) && to === 'doors' && isPage(from) !== isPage(target)) return target
  if (to === 'doors' && roomOf(from) === 'doors') return doorOf(from) === doorOf(target) ? null : target
  if (to === roomOf(from) || MAY_IMPORT[roomOf(from)]?.includes(to)) return null
  return roomOf(from) === 'clerk' && PORTS.includes(target) ? null : target
}

/**
 * doors → app → clerk → one protocol → reply → ledger. A door sees no other door, neither clerk nor adapter; the clerk
 * sees ports, adapters see the base and wires.
 */
export function roomViolations(sources: readonly Source[]): string[] {
  return production(sources).flatMap((source) => {
    if (!(roomOf(source.path) in MAY_IMPORT)) return [`${source.path} stands in no known room`]
    const faults = importsOf(source).map((found) => roomFault(source.path, found))
    return faults.flatMap((fault) => (fault === null ? [] : [`${source.path} may not import ${fault}`]))
  })
}

function packageAllowed(path: string, specifier: string): boolean {
  if (specifier === 'vitest' || specifier.startsWith('vitest/')) return false
  if (isPure(path) && roomOf(path) !== RENDER) return false
  if (!isPage(path) && roomOf(path) !== RENDER && roomOf(path) !== BROWSER) return true
  const allowed = path.startsWith('doors/console/page/')
    ? [...BROWSER_PACKAGES, ...CONSOLE_PACKAGES]
    : BROWSER_PACKAGES
  return allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`))
}

/** Pure rooms import no packages at all, the page only what runs in a browser, and only tests know the tests' own. */
export function packageViolations(sources: readonly Source[]): string[] {
  return production(sources).flatMap((source) =>
    importsOf(source).flatMap(({ specifier, target }) =>
      specifier === null || target !== null || packageAllowed(source.path, specifier)
        ? []
        : [`${source.path} may not import ${specifier}`],
    ),
  )
}

/** True where the identifier only names a member: `x.Date`, `{ Date: 1 }`, `import { Date as D }`. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isQualifiedName(parent)) return parent.right === node
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) {
    return parent.propertyName === node
  }
  const named = ts.isPropertyAssignment(parent) || ts.isClassElement(parent) || ts.isTypeElement(parent)
  return (named || ts.isEnumMember(parent)) && parent.name === node
}

/** `Math` may only be used as `Math.something` that is not chance. */
function isChance(node: ts.Identifier): boolean {
  if (node.text !== 'Math') return false
  return !(ts.isPropertyAccessExpression(node.parent) && node.parent.name.text !== 'random')
}

/** Pure rooms reach neither time, chance, process nor network. */
export function purityViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => isPure(path))
    .flatMap((source) => {
      const file = parse(source)
      const found: string[] = []
      walk(file, (node) => {
        const meta = ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword
        const named =
          ts.isIdentifier(node) && !isMemberName(node) && (FORBIDDEN.has(node.text) || isChance(node))
        if (!meta && !named) return
        const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
        found.push(`${source.path}:${line} uses ${meta ? 'import.meta' : node.getText(file)}`)
      })
      return found
    })
}

/** Import cycles between files; a type-only import counts, because it ties the ideas together all the same. */
export function cycles(sources: readonly Source[]): string[] {
  const targets = (source: Source) =>
    importsOf(source).flatMap(({ target }) => (target === null ? [] : [target]))
  const graph = new Map(sources.map((source) => [source.path, targets(source)]))
  const done = new Set<string>()
  const found: string[] = []
  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path)
    if (start !== -1) found.push([...trail.slice(start), path].join(' → '))
    if (start !== -1 || done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return found
}

export function sizeViolations(sources: readonly Source[], limit: number): string[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    return lines > limit ? [`${path} has ${lines} lines, over ${limit}`] : []
  })
}

/** A name that says nothing about what is inside. */
export function nameViolations(paths: readonly string[]): string[] {
  const vague = (path: string) => path.split('/').some((part) => VAGUE.has(part.split('.')[0] ?? part))
  return paths.filter(vague).map((path) => `${path} is named after nothing in the domain`)
}
