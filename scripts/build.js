// Builds dist/: the compiled package with the policies it reads, the command in a few files instead of hundreds (what
// Node takes to find and read each is most of a short command's time), the page of the console, and the script and style
// that the self-contained verification page carries.
// With --if-changed nothing is done while dist/ is newer than every source.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'dist/page.js')
const sources = ['src', 'tsconfig.json', 'tsconfig.build.json', 'package.json', 'scripts']

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
}

const command = join(root, 'dist/command')
const commandInOne = join(root, 'dist/command-in-one')
const hook = join(root, 'dist/hook')

/** Code that looks for files beside itself finds them where it was compiled to. `here`: as the bundle in the folder knows itself. */
const ownPlace = (folder, here = 'import.meta.url') => ({
  name: 'own place',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      if (path.includes('node_modules')) return null
      const place = relative(folder, path).replaceAll('\\', '/')
      const own = `new URL(${JSON.stringify(place)}, ${here}).href`
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', own) }
    }),
})

const hookFiles = {
  name: 'files of hooks',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^node:fs\/promises$/ }, () => ({ path: join(root, 'scripts/hook-files.cjs') })),
}

const main = join(root, 'dist/main.js')

const OUTSIDE_OF_HOOKS = [
  '@cedar-policy/cedar-wasm',
  '@photostructure/sqlite',
  'graphile-worker',
  'pg',
  'sodium-native',
  'undici',
  'yaml',
]

/** Packages that a council of checks loads come along; all others stay outside, and native code has to. */
const INSIDE_OF_COUNCILS = /^(@noble|@secretlint|ulid)(\/|$)/
const othersOutside = {
  name: 'others outside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      INSIDE_OF_COUNCILS.test(path) ? null : { path, external: true },
    ),
}

const FOR_NODE = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: 'warning',
}
/** One file as CommonJS, which knows its own address as OWN_URL. */
const IN_ONE_FILE = {
  ...FOR_NODE,
  format: 'cjs',
  banner: { js: 'const OWN_URL = require("node:url").pathToFileURL(__filename).href;' },
}
const FOR_BROWSERS = {
  bundle: true,
  minify: true,
  target: 'es2022',
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
}

/**
 * The whole command in one file, of which V8's code can be kept (bin/kept-code.cjs). A script with kept code cannot import,
 * so packages are imported by the one who runs it.
 */
async function buildInOne(build) {
  const { outputFiles } = await build({
    ...IN_ONE_FILE,
    entryPoints: [main],
    write: false,
    // The starter reads it byte by byte.
    charset: 'ascii',
    plugins: [othersOutside, ownPlace(commandInOne, 'OWN_URL')],
  })
  rmSync(commandInOne, { recursive: true, force: true })
  mkdirSync(commandInOne)
  const { withOwnImports } = await import('./own-imports.js')
  writeFileSync(join(commandInOne, 'witan.cjs'), withOwnImports(outputFiles[0].text))
}

/** These modules, and what they import at once. Fails where two of them export the same name: one of them would be lost. */
async function modulesOf(build, entryPoints) {
  const later = {
    name: 'later',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path, external: true } : null,
      ),
  }
  const options = { bundle: true, write: false, metafile: true, format: 'esm', platform: 'node' }
  const settings = {
    ...options,
    packages: 'external',
    absWorkingDir: root,
    outdir: command,
    plugins: [later],
  }
  const { metafile } = await build({ entryPoints, ...settings })
  return Object.keys(metafile.inputs).map((path) => join(root, path))
}

async function checkNames(build, modules) {
  const settings = { bundle: false, write: false, metafile: true, format: 'esm', absWorkingDir: root }
  const { metafile } = await build({ entryPoints: [...modules], outdir: command, ...settings })
  const owners = new Map()
  for (const { exports, entryPoint } of Object.values(metafile.outputs))
    for (const name of exports) {
      const other = owners.get(name)
      if (other) throw new Error(`${other} and ${entryPoint} come in one file, and both export ${name}`)
      owners.set(name, entryPoint)
    }
}

/** Groups of modules, each of which comes in one file: what every command loads; what those that read load besides; the verifier. */
const GROUPS = {
  always: ['main.js'],
  reading: [
    ...['doors/cli/verbs/read.js', 'app/home/home.js', 'app/traces/list-traces.js', 'render/trace-list.js'],
    ...['stores/sqlite.js', 'stores/sqlite/open.js'],
  ],
  verifying: [
    'ledger/verify/verify.js',
    'ledger/verify/inquire.js',
    'stores/verify-answers.js',
    'render/verdict.js',
  ],
}

/** Each without what a group before it has. */
async function groupsOf(build) {
  const groups = new Map()
  const taken = new Set([main])
  for (const [name, entries] of Object.entries(GROUPS)) {
    const all = await modulesOf(
      build,
      entries.map((path) => join(root, 'dist', path)),
    )
    const modules = all.filter((path) => !taken.has(path))
    await checkNames(build, modules)
    groups.set(name, new Set(modules))
    for (const path of modules) taken.add(path)
  }
  return groups
}

/**
 * By itself esbuild cuts what is shared along the lines of which command shares what with which, into dozens of files, and each
 * file that has to be found costs more than it holds. So importers outside a group are led to one module that passes all of it on.
 */
const together = (groups) => ({
  name: 'together',
  setup: ({ onLoad, onResolve }) => {
    const groupOf = (path) => [...groups].find(([, modules]) => modules.has(path))?.[0]
    onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, namespace, resolveDir, kind }) => {
      const group = groupOf(join(resolveDir, path))
      if (group === undefined) return null
      const isInside = namespace === 'together' ? importer === group : groupOf(importer) === group
      return kind === 'import-statement' && isInside ? null : { path: group, namespace: 'together' }
    })
    onLoad({ filter: /./, namespace: 'together' }, ({ path }) => ({
      contents: [...groups.get(path)].map((module) => `export * from ${JSON.stringify(module)}`).join('\n'),
      resolveDir: root,
    }))
  },
})

const upToDate = () =>
  existsSync(stamp) && sources.every((source) => newest(join(root, source)) < statSync(stamp).mtimeMs)

if (!(process.argv.includes('--if-changed') && (!existsSync(join(root, 'src')) || upToDate()))) {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const compiled = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (compiled.status !== 0) process.exit(compiled.status ?? 1)
  // Policies are read as texts at run time, from beside the code that reads them.
  for (const name of ['profiles', 'schema.cedarschema']) {
    const path = join('tools/policy', name)
    cpSync(join(root, 'src', path), join(root, 'dist', path), { recursive: true })
  }
  const { build } = await import('esbuild')
  rmSync(command, { recursive: true, force: true })
  await build({
    ...FOR_NODE,
    entryPoints: [main],
    outdir: command,
    splitting: true,
    format: 'esm',
    packages: 'external',
    charset: 'utf8',
    plugins: [together(await groupsOf(build)), ownPlace(command)],
  })
  await build({
    ...IN_ONE_FILE,
    entryPoints: [join(root, 'dist/doors/cli/answer-at-once.js')],
    outfile: join(command, 'answer-at-once.cjs'),
    charset: 'utf8',
    plugins: [ownPlace(command, 'OWN_URL')],
  })
  await buildInOne(build)
  // The other program: all that answers a hook, in one file. What it needs only in rare homes stays outside; native code has to.
  rmSync(hook, { recursive: true, force: true })
  await build({
    ...IN_ONE_FILE,
    entryPoints: [join(root, 'dist/doors/attach/hook.js')],
    outfile: join(hook, 'hook.cjs'),
    external: OUTSIDE_OF_HOOKS,
    supported: { 'dynamic-import': false },
    // The starter reads it byte by byte.
    charset: 'ascii',
    plugins: [ownPlace(hook, 'OWN_URL'), hookFiles],
  })
  // What a view needs beyond the first one is a file of its own, fetched when it is opened.
  rmSync(join(root, 'dist/console'), { recursive: true, force: true })
  await build({
    ...FOR_BROWSERS,
    entryPoints: [
      join(root, 'src/doors/console/page/main.tsx'),
      join(root, 'src/doors/console/page/main.css'),
    ],
    outdir: join(root, 'dist/console'),
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // What it offers to browsers decodes `&amp;` by way of innerHTML, which the policy of the page forbids.
    alias: {
      'decode-named-character-reference': createRequire(import.meta.url).resolve(
        'decode-named-character-reference',
      ),
    },
  })
  await build({
    ...FOR_BROWSERS,
    entryPoints: {
      map: join(root, 'src/doors/page/map/map.ts'),
      page: join(root, 'src/doors/page/page.ts'),
      'page-style': join(root, 'src/doors/page/page.css'),
    },
    outdir: dirname(stamp),
    format: 'iife',
  })
}
