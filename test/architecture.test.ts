// The dependency rule, the purity of the pure rooms and the size of files are checked, not hoped for. Each rule is
// first shown to fail on a planted violation.
import { describe, expect, it } from 'vitest'
import {
  cycles,
  importsOf,
  MAX_SOURCE_LINES,
  MAX_TEST_LINES,
  nameViolations,
  packageViolations,
  purityViolations,
  roomViolations,
  sizeViolations,
} from './support/architecture.ts'
import type { Source } from './support/citations.ts'
import { readSources } from './support/sources.ts'

const file = (path: string, text: string): Source => ({ path, text })
const importing = (path: string, ...specifiers: string[]): Source =>
  file(path, specifiers.map((specifier) => `import '${specifier}'`).join('\n'))

describe('the reader of imports', () => {
  it('sees every way to import, and nothing in comments or strings', () => {
    const text = `
      import a from './a.ts'
      import type { B } from '../b/b.ts'
      export * from './c.ts'
      export type { D } from './d.ts'
      type E = import('./e.ts').E
      const f = await import('./f.ts')
      import g = require('./g.ts')
      const h = await import(name)
      import 'node:fs'
      // import './no.ts'
      const i = "import './no.ts'"`
    expect(importsOf(file('ledger/x.ts', text)).map(({ specifier, target }) => target ?? specifier)).toEqual([
      'ledger/a.ts',
      'b/b.ts',
      'ledger/c.ts',
      'ledger/d.ts',
      'ledger/e.ts',
      'ledger/f.ts',
      'ledger/g.ts',
      null,
      'node:fs',
    ])
  })
})

describe('the dependency rule', () => {
  const allowed: [string, string][] = [
    ['protocol.ts', './ledger/canonical.ts'],
    ['ledger/verify.ts', '../protocol.ts'],
    ['council/rounds.ts', '../protocol.ts'],
    ['council/rounds.ts', '../ledger/event.ts'],
    ['council/replies/wanted.ts', '../../reply/wanted.ts'],
    ['reply/read.ts', '../ledger/canonical.ts'],
    ['agents/session.ts', './refuse.ts'],
    ['stores/sqlite.ts', './store.ts'],
    ['models/cli/claude.ts', '../model.ts'],
    ['models/api.ts', '../ledger/errors.ts'],
    ['models/mcp/mcp.ts', '../../mcp-client/connection.ts'],
    ['tools/mcp.ts', '../mcp-client/connection.ts'],
    ['mcp-client/server.ts', '../ledger/errors.ts'],
    ['context/walk.ts', '../ledger/errors.ts'],
    ['clerk/clerk.ts', '../tools/toolset.ts'],
    ['clerk/clerk.ts', '../stores/store.ts'],
    ['clerk/clerk.ts', '../models/model.ts'],
    ['clerk/clerk.ts', '../council/council.ts'],
    ['clerk/clerk.test.ts', '../stores/sqlite.ts'],
    ['render/story.ts', '../council/events.ts'],
    ['app/council.ts', '../clerk/clerk.ts'],
    ['app/council.ts', '../stores/sqlite.ts'],
    ['app/council.ts', '../context/index.ts'],
    ['doors/cli/verify.ts', '../../app/traces.ts'],
    ['doors/cli/verify.ts', '../../render/verdict.ts'],
    ['doors/cli/verify.ts', './command.ts'],
    ['main.ts', './doors/cli/main.ts'],
    ['doors/page/page.ts', '../../ledger/verify.ts'],
    ['doors/page/page.ts', './dom.ts'],
    ['doors/page/events.ts', '../../render/story.ts'],
    ['doors/page/start.ts', '../../browser/signatures.ts'],
    ['doors/console/page/trace/fold.ts', '../../../../browser/bytes.ts'],
    ['doors/console/page/trace/fold.ts', '../../../../council/council.ts'],
    ['doors/console/serve.ts', '../../app/console/open-home.ts'],
    ['browser/examine.ts', '../council/council.ts'],
  ]
  it.each(allowed)('lets %s import %s', (path, specifier) => {
    expect(roomViolations([importing(path, specifier)])).toEqual([])
  })

  const refused: [string, string][] = [
    ['ledger/verify.ts', '../council/council.ts'],
    ['ledger/verify.ts', '../stores/store.ts'],
    ['ledger/verify.ts', './verify.test.ts'],
    ['protocol.ts', './clerk/clerk.ts'],
    ['reply/read.ts', '../council/events.ts'],
    ['reply/fit.ts', '../protocol.ts'],
    ['ledger/verify.ts', '../reply/fit.ts'],
    ['models/api.ts', '../reply/fit.ts'],
    ['council/rounds.ts', '../agents/session.ts'],
    ['council/rounds.ts', '../render/story.ts'],
    ['exchange/pool.ts', '../council/quorum.ts'],
    ['agents/session.ts', '../tools/toolset.ts'],
    ['agents/session.ts', '../clerk/clerk.ts'],
    ['stores/sqlite.ts', '../models/model.ts'],
    ['stores/sqlite.ts', '../mcp-client/connection.ts'],
    ['stores/sqlite.ts', '../../test/support/postgres.ts'],
    ['models/api.ts', '../council/council.ts'],
    ['tools/shell.ts', '../clerk/clerk.ts'],
    ['tools/mcp.ts', '../models/mcp/mcp.ts'],
    ['tools/files.ts', '../context/clean.ts'],
    ['mcp-client/connection.ts', '../models/model.ts'],
    ['context/walk.ts', '../models/model.ts'],
    ['context/walk.ts', '../council/council.ts'],
    ['clerk/clerk.ts', '../mcp-client/connection.ts'],
    ['clerk/clerk.ts', '../tools/shell.ts'],
    ['clerk/clerk.ts', '../stores/sqlite.ts'],
    ['clerk/clerk.ts', '../stores/index.ts'],
    ['clerk/clerk.ts', '../app/run.ts'],
    ['clerk/council/run.ts', '../../context/index.ts'],
    ['render/story.ts', '../app/home/home.ts'],
    ['render/story.ts', '../clerk/clerk.ts'],
    ['app/council.ts', '../render/story.ts'],
    ['app/council.ts', '../doors/cli/main.ts'],
    ['doors/cli/verify.ts', '../../clerk/clerk.ts'],
    ['doors/cli/verify.ts', '../../stores/sqlite.ts'],
    ['doors/mcp/tools.ts', '../cli/verbs/list.ts'],
    ['main.ts', './app/home/home.ts'],
    ['doors/page/page.ts', '../../app/home/home.ts'],
    ['doors/page/page.ts', '../cli/main.ts'],
    ['doors/console/page/main.tsx', '../../../app/home/home.ts'],
    ['doors/console/page/main.tsx', '../serve.ts'],
    ['doors/console/serve.ts', './page/main.tsx'],
    ['doors/console/serve.ts', '../../browser/bytes.ts'],
    ['doors/console/serve.ts', '../../stores/sqlite.ts'],
    ['app/console/open-home.ts', '../../browser/bytes.ts'],
    ['browser/examine.ts', '../stores/digest.ts'],
    ['cupboard/things.ts', './more.ts'],
  ]
  it.each(refused)('does not let %s import %s', (path, specifier) => {
    expect(roomViolations([importing(path, specifier)])).toHaveLength(1)
  })

  it('does not let a room hide what it imports', () => {
    expect(roomViolations([file('clerk/clerk.ts', 'await import(name)')])).toEqual([
      'clerk/clerk.ts may not import a computed import',
    ])
  })

  it('APP-16 holds in the project without exceptions', () => {
    expect(roomViolations(project())).toEqual([])
  })

  it('APP-16 leaves one place that makes a clerk', () => {
    const makers = project().filter(
      ({ path, text }) => !path.endsWith('.test.ts') && text.includes('new Clerk('),
    )
    expect(makers.map(({ path }) => path)).toEqual(['app/run.ts'])
  })
})

describe('the package rule', () => {
  it.each([
    ['ledger/hash.ts', 'node:crypto'],
    ['protocol.ts', 'zod'],
    ['council/schema.ts', 'zod'],
    ['doors/page/page.ts', 'node:fs'],
    ['render/story.ts', 'node:fs'],
    ['doors/page/page.ts', 'commander'],
    ['doors/page/page.ts', 'preact'],
    ['doors/console/page/main.tsx', 'hono'],
    ['browser/bytes.ts', 'node:crypto'],
    ['doors/page/page.ts', '@noble/hashes-not'],
    ['stores/sqlite.ts', 'vitest'],
  ])('does not let %s import %s', (path, specifier) => {
    expect(packageViolations([importing(path, specifier)])).toEqual([`${path} may not import ${specifier}`])
  })

  it('leaves effects, tests and the page what they need', () => {
    const sources = [
      importing('stores/sqlite.ts', 'node:fs', 'pg'),
      importing('ledger/hash.test.ts', 'node:crypto', 'vitest'),
      importing('doors/page/page.ts', '@noble/hashes/sha2.js'),
      importing('doors/console/page/main.tsx', 'preact', '@preact/signals', 'preact/hooks'),
      importing('doors/console/serve.ts', 'hono', 'node:http'),
      importing('ledger/hash.ts', './bytes.ts'),
    ]
    expect(packageViolations(sources)).toEqual([])
  })

  it('holds in the project', () => {
    expect(packageViolations(project())).toEqual([])
  })
})

describe('the purity rule', () => {
  const uses = (text: string, path = 'ledger/x.ts') => purityViolations([file(path, text)])

  it.each([
    'const now = new Date()',
    'const now = Date.now()',
    'type T = Date',
    'const r = Math.random()',
    `const r = Math['random']()`,
    'const { random } = Math',
    'const m = Math',
    'process.env.HOME',
    'Buffer.from("")',
    'await fetch("http://x")',
    'setTimeout(f, 1)',
    'crypto.subtle',
    'const o = { crypto }',
    'performance.now()',
    `require('fs')`,
    'globalThis.fetch',
    'console.log(1)',
    'const u = import.meta.url',
    'const { Date: D } = globalThis',
  ])('refuses: %s', (text) => {
    expect(uses(text)).toHaveLength(1)
  })

  it('names file, line and what was used', () => {
    expect(uses('const a = 1\nconst b = Date.now()', 'exchange/pool.ts')).toEqual([
      'exchange/pool.ts:2 uses Date',
    ])
    expect(uses('fetch("")', 'protocol.ts')).toEqual(['protocol.ts:1 uses fetch'])
  })

  it('lets members of those names be, and comments, and arithmetic', () => {
    const text = `
      // Date.now() and process
      interface T { Date: string; process(): void }
      const o = { Date: 'x', crypto: 1, process() {} }
      const { process: p } = o
      class C { fetch = 1 }
      o.Date + Math.max(1, 2) + 'Date'`
    expect(uses(text)).toEqual([])
  })

  it('binds neither effects nor tests', () => {
    const paths = ['stores/sqlite.ts', 'clerk/clock.ts', 'ledger/x.test.ts']
    expect(paths.flatMap((path) => uses('Date.now()', path))).toEqual([])
  })

  it('holds in the project', () => {
    expect(purityViolations(project())).toEqual([])
  })
})

describe('the rule against cycles', () => {
  it('finds a cycle through any number of files, also one of types only', () => {
    const sources = [
      importing('ledger/a.ts', './b.ts'),
      file('ledger/b.ts', `import type { C } from './c.ts'`),
      file('ledger/c.ts', `export type { A } from './a.ts'`),
      importing('ledger/d.ts', './a.ts', './d.ts'),
    ]
    expect(cycles(sources)).toEqual([
      'ledger/a.ts → ledger/b.ts → ledger/c.ts → ledger/a.ts',
      'ledger/d.ts → ledger/d.ts',
    ])
  })

  it('lets several files share one', () => {
    const sources = [importing('a.ts', './b.ts', './c.ts'), importing('b.ts', './c.ts'), importing('c.ts')]
    expect(cycles(sources)).toEqual([])
  })

  it('holds in the project', () => {
    expect(cycles(project())).toEqual([])
  })
})

describe('sizes and names', () => {
  it('refuses a file over its budget', () => {
    const long = file('ledger/x.ts', 'line\n'.repeat(MAX_SOURCE_LINES + 1))
    expect(sizeViolations([long], MAX_SOURCE_LINES)).toEqual(['ledger/x.ts has 301 lines, over 300'])
    expect(sizeViolations([file('x.ts', 'line\n'.repeat(MAX_SOURCE_LINES))], MAX_SOURCE_LINES)).toEqual([])
  })

  it('refuses a name that says nothing', () => {
    const paths = ['ledger/utils.ts', 'helpers/x.ts', 'clerk/common/y.ts', 'types.ts', 'ledger/utils.test.ts']
    expect(nameViolations(paths)).toHaveLength(5)
    expect(nameViolations(['ledger/commons.ts', 'council/subtypes.ts'])).toEqual([])
  })

  it('hold in the project', () => {
    const tests = readSources('test')
    const sources = project()
    const inside = (path: string) => path.endsWith('.test.ts')
    expect(
      sizeViolations(
        sources.filter(({ path }) => !inside(path)),
        MAX_SOURCE_LINES,
      ),
    ).toEqual([])
    expect(sizeViolations([...tests, ...sources.filter(({ path }) => inside(path))], MAX_TEST_LINES)).toEqual(
      [],
    )
    expect(nameViolations([...sources, ...tests].map(({ path }) => path))).toEqual([])
  })
})

/** Lines of code that hold a word of which STYLE says that it tells a stranger nothing; comments are not shown to users. */
const archaic = ({ path, text }: Source): readonly string[] =>
  text
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line) && /['"`].*\b(whoever|upon|sits down)\b/i.test(line))
    .map((line) => `${path}: ${line.trim()}`)

describe('what people read', () => {
  it('is searched for archaic words, comments aside', () => {
    expect(archaic(file('x.ts', "const a = 'whoever comes'\n// whoever\nconst upon = 1"))).toHaveLength(1)
  })

  it('APP-16 is plain English in every entrance, use case and view', () => {
    const shown = /^(doors|render|app|stores)\//
    const sources = project().filter(({ path }) => shown.test(path) && !path.endsWith('.test.ts'))
    expect(sources.flatMap(archaic)).toEqual([])
  })
})

/** The files of src/, named from there. An empty list would pass every rule. */
function project(): Source[] {
  const sources = readSources('src').map(({ path, text }) => ({ path: path.slice('src/'.length), text }))
  expect(sources.map(({ path }) => path)).toContain('protocol.ts')
  return sources
}
