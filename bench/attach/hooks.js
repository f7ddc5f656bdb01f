// A hook that is started cold, and one that the resident process answers, against a bare `node -e 0` hook in the same run, before
// and after the call alike; and whether the thousandth call of a session costs more than the first.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answer, inTurns, median } from '../measure.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const BINARY = join(root, 'bin/witan.js')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'witan-bench-attach-')))
const work = join(folder, 'work')
mkdirSync(work)

const witan = (home, ...args) => {
  const env = { PATH: process.env.PATH, HOME: home, WITAN_HOME: home }
  const done = spawnSync(process.execPath, [BINARY, ...args], { cwd: work, env, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`${args.join(' ')}: ${done.stderr}`)
  return done.stdout
}

/** As a host does: a shell, the payload on its input, and nothing before it has ended. */
function hook(command, payload) {
  return new Promise((done, reject) => {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      TMPDIR: folder,
      AI_AGENT: 'claude-code_2-1-197_bench',
    }
    const child = spawn('/bin/sh', ['-c', command], { cwd: work, env, stdio: ['pipe', 'ignore', 'pipe'] })
    let words = ''
    child.stderr.on('data', (text) => {
      words += text
    })
    child.stdin.on('error', () => undefined)
    child.on('close', (code) =>
      code === 0 ? done() : reject(new Error(`the hook ended with ${code}: ${words}`)),
    )
    child.stdin.end(JSON.stringify(payload))
  })
}

let calls = 0
const payloads = (session) => {
  const id = `toolu_${++calls}`
  const about = { session_id: session, cwd: work, transcript_path: null, tool_name: 'Read', tool_use_id: id }
  const call = { ...about, tool_input: { file_path: join(work, `file-${calls}.txt`) } }
  return [
    { ...call, hook_event_name: 'PreToolUse' },
    {
      ...call,
      hook_event_name: 'PostToolUse',
      tool_response: { text: 'some words of a file' },
      duration_ms: 3,
    },
  ]
}

function attached(name, ...options) {
  const home = join(folder, name)
  mkdirSync(home)
  const settings = join(folder, `${name}.json`)
  witan(home, 'attach', 'claude', '--gate', '--settings', settings, ...options)
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8'))
  const [before, after] = ['PreToolUse', 'PostToolUse'].map((event) => hooks[event][0].hooks[0].command)
  return { home, before, after }
}

async function oneCall({ before, after }, session) {
  const [pre, post] = payloads(session)
  await hook(before, pre)
  await hook(after, post)
}

const several = (times, make) => ({
  run: async () => {
    for (let i = 0; i < times; i++) await make()
    return times
  },
})

export async function hookRows() {
  const cold = attached('cold', '--no-resident')
  const resident = attached('resident')
  /** As on a machine without curl: each call starts a hook, which asks the resident process. */
  const client = Object.fromEntries(
    Object.entries(resident).map(([event, command]) => [event, command.replaceAll('[ -S ', '[ -S /nowhere')]),
  )
  /** In the same home, without that process. */
  const alone = Object.fromEntries(
    Object.entries(client).map(([event, command]) => [event, command.replace(/ --socket '[^']*'/, '')]),
  )
  const bare = { before: `'${process.execPath}' -e 0`, after: `'${process.execPath}' -e 0` }
  await oneCall(cold, 'short')
  await oneCall(resident, 'short')
  while (!existsSync(join(resident.home, 'attachments/hook.sock')))
    await new Promise((done) => setTimeout(done, 50))

  const rows = []
  const rates = await inTurns({
    bare: several(3, () => oneCall(bare, 'short')),
    cold: several(3, () => oneCall(cold, 'short')),
    client: several(3, () => oneCall(client, 'short')),
    resident: several(6, () => oneCall(resident, 'short')),
  })
  rows.push(
    answer({
      question: 'a call, hooks started cold, asking',
      ours: 'client',
      floor: 'bare',
      rates,
      atMost: 2.5,
    }),
    answer({
      question: 'a call, hooks started cold, alone',
      ours: 'cold',
      floor: 'bare',
      rates,
      atMost: 2.5,
    }),
    answer({ question: 'a call, resident process', ours: 'resident', floor: 'bare', rates, atMost: 1.3 }),
    answer({ question: 'its hooks alone, resident', ours: 'resident', floor: 'bare', rates, atMost: 0.3 }),
  )

  // 1,000 calls in one session: the last hundred against the second hundred, and a cold hook on what they left.
  const times = []
  for (let i = 0; i < 1_000; i++) {
    const start = performance.now()
    await oneCall(resident, 'long')
    times.push(performance.now() - start)
  }
  const asRates = (milliseconds) => milliseconds.map((one) => 1_000 / one)
  const grown = { early: asRates(times.slice(100, 200)), late: asRates(times.slice(900)) }
  const medians = { early: [median(grown.early)], late: [median(grown.late)] }
  rows.push(
    answer({
      question: 'call 1,000 of a session, call 100',
      ours: 'late',
      floor: 'early',
      rates: medians,
      atMost: 1.2,
    }),
  )
  const coldOn = (session) => several(2, () => oneCall(alone, session))
  const long = await inTurns({ short: coldOn('short'), long: coldOn('long') }, 5)
  rows.push(
    answer({
      question: 'cold hooks, 1,000 calls before',
      ours: 'long',
      floor: 'short',
      rates: long,
      atMost: 1.5,
    }),
  )
  rmSync(folder, { recursive: true, force: true })
  return rows
}
