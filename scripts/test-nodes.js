// `npm run test:nodes`: the whole suite on later lines of Node too, each installed from npm into a folder of its own.
// `npm run test:nodes -- 24` takes one line; other arguments go to vitest, as with `npm test`. What passed is told for each.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const isLine = (arg) => /^\d\d$/.test(arg)
const given = process.argv.slice(2)
const lines = given.some(isLine) ? given.filter(isLine) : ['22', '24']
const rest = given.filter((arg) => !isLine(arg))

function programOf(line) {
  const folder = join(tmpdir(), 'witan-nodes', line)
  const program = join(folder, 'node_modules/node/bin/node')
  if (existsSync(program)) return program
  console.error(`Installing Node ${line}.`)
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', `node@${line}`]
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0 || !existsSync(program)) throw new Error(`Node ${line} could not be installed`)
  return program
}

let code = 0
const told = []
for (const line of lines) {
  const program = programOf(line)
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()
  console.error(`The suite on Node ${version}`)
  // Programs that tests start by the name `node` are of the same line.
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH ?? ''}` }
  const { status } = spawnSync(program, [join(root, 'scripts/test.js'), ...rest], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  told.push(`Node ${version}: ${status === 0 ? 'passed' : `ended with ${status}`}`)
  if (status !== 0) code = 1
}
console.log(told.join('\n'))
process.exitCode = code
