import { join } from 'node:path'
import { build } from 'esbuild'
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

/** What is for programs alone lies with the doors. */
const entryOf = (name: string): string =>
  name === './council' ? 'src/doors/library/council.ts' : `src/${name.slice(2)}/index.ts`

describe('the entry points of the package', () => {
  it('are those that package.json names, and load', async () => {
    const named = Object.keys(packageJson.exports).filter((name) => name !== './package.json')
    expect(named).toEqual([
      ...['./protocol', './ledger', './vaults', './clerk', './council', './minds', './senses'],
    ])
    for (const [name, expected] of [
      ['./ledger', ['WitanError', 'canonicalize', 'inquire', 'registryProtocol', 'verify', 'withCalls']],
      ['./vaults', ['MemoryVault', 'openPostgresVault', 'openSqliteVault', 'readBundle', 'sha256']],
      ['./clerk', ['Book', 'Clerk', 'Registrar', 'extract', 'forkTrace', 'proveEvent', 'wholeBundle']],
      ['./council', ['council', 'inHome', 'inVault', 'roundExecutor', 'QuorumError']],
      ['./minds', ['apiMind', 'createSeat', 'priceOf', 'replayMind']],
      ['./senses', ['cached', 'openEmbeddedSense', 'openProviderSense', 'similarity']],
    ] as const) {
      const loaded: Record<string, unknown> = await import(join(projectRoot, entryOf(name)))
      expect(Object.keys(loaded)).toEqual(expect.arrayContaining([...expected]))
    }
  })

  it('load no database driver, model or vendor package, and the pure ones nothing at all', async () => {
    expect(await loads('src/ledger/index.ts')).toEqual([])
    expect(await loads('src/clerk/index.ts')).toEqual([])
    expect((await loads('src/vaults/index.ts')).filter((path) => !path.startsWith('node:'))).toEqual([])
    for (const entry of ['src/minds/index.ts', 'src/senses/index.ts']) {
      expect((await loads(entry)).filter((path) => !path.startsWith('node:'))).toEqual([])
    }
    for (const path of await loads('src/vaults/index.ts')) {
      expect(['pg', '@photostructure/sqlite', 'node:sqlite']).not.toContain(path)
    }
  })
})
