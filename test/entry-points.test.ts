import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { projectRoot } from './support/sources.ts'

/** What loading a file loads at once: packages and Node's own modules, without what is imported later. */
async function loads(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(projectRoot, entry)],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'nowhere',
    write: false,
    metafile: true,
  })
  const found = new Set<string>()
  const visit = (output: string): void => {
    for (const { path, kind, external } of metafile.outputs[output]?.imports ?? []) {
      if (kind !== 'import-statement') continue
      if (external) found.add(path)
      else visit(path)
    }
  }
  for (const [output, { entryPoint }] of Object.entries(metafile.outputs))
    if (entryPoint === entry) visit(output)
  return [...found].sort()
}

/** The source of an entry point, from where it is built to. */
const ENTRIES = Object.entries(packageJson.exports).flatMap(([name, target]) =>
  typeof target === 'string'
    ? []
    : [{ name, file: target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'), target }],
)
const sourceOf = (name: string): string => ENTRIES.find((entry) => entry.name === name)?.file ?? ''

const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  '.': [
    'WitanError',
    'addKey',
    'attestTrace',
    'distrust',
    'doctor',
    'exportFlat',
    'exportForm',
    'exportSpans',
    'exportTrace',
    'failureOf',
    'findEvents',
    'homeDirectory',
    'inHome',
    'inStore',
    'listKeys',
    'listTraces',
    'listTrusted',
    'proveEvent',
    'proveSince',
    'readArtifact',
    'readEvent',
    'readReport',
    'readTrace',
    'redact',
    'replay',
    'revokeKey',
    'rotateKey',
    'setPassphrase',
    'trust',
    'verifyTrace',
  ],
  './protocol': [],
  './ledger': ['WitanError', 'canonicalize', 'inquire', 'registryProtocol', 'verify', 'withCalls'],
  './clerk': ['TraceLog', 'Clerk', 'Registrar', 'extract', 'forkTrace', 'proveEvent', 'wholeBundle'],
  './council': [
    'QuorumError',
    'abortCouncil',
    'configuredSeats',
    'council',
    'estimateCouncil',
    'forkCouncil',
    'inHome',
    'inStore',
    'resumeCouncil',
    'retryCouncil',
    'roundExecutor',
  ],
  './agents': [
    'abortSession',
    'accountable',
    'agents',
    'forkSession',
    'forkTask',
    'inHome',
    'inStore',
    'openAccountable',
    'resumeSession',
    'resumeTask',
    'runTask',
  ],
  './exchange': [
    'abortExchange',
    'compareExchanges',
    'exchange',
    'exchangeMap',
    'exchangeRows',
    'exchangeStatus',
    'forkExchange',
    'inHome',
    'inStore',
    'observeExchange',
    'reembedExchange',
    'resumeExchange',
  ],
  './models': ['apiModel', 'claudeModel', 'createSeat', 'mcpModel', 'ownModel', 'priceOf', 'replayModel'],
  './tools': ['confine', 'fileTools', 'loadPolicy', 'openTools', 'toolbox'],
  './embeddings': ['cached', 'openBuiltInEmbedder', 'openProviderEmbedder', 'similarity'],
  './stores': ['MemoryStore', 'openPostgresStore', 'openSqliteStore', 'readBundle', 'sha256'],
  './context': ['packOf', 'previewOf', 'reviewPack', 'takeSnapshot', 'withoutSecrets'],
  './minds': ['apiMind', 'createSeat', 'priceOf', 'replayMind'],
  './hands': ['confine', 'filesHand', 'loadPolicy', 'openHands', 'toolbox'],
  './senses': ['cached', 'openEmbeddedSense', 'openProviderSense', 'similarity'],
  './vaults': ['MemoryVault', 'openPostgresVault', 'openSqliteVault', 'readBundle', 'sha256'],
  './packs': ['packOf', 'previewOf', 'reviewPack', 'takeSnapshot', 'withoutSecrets'],
}

const parse = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)

const namesOf = (node: ts.Statement): readonly (ts.Node | undefined)[] =>
  ts.isVariableStatement(node)
    ? node.declarationList.declarations.map(({ name }) => name)
    : [(node as ts.DeclarationStatement).name]

const isDocumented = (path: string, name: string): boolean =>
  parse(path).statements.some((statement) => {
    const isIt = namesOf(statement).some((found) => found?.getText() === name)
    if (isIt) return ts.getJSDocCommentsAndTags(statement).length > 0
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return false
    const from = join(dirname(path), (statement.moduleSpecifier as ts.StringLiteral).text)
    const { exportClause: clause } = statement
    if (clause && ts.isNamedExports(clause))
      return clause.elements.some(
        (element) =>
          element.name.text === name && isDocumented(from, (element.propertyName ?? element.name).text),
      )
    return isDocumented(from, name)
  })

/** Everything exported from this file, by name, that says nothing about itself where it stands. */
function undocumented(file: string): string[] {
  const path = join(projectRoot, file)
  const exported = parse(path).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause)
      return (statement.exportClause as ts.NamedExports).elements.map((element) => element.name.text)
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    return isExported ? namesOf(statement).map((name) => name?.getText() ?? '') : []
  })
  expect(exported.length).toBeGreaterThan(2)
  return exported.filter((name) => !isDocumented(path, name))
}

describe('the package', () => {
  it('APP-5 holds the examples that its documents speak of', () => {
    const { files } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
      files: string[]
    }
    expect(files).toEqual(expect.arrayContaining(['bin', 'dist', 'data', 'spec', 'examples']))
  })
})

describe('the entry points of the package', () => {
  it('APP-5 are those that package.json names, and load', async () => {
    expect(ENTRIES.map(({ name }) => name)).toEqual(Object.keys(EXPECTED))
    for (const { name, file, target } of ENTRIES) {
      const loaded: Record<string, unknown> = await import(join(projectRoot, file))
      expect(Object.keys(loaded), name).toEqual(expect.arrayContaining([...(EXPECTED[name] ?? [])]))
      expect(target.types).toBe(target.default.replace(/\.js$/, '.d.ts'))
    }
  })

  it('APP-5 export of the application and the three protocols exactly these names', async () => {
    for (const name of ['.', './council', './agents', './exchange']) {
      const loaded: Record<string, unknown> = await import(join(projectRoot, sourceOf(name)))
      expect(Object.keys(loaded).sort(), name).toEqual(EXPECTED[name])
    }
  })

  it('load no database driver, model or vendor package, and the pure ones nothing at all', async () => {
    expect(await loads(sourceOf('./protocol'))).toEqual([])
    expect(await loads(sourceOf('./ledger'))).toEqual([])
    expect(await loads(sourceOf('./clerk'))).toEqual([])
    const LIGHT = ['ulid', 'ignore', 'tokenx', '@noble/hashes/sha2.js']
    for (const { name, file } of ENTRIES) {
      const packages = (await loads(file)).filter((path) => !path.startsWith('node:'))
      expect(
        packages.filter((path) => !LIGHT.includes(path)),
        name,
      ).toEqual([])
    }
  })

  it('APP-5 say of everything they export what it is', { timeout: 60_000 }, () => {
    const silent = ENTRIES.flatMap(({ name, file }) => undocumented(file).map((word) => `${name} ${word}`))
    expect(silent).toEqual([])
  })

  it('APP-5 resolve for strangers as they are packed', { timeout: 180_000 }, () => {
    const script = join(projectRoot, 'scripts/check-package.js')
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
    expect(status, stdout).toBe(0)
  })
})
