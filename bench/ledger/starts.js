// What a person waits for before anything happens, against bare node and against a script that opens the same file.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answer, inTurns } from '../measure.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const witan = join(root, 'bin/witan.js')
const TIMES = 3

/** Its words are told only when it fails. */
const starting = (args, env, cwd) => ({
  run: () => {
    for (let i = 0; i < TIMES; i++) {
      const done = spawnSync(process.execPath, args, { env, cwd, stdio: ['ignore', 'ignore', 'pipe'] })
      if (done.status !== 0)
        throw new Error(`node ${args.join(' ')} ended with ${done.status}: ${done.stderr}`)
    }
    return TIMES
  },
})

/** The first question of a day: a process, a home that is there, checks and a signed trace. */
export async function askRows() {
  const directory = mkdtempSync(join(tmpdir(), 'witan-bench-'))
  const env = { ...process.env, WITAN_HOME: join(directory, 'home') }
  const ours = [witan, 'ask', 'Shall we move the orders to another database?', '--seats', 'embedded']
  const started = (args) => starting(args, env, directory)
  try {
    started([witan, 'init', '--name', 'bench']).run()
    const rates = await inTurns({ ours: started(ours), floor: started(['-e', '0']) })
    return [
      answer({
        question: 'witan ask, checks only, against node -e 0, time',
        ours: 'ours',
        floor: 'floor',
        rates,
        atMost: 3.5,
      }),
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

export async function startRows() {
  const directory = mkdtempSync(join(tmpdir(), 'witan-bench-'))
  const home = join(directory, 'home')
  const env = { ...process.env, WITAN_HOME: home }
  const run = (args) => starting(args, env, directory)
  run([witan, 'init', '--name', 'bench']).run()
  const script = join(root, 'dist', `bench-open-${process.pid}.mjs`)
  writeFileSync(
    script,
    `const builtin = process.getBuiltinModule?.('node:sqlite')
    const { DatabaseSync } = builtin ?? (await import('@photostructure/sqlite'))
    const db = new DatabaseSync(${JSON.stringify(join(home, 'witan.db'))})
    console.log(db.prepare('SELECT trace, protocol FROM traces').all())
    db.close()`,
  )
  try {
    const help = await inTurns({ ours: run([witan, '--help']), floor: run(['-e', '0']) })
    const list = await inTurns({ ours: run([witan, 'list']), floor: run([script]) })
    const verify = await inTurns({ ours: run([witan, 'verify', 'registry']), floor: run(['-e', '0']) })
    return [
      answer({
        question: 'witan --help against node -e 0, time',
        ours: 'ours',
        floor: 'floor',
        rates: help,
        atMost: 1.25,
      }),
      answer({
        question: 'witan verify of a small trace against node -e 0, time',
        ours: 'ours',
        floor: 'floor',
        rates: verify,
        atMost: 2.5,
      }),
      answer({
        question: 'witan list against opening the file, time',
        ours: 'ours',
        floor: 'floor',
        rates: list,
        atMost: 1.5,
      }),
    ]
  } finally {
    rmSync(script)
    rmSync(directory, { recursive: true, force: true })
  }
}
