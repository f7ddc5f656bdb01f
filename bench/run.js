// npm run bench -- NAME: builds, installs the peers, and runs bench/NAME/index.js.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const name = process.argv[2]
const known = readdirSync(here).filter(
  (entry) => existsSync(join(here, entry, 'index.js')) && entry !== 'node_modules',
)

if (!name || !known.includes(name)) {
  console.error(`usage: npm run bench -- ${known.join('|')}`)
  process.exit(2)
}

function step(command, args, cwd) {
  const done = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (done.status !== 0) process.exit(done.status ?? 1)
}

step(process.execPath, [join(here, '../scripts/build.js'), '--if-changed'], join(here, '..'))
/** npm leaves its own copy of the lock beside what it installed. */
const installed = join(here, 'node_modules/.package-lock.json')
const isStale = () => statSync(installed).mtimeMs < statSync(join(here, 'package-lock.json')).mtimeMs
if (!existsSync(installed) || isStale()) step('npm', ['ci', '--no-audit', '--no-fund'], here)
await import(pathToFileURL(join(here, name, 'index.js')))
