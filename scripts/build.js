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
const sources = ['src', 'tsconfig.json', 'tsconfig.build.json', 'package.json', 'scripts/build.js']

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

/** Secretlint brings a package that tells developers of it what it does, and looks through many folders when it is loaded. */
const withoutDebug = {
  name: 'without debug',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^debug$/ }, ({ path }) => ({ path, namespace: 'without' }))
    onLoad({ filter: /./, namespace: 'without' }, () => ({
      contents: 'module.exports = () => Object.assign(() => undefined, { enabled: false })',
    }))
  },
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
const INSIDE_OF_COUNCILS = /^(@noble|@secretlint|boundary|debug|structured-source|ulid)(\/|$)/
const othersOutside = {
  name: 'others outside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      INSIDE_OF_COUNCILS.test(path) ? null : { path, external: true },
    ),
}

/**
 * The whole command in one file, of which V8's code can be kept (bin/kept-code.cjs). A script with kept code cannot import,
 * so packages are imported by the one who runs it.
 */
async function buildInOne(build) {
  const { outputFiles } = await build({
    entryPoints: [main],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    banner: { js: 'const OWN_URL = require("node:url").pathToFileURL(__filename).href;' },
    minifyWhitespace: true,
    minifySyntax: true,
    // The starter reads it byte by byte.
    charset: 'ascii',
    logLevel: 'warning',
    plugins: [withoutDebug, othersOutside, ownPlace(commandInOne, 'OWN_URL')],
  })
  rmSync(commandInOne, { recursive: true, force: true })
  mkdirSync(commandInOne)
  const text = outputFiles[0].text.replaceAll('import("', 'OWN_IMPORT("')
  writeFileSync(join(commandInOne, 'witan.cjs'), text)
}

/** The modules that every command loads: what `main` imports, and what those import. */
async function always(build) {
  const later = {
    name: 'later',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path, external: true } : null,
      ),
  }
  const options = {
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    plugins: [later],
  }
  const { metafile } = await build({
    entryPoints: [main],
    packages: 'external',
    absWorkingDir: root,
    ...options,
  })
  return new Set(
    Object.keys(metafile.inputs)
      .map((path) => join(root, path))
      .filter((path) => path !== main),
  )
}

/**
 * What every command loads comes in one file. By itself esbuild cuts it along the lines of which command shares what
 * with which, into ten; so importers outside are led to one module that passes all of it on. A dynamic import
 * of one of these modules would cut it again.
 */
const together = (modules) => ({
  name: 'together',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, resolveDir, kind }) => {
      const target = join(resolveDir, path)
      const isInside = modules.has(importer) || importer === 'together'
      return kind === 'import-statement' && modules.has(target) && !isInside
        ? { path: 'together', namespace: 'together' }
        : null
    })
    onLoad({ filter: /./, namespace: 'together' }, () => ({
      contents: [...modules].map((path) => `export * from ${JSON.stringify(path)}`).join('\n'),
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
    entryPoints: [main],
    outdir: command,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    minifyWhitespace: true,
    minifySyntax: true,
    charset: 'utf8',
    logLevel: 'warning',
    plugins: [together(await always(build)), ownPlace(command)],
  })
  await buildInOne(build)
  // The other program: all that answers a hook, in one file. What it needs only in rare homes stays outside; native code has to.
  rmSync(hook, { recursive: true, force: true })
  await build({
    entryPoints: [join(root, 'dist/doors/attach/hook.js')],
    outfile: join(hook, 'hook.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    external: OUTSIDE_OF_HOOKS,
    supported: { 'dynamic-import': false },
    banner: { js: 'const OWN_URL = require("node:url").pathToFileURL(__filename).href;' },
    minifyWhitespace: true,
    minifySyntax: true,
    // The starter reads it byte by byte.
    charset: 'ascii',
    logLevel: 'warning',
    plugins: [ownPlace(hook, 'OWN_URL'), withoutDebug],
  })
  // What a view needs beyond the first one is a file of its own, fetched when it is opened.
  rmSync(join(root, 'dist/console'), { recursive: true, force: true })
  await build({
    entryPoints: [
      join(root, 'src/doors/console/page/main.tsx'),
      join(root, 'src/doors/console/page/main.css'),
    ],
    outdir: join(root, 'dist/console'),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'ascii',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // What it offers to browsers decodes `&amp;` by way of innerHTML, which the policy of the page forbids.
    alias: {
      'decode-named-character-reference': createRequire(import.meta.url).resolve(
        'decode-named-character-reference',
      ),
    },
    legalComments: 'none',
    logLevel: 'warning',
  })
  await build({
    entryPoints: {
      map: join(root, 'src/doors/page/map/map.ts'),
      page: join(root, 'src/doors/page/page.ts'),
      'page-style': join(root, 'src/doors/page/page.css'),
    },
    outdir: dirname(stamp),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
  })
}
