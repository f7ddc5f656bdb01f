// npm run bench -- before [COMMIT]: the short commands against the same commands of an earlier commit, built beside this one
// and run in turns with it, each on a home of its own with the same traces. By default the commit before the sources
// were moved into rooms.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answer, inTurns, table } from '../measure.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const commit = process.argv[3] ?? 'c770c06'
const TIMES = 3
const TRACES = 5
/** Two builds of the same sources differ by as much. */
const NOISE = 1.05

function step(command, args, options = {}) {
  const done = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options })
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${done.status}: ${done.stderr}`)
}

/** A build, and a home that it made. */
function side(folder, home) {
  const env = { ...process.env, WITAN_HOME: home }
  const witan = (...words) => step(process.execPath, [join(folder, 'bin/witan.js'), ...words], { env })
  witan('init', '--name', 'bench')
  for (let i = 0; i < TRACES; i++) witan('ask', `Shall we take step ${i}?`, '--seats', 'embedded')
  return (...words) => ({
    run: () => {
      for (let i = 0; i < TIMES; i++) witan(...words)
      return TIMES
    },
  })
}

const folder = mkdtempSync(join(tmpdir(), 'witan-before-'))
const earlier = join(folder, 'earlier')
try {
  step('git', ['worktree', 'add', '--detach', earlier, commit], { cwd: root })
  symlinkSync(join(root, 'node_modules'), join(earlier, 'node_modules'))
  step(process.execPath, [join(earlier, 'scripts/build.js')], { cwd: earlier })
  const now = side(root, join(folder, 'now'))
  const before = side(earlier, join(folder, 'before'))
  const rows = []
  for (const words of [['list'], ['verify', 'last'], ['verify', 'registry'], ['--help']]) {
    const rates = await inTurns({ now: now(...words), before: before(...words) })
    const question = `witan ${words.join(' ')} against ${commit}, time`
    rows.push(answer({ question, ours: 'now', floor: 'before', rates, atMost: NOISE }))
  }
  console.log(table(rows))
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', earlier], { cwd: root })
  rmSync(folder, { recursive: true, force: true })
}
