// `npm test`: build, have the services the suites need, run them all, and end with one plain line of counts.
// Extra arguments go to vitest. With WITAN_NO_SKIP=1 a skipped test fails the run: a suite that did not run proves
// nothing. Packages are installed only by root on Debian, and never leave a server running.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const onPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)))

function hasPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian) : []
  return onPath('initdb') || versions.some((version) => existsSync(join(debian, version, 'bin/initdb')))
}

const hasPooler = () => onPath('pgbouncer') || existsSync('/usr/sbin/pgbouncer')

const hasChromium = () =>
  ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].some(onPath)

/** With the packages of the checksum database, which check notes and trees. */
const hasGo = () => onPath('go') && existsSync('/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog')

const hasPython = () => spawnSync('python3', ['-c', 'import cryptography']).status === 0

function apt(...args) {
  // In that runlevel no package starts the server that it brings.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=300']
  const { status } = spawnSync('apt-get', [...options, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`apt-get ${args.join(' ')} ended with ${status}`)
}

const install = (...packages) => apt('install', '-y', '--no-install-recommends', ...packages)

/** The package would create a cluster and start it; while it installs, its own setting says not to. */
function installPostgres() {
  install('postgresql-common')
  const settings = '/etc/postgresql-common/createcluster.conf'
  const before = readFileSync(settings, 'utf8')
  writeFileSync(settings, `${before}\ncreate_main_cluster = false\n`)
  try {
    install('postgresql')
  } finally {
    writeFileSync(settings, before)
  }
}

/** What stays missing is named, with the suites that skip for it, by test/support/services.ts. */
function ensureServices() {
  const wanted = [
    { name: 'postgresql', present: hasPostgres(), install: installPostgres },
    { name: 'pgbouncer', present: hasPooler(), install: () => install('pgbouncer') },
    { name: 'chromium', present: hasChromium(), install: () => install('chromium') },
    { name: 'bubblewrap', present: onPath('bwrap'), install: () => install('bubblewrap') },
    { name: 'openssl', present: onPath('openssl'), install: () => install('openssl') },
    { name: 'signify', present: onPath('signify-openbsd'), install: () => install('signify-openbsd') },
    { name: 'go', present: hasGo(), install: () => install('golang-go', 'golang-golang-x-mod-dev') },
    { name: 'python3', present: hasPython(), install: () => install('python3', 'python3-cryptography') },
  ].filter((service) => !service.present)
  if (wanted.length === 0 || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  console.error(`Installing ${wanted.map((service) => service.name).join(' and ')} for the tests.`)
  try {
    apt('update')
    for (const service of wanted) service.install()
  } catch (error) {
    console.error(`Could not install them: ${error.message}`)
  }
}

function node(...args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  process.once('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

// An interrupt at the terminal reaches the child by itself; wait for it to clean up.
process.on('SIGINT', () => {})

const built = await node(join(root, 'scripts/build.js'), '--if-changed')
if (built !== 0) process.exit(built)
ensureServices()

const folder = mkdtempSync(join(tmpdir(), 'witan-test-'))
process.env.WITAN_TEST_SUMMARY = join(folder, 'summary.json')
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/summary-reporter.js')}`]
let code = await node(vitest, 'run', ...reporters, ...process.argv.slice(2))

const ended = existsSync(process.env.WITAN_TEST_SUMMARY)
const { passed, failed, skipped, flaky } = ended
  ? JSON.parse(readFileSync(process.env.WITAN_TEST_SUMMARY, 'utf8'))
  : { passed: 0, failed: 1, skipped: [], flaky: [] }
rmSync(folder, { recursive: true, force: true })

if (failed > 0 && code === 0) code = 1
if (flaky.length > 0)
  console.log(`Passed only when run again, to be mended:\n${flaky.map((name) => `  ${name}`).join('\n')}`)
if (process.env.WITAN_NO_SKIP === '1' && skipped.length > 0) {
  console.log(`Skipped, which WITAN_NO_SKIP=1 forbids:\n${skipped.map((name) => `  ${name}`).join('\n')}`)
  if (code === 0) code = 1
}
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
process.exitCode = code
