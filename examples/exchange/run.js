// An exchange as a newcomer sees it, without any model: a pool runs, is steered, asks for a restart, is rolled back,
// and leaves a trace that verifies. Everything goes through the command; what must hold is asserted.
// Run it with: node examples/exchange/run.js
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../bin/witan.js', import.meta.url))
const terms = fileURLToPath(new URL('terms.yaml', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'witan-example-'))
const env = { ...process.env, WITAN_HOME: join(folder, 'home') }

/** Runs a command, expects this exit code, and gives what it prints with --json. */
function witan(code, ...args) {
  console.log(`$ witan ${args.join(' ')}`)
  const ran = spawnSync(process.execPath, [command, ...args, '--json'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  assert.equal(ran.status, code, ran.stdout + ran.stderr)
  return JSON.parse(ran.stdout)
}

try {
  const begun = witan(0, 'exchange', 'run', '--demo', '--terms', terms, '--rounds', '8')
  assert.equal(begun.note, 'mechanics demo: no language model was asked')
  const { trace } = begun

  // The demo's minds ask for a restart when an injection holds the word; every mind is shown it.
  witan(0, 'exchange', 'pin', trace, '1.1')
  for (let tries = 0, raised = null; raised === null; tries++) {
    assert.ok(tries < 10, 'no signal was raised')
    witan(0, 'exchange', 'inject', trace, 'Would a restart help?')
    // Exit code 8 says that the observer is asked.
    const ran = spawnSync(process.execPath, [command, 'exchange', 'run', trace, '--rounds', '4', '--json'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    raised = ran.status === 8 ? JSON.parse(ran.stdout).signal : null
  }

  // The request is honoured: the exchange continues from the first audit, in a branch, and every mind is told so.
  const { into } = witan(0, 'exchange', 'rollback', trace, '--to', '4', '--reason', 'as the pool asked')
  const later = witan(0, 'exchange', 'run', into, '--rounds', '4')
  assert.equal(later.phase, 'structured')

  const compared = witan(0, 'exchange', 'compare', trace, into)
  assert.equal(compared.parted, 4)
  const { messages } = witan(0, 'exchange', 'map', into, '-o', 'map.html')
  assert.ok(messages > 0)
  witan(0, 'exchange', 'export', into, '--format', 'jsonl', '-o', 'messages.jsonl')
  const [first] = readFileSync(join(folder, 'messages.jsonl'), 'utf8').split('\n')
  assert.equal(JSON.parse(first).branch, trace)

  for (const one of [trace, into]) {
    assert.equal(witan(0, 'verify', one).status, 'pass')
    witan(0, 'replay', one)
  }
  console.log('All of it holds.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
