// A home on PostgreSQL whose seats are the bench's models, with traces to queue, and workers of it as real processes.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { signersOf } from '../../dist/app/council/council.js'
import { openCouncil } from '../../dist/app/council/open-council.js'
import { seatingOf } from '../../dist/app/council/program-council.js'
import { openOrCreateHome, registerSigners } from '../../dist/app/home/signers.js'
import { apiModel, createSeat } from '../../dist/models/index.js'

const run = promisify(execFile)
const BINARY = join(dirname(fileURLToPath(import.meta.url)), '../../bin/witan.js')
const SEATS = ['a', 'b', 'c']

const seatAt = (baseUrl) => (name) => ({
  seat: createSeat({
    provider: name,
    model: 'fake-1',
    roles: ['participant'],
    minds: [
      apiModel({ kind: 'openai-compatible', name, model: 'fake-1', baseUrl, apiKey: async () => null }),
    ],
  }),
})

/** One that ends when it is told to; `until` hears what it logs, also what came before. `core`: the only one it may use. */
function startWorker(env, cwd, args, core) {
  const command = [process.execPath, BINARY, 'worker', ...args]
  const [program, ...words] = core === null ? command : ['taskset', '-c', String(core), ...command]
  const child = spawn(program, words, {
    env,
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ears = new Set()
  const log = []
  const endings = new Set()
  child.once('exit', (code) => {
    for (const reject of endings) reject(new Error(`a worker ended with ${code}`))
  })
  let text = ''
  child.stderr.on('data', (chunk) => {
    text += chunk
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n')) {
      const line = text.slice(0, at)
      text = text.slice(at + 1)
      if (!line.startsWith('{')) continue
      const event = JSON.parse(line)
      log.push(event)
      for (const ear of ears) ear(event)
    }
  })
  return {
    pid: child.pid,
    hear: (ear) => ears.add(ear),
    until: (fits) =>
      new Promise((resolve, reject) => {
        const ear = (event) => {
          if (!fits(event)) return
          ears.delete(ear)
          resolve(event)
        }
        ears.add(ear)
        // It may have happened already.
        const past = log.find(fits)
        if (past) ear(past)
        endings.add(reject)
      }),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

export async function withHome(postgres, modelUrl, use) {
  const root = await mkdtemp(join(tmpdir(), 'witan-workers-'))
  const [directory, cwd] = [join(root, 'home'), join(root, 'work')]
  await mkdir(cwd)
  const env = { PATH: process.env.PATH, HOME: root, WITAN_HOME: directory, WITAN_POSTGRES_URL: postgres }
  const witan = async (...words) => {
    const { stdout } = await run(process.execPath, [BINARY, ...words], { env, cwd })
    return stdout
  }
  await witan('init', '--name', 'bench')
  const providers = SEATS.map((name) => ({ name, model: 'fake-1', base_url: modelUrl }))
  const agents = { approvals_without_terminal: true }
  await writeFile(join(directory, 'config.yaml'), JSON.stringify({ council: { providers }, agents }))
  await chmod(join(directory, 'config.yaml'), 0o600)
  await witan('keys', 'add', 'ana', '--role', 'critic')
  const home = await openOrCreateHome({ directory, postgres })
  const workers = []
  const started = async (args, core) => {
    const worker = startWorker(env, cwd, args, core)
    workers.push(worker)
    await worker.until(({ event }) => event === 'registered')
    return worker
  }
  try {
    return await use({
      cwd,
      witan,
      async openCouncil() {
        const seats = SEATS.map(seatAt(modelUrl))
        const files = [{ path: 'proposal.md', text: 'It is a long proposal. '.repeat(870) }]
        const { convening } = seatingOf({ question: 'Shall we?', files, seats, chairs: ['a'] })
        const registrar = await registerSigners(home, signersOf('bench', convening.seats))
        const { trace } = await openCouncil(home.ports, registrar, 'bench', convening)
        return trace
      },
      start: (...args) => started(args, null),
      startOn: (core, ...args) => started(args, core),
    })
  } finally {
    for (const worker of workers) await worker.stop()
    await home.close()
    await rm(root, { recursive: true, force: true })
  }
}
