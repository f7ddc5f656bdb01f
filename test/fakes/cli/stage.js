// What the stand-ins for vendors' programs share. A stand-in lies as a link in a folder of its own, where it finds its
// script and writes down each call: arguments, environment, folder, stdin, and the processes that it started.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const folder = dirname(process.argv[1])
const log = join(folder, 'calls.jsonl')

function callsSoFar() {
  try {
    return readFileSync(log, 'utf8').split('\n').length - 1
  } catch {
    return 0
  }
}

/** What a flag of ours names: the file's text, so that a test sees what the program could read. */
function filesIn(args) {
  const paths = args.flatMap((arg) => /\/[^"\s]+\.(?:md|json)(?="?$)/.exec(arg) ?? [])
  if (process.env.GEMINI_SYSTEM_MD !== undefined) paths.push(process.env.GEMINI_SYSTEM_MD)
  return paths.map((path) => readFileSync(path, 'utf8'))
}

function writeDown(input) {
  const { pid, env, argv } = process
  const cwd = process.cwd()
  const args = argv.slice(2)
  const call = { pid, args, env, cwd, inCwd: readdirSync(cwd), input, files: filesIn(args) }
  const settings = join(env.HOME ?? cwd, '.gemini', 'settings.json')
  if (existsSync(settings)) call.settings = readFileSync(settings, 'utf8')
  if (existsSync(join(env.HOME ?? cwd, '.gemini')))
    call.inHome = readdirSync(join(env.HOME, '.gemini')).map((name) => `.gemini/${name}`)
  appendFileSync(log, `${JSON.stringify(call)}\n`)
}

const sleeper = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'

/** Never answers, hears no SIGTERM, and neither does the child that it starts. */
function hang() {
  process.on('SIGTERM', () => {})
  const child = spawn(process.execPath, ['-e', sleeper], { stdio: 'inherit' })
  appendFileSync(join(folder, 'children'), `${child.pid}\n`)
  setInterval(() => {}, 1_000)
}

export function say(text) {
  process.stdout.write(text)
}

function flood(text) {
  const more = () => {
    while (process.stdout.write(text));
    process.stdout.once('drain', more)
  }
  process.stdout.on('error', () => process.exit(1))
  more()
}

/** What each vendor's program does about an act; `reply` and `fail` are its own formats. */
export function perform(version, { reply, fail, begin, breakOff = begin, catalog = '' }) {
  const script = JSON.parse(readFileSync(join(folder, 'script.json'), 'utf8'))
  if (process.argv[2] === '--version') return say(version)
  if (process.argv[2] === 'debug') return say(catalog)
  const input = readFileSync(0, 'utf8')
  const act = script[Math.min(callsSoFar(), script.length - 1)]
  writeDown(input)
  switch (act.act) {
    case 'silence':
      return hang()
    case 'stall':
      say(begin(act.text))
      return hang()
    case 'flood':
      say(begin('It is '))
      return flood('never over. '.repeat(500))
    case 'truncated':
      return say(breakOff(act.text))
    case 'garbage':
      return say(act.text)
    case 'stderr':
      process.stderr.write(act.text)
      process.exitCode = act.code
      return
    case 'killed':
      process.kill(process.pid, 'SIGKILL')
      return
    case 'exact':
      process.stdout.write(act.stdout ?? '')
      process.stderr.write(act.stderr ?? '')
      process.exitCode = act.code
      return
    case 'answer':
      return reply(act.text, act.usage)
    default:
      return fail(act)
  }
}
