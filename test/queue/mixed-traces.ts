// Councils, sessions and exchanges side by side on one home whose ledger is in PostgreSQL, with models that take a while
// and count what they are asked, and tools that leave a line each time they run.

import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { directory, type Where } from '../doors/command.ts'
import { here } from '../doors/here.ts'
import { playCouncil } from '../fakes/council.ts'
import { addPerson, COUNTING, LICENCES, writeFiles, writeTask } from '../support/agents-home.ts'
import { THREE } from '../support/council-run.ts'
import { openPoolHome, plainScript } from '../support/pool-home.ts'
import type { Ask } from './lost-asks.ts'

const MODEL_MS = 300
const ROUNDS = 4
const MINDS = ['one', 'two']
const AUDITED = 3
/** What is written in an exchange until its rounds are over; the third of them is an audit. */
export const WRITTEN = { mind_wrote: (ROUNDS - 1) * MINDS.length, audit_written: 1 }

const ASKED_IN = {
  R1: (seat: string) => `opinion ${seat}`,
  R2: (seat: string) => `review ${seat}`,
  R3: () => 'report',
}

type Undo = (() => Promise<unknown>)[]

/** What listens on the loopback, offered at another address of this machine too. */
async function relayed(url: string, address: string | null, undo: Undo): Promise<string> {
  if (address === null) return url
  const { port } = new URL(url)
  const relay = createServer((near) => {
    near.setMaxListeners(0)
    const far = createConnection(Number(port), '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  await new Promise<void>((resolve) => relay.listen(0, address, resolve))
  undo.push(async () => void relay.close())
  return `http://${address}:${(relay.address() as AddressInfo).port}`
}

export interface Mixed {
  readonly where: Where & { readonly cwd: string }
  /** What models were asked, in councils and in exchanges. */
  readonly asks: readonly Ask[]
  queueCouncil(nth: number): Promise<string>
  queueSession(nth: number): Promise<string>
  queueExchange(nth: number): Promise<string>
  /** How often the tool of each session ran. */
  runs(): Promise<readonly number[]>
}

const queued = async (where: Where, ...words: readonly string[]): Promise<string> => {
  const { json, code } = await here(where, ...words, '--queue', '--json')
  if (code !== 0) throw new Error(JSON.stringify(json))
  return String(json.trace)
}

/** `address`: where models are reached from other networks; null when all are on this one. */
export async function openMixed(postgres: string, address: string | null, undo: Undo): Promise<Mixed> {
  const pool = await openPoolHome(MINDS)
  undo.push(() => pool.server.close())
  const asks: Ask[] = []
  const traceOf = new Map<string, string>()
  const hear = (words: string, about: string): void => {
    const [, matter = ''] = /(matter \d+ of ours)/.exec(words) ?? []
    asks.push({ at: Date.now(), trace: traceOf.get(matter) ?? '', about })
  }
  const council = await playCouncil(THREE, {
    delayMs: MODEL_MS,
    tell: ({ words, round, model }) => hear(words, ASKED_IN[round](model)),
  })
  undo.push(() => council.close())
  pool.script = async (asked) => {
    hear(asked.words, asked.isAudit ? 'audit' : `mind ${asked.model}`)
    await pause(MODEL_MS)
    return plainScript(asked)
  }
  const cwd = await directory()
  const where = { home: join(cwd, 'home'), cwd, env: { WITAN_POSTGRES_URL: postgres } }
  process.env.WITAN_POSTGRES_URL = postgres
  await here(where, 'init', '--name', 'tester')
  const [councilUrl, poolUrl] = [
    await relayed(council.url, address, undo),
    await relayed(pool.server.url, address, undo),
  ]
  const at = (url: string) => (name: string) => ({
    name,
    model: name,
    transport: 'api',
    base_url: `${url}/v1`,
  })
  const providers = [...Object.keys(THREE).map(at(councilUrl)), ...MINDS.map(at(poolUrl))]
  const agents = { commands: ['./count.sh'], policy: 'lenient', approvals_without_terminal: true }
  await writeFile(join(where.home, 'config.yaml'), JSON.stringify({ council: { providers }, agents }))
  await addPerson(where)
  const terms = {
    pool: { minds: MINDS, parallel: true },
    auditor: { spec: 'Say what is converging.', mind: 'one', every: AUDITED },
    observer: { name: 'ana', role: 'I answer audits.' },
    restart: { enough: 20 },
  }
  const sessions: string[] = []
  return {
    where,
    asks,
    async queueCouncil(nth) {
      const about = `matter ${nth} of ours`
      const seats = ['--seats', 'a,b,c', '--tenant', `t${nth % 3}`]
      const trace = await queued(where, 'ask', `Shall we do ${about}?`, ...seats)
      traceOf.set(about, trace)
      return trace
    },
    async queueSession(nth) {
      const folder = join(cwd, `session-${nth}`)
      await mkdir(folder)
      await writeFiles(folder, {
        ...LICENCES,
        'count.sh': '#!/bin/sh\necho ran >> ran.txt\nsleep 0.3\necho counted\n',
      })
      await chmod(join(folder, 'count.sh'), 0o755)
      sessions.push(folder)
      const task = await writeTask({ ...where, folder }, COUNTING)
      return queued(where, 'agents', 'run', task, '--tenant', `t${nth % 3}`)
    },
    async queueExchange(nth) {
      const about = `matter ${nth} of ours`
      const prompt = `Think about rivers, ${about}.`
      const file = `terms-${nth}.yaml`
      await writeFile(join(cwd, file), JSON.stringify({ ...terms, pool: { ...terms.pool, prompt } }))
      const trace = await queued(where, 'exchange', 'run', '--terms', file, '--rounds', String(ROUNDS))
      traceOf.set(about, trace)
      return trace
    },
    runs: () =>
      Promise.all(
        sessions.map(
          async (folder) =>
            (await readFile(join(folder, 'ran.txt'), 'utf8').catch(() => '')).split('\n').length - 1,
        ),
      ),
  }
}

/** What a person does about a session that waits because no one knows what its tool did: reads again, runs nothing again. */
export async function resolveParked(where: Where, trace: string): Promise<void> {
  const { json } = await here(where, 'agents', 'pending', trace, '--json')
  for (const { subject, tool } of json.pending as readonly { subject: string; tool: string }[]) {
    const as = tool === 'files.read' ? 'again' : 'failed'
    const why = ['--as', as, '--reason', 'its worker was lost', '--by', 'ana', '--json']
    await here(where, 'agents', 'resolve', trace, subject, ...why)
  }
}
