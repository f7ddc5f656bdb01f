// A whole home as people leave one behind, made by the commands themselves over scripted loopback models: finished,
// forked, waiting and cut off traces of every protocol; keys rotated and revoked; payloads and artifacts erased.

import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ended, type Ran, start } from '../../doors/command.ts'
import { critique, opinion, playCouncil, review, type Script, target } from '../../fakes/council.ts'
import { type Asked, serveMinds } from '../../fakes/minds.ts'
import {
  type AgentsHome,
  claim,
  LICENCES,
  READING,
  read,
  WRITING,
  writeFiles,
  writeTask,
} from '../../support/agents-home.ts'
import { until } from '../../support/clerk-kit.ts'
import { cutOffSessions } from '../../support/cut-off-sessions.ts'
import { openPoolHome, type PoolHome, plainScript, restartScript, traceOf } from '../../support/pool-home.ts'

/** Answers on second thought: silent at first, so that whoever asks can be stopped. */
const SLOW: Script = { R1: [{ act: 'silence' }, { act: 'silence' }, opinion()] }

const SEATS: Readonly<Record<string, Script>> = {
  a: {},
  b: { R2: [review({ targets: [target('A', { critiques: [critique()] }), target('B')] })] },
  c: { R1: [opinion({ stance: 'reject', summary: 'Not yet.', confidence: 'low' })] },
  d: {},
  mute: { R3: [{ act: 'error', kind: 'auth', message: 'no' }] },
  slow: SLOW,
}

const intent = (tool: string, input: object) => ({ intent: { tool, input, justification: 'it is next' } })
const plan = (objective: string, ...required_tools: string[]) => ({
  objective,
  assumptions: [],
  required_tools,
  expected_evidence: ['texts'],
})
const claims = ({ artifacts }: Asked, quote: string) => ({
  claims: [{ text: 'beta is Apache', confidence: 'high', evidence: [{ artifact: artifacts.at(-1), quote }] }],
})

const MINDS = {
  planner: [{ proposals: [plan('Read both licences', 'files.read')] }],
  executor: [
    intent('files.read', { path: 'alpha/LICENSE' }),
    intent('files.read', { path: 'beta/COPYING' }),
    { replan: { reason: 'there is no COPYING', proposal: plan('Read LICENSE of beta', 'files.read') } },
    intent('files.read', { path: 'beta/LICENSE' }),
    (asked: Asked) => claims(asked, 'GNU General Public License'),
    (asked: Asked) => claims(asked, 'Apache License'),
  ],
  critic: [{ verdict: 'approve', reasons: [] }],
}

const TWO_STEPS = {
  tools: ['files.read'],
  proposals: [
    {
      objective: 'Read both',
      steps: [read('alpha', 'alpha/LICENSE'), read('beta', 'beta/LICENSE')],
      claims: [claim('alpha is MIT', 'alpha', 'MIT License'), claim('beta is Apache', 'beta', 'Apache')],
    },
  ],
}

export interface MadeHome {
  readonly directory: string
  readonly cwd: string
  /** What each trace is an example of. */
  readonly traces: ReadonlyMap<string, string>
  close(): Promise<void>
}

interface Servers {
  readonly [name: string]: string
}

/** Providers by name, each behind the loopback server that plays it. */
export const configText = ({ council, minds, pool }: Servers): string => {
  const at = (url: string | undefined, names: readonly string[]) =>
    names.map((name) => ({
      name,
      model: name === 'ollama' ? 'fake-1' : name,
      transport: 'api',
      base_url: `${url}/v1`,
    }))
  const providers = [
    ...at(council, Object.keys(SEATS)),
    ...at(minds, ['ollama']),
    ...at(pool, ['one', 'two']),
  ]
  return `${JSON.stringify({ council: { providers } }, null, 2)}\n`
}

async function councils(house: PoolHome, heard: () => number, traces: Map<string, string>): Promise<void> {
  const { witan, where } = house
  const ask = async (name: string, ...args: readonly string[]): Promise<string> => {
    const ran = await witan('ask', 'Shall we?', ...args, '--json')
    const trace = String(ran.json.trace)
    if (!trace.startsWith('01')) throw new Error(`${name}: ${ran.stdout} ${ran.stderr}`)
    traces.set(name, trace)
    return trace
  }
  const table = ['--seats', 'a,b,c', '--chair', 'a']
  const first = await ask('council-reported', ...table)
  traces.set('council-forked', traceOf(await witan('fork', first, '--after', 'R2', '--chair', 'b', '--json')))
  traces.set(
    'council-reseated',
    traceOf(await witan('fork', first, '--after', 'R1', '--seats', 'b,c,d', '--json')),
  )
  await ask('council-followed', '--follow', first, ...table)
  await ask('council-mute-chair', '--seats', 'a,b,c', '--chair', 'mute')
  await ask('council-checks-only', '--seats', 'embedded')
  await ask('council-with-context', '--context', 'work/alpha/LICENSE', '--yes', ...table)
  for (const name of ['council-unfinished', 'council-aborted']) {
    const before = heard()
    const child = start(['ask', 'Shall we wait?', '--seats', 'a,b,slow', '--chair', 'a', '--json'], where)
    const ran = ended(child)
    await until(async () => heard() >= before + 3, 60_000)
    await new Promise((done) => setTimeout(done, 1_500))
    child.kill(name === 'council-aborted' ? 'SIGINT' : 'SIGKILL')
    await ran
    const { json } = await witan('list', '--json')
    const [newest] = (json.traces as readonly { trace: string; protocol: string }[])
      .filter(({ protocol }) => protocol === 'council/1')
      .map(({ trace }) => trace)
      .sort()
      .reverse()
    traces.set(name, newest ?? '')
    if (name === 'council-aborted')
      await witan('abort', newest ?? '', '--reason', 'asked the wrong question', '--json')
  }
}

async function sessions(house: PoolHome, place: AgentsHome, traces: Map<string, string>): Promise<void> {
  const { witan } = house
  const run = async (name: string, task: object, ...args: readonly string[]): Promise<Ran> => {
    const ran = await witan('agents', 'run', await writeTask(place, task, `${name}.yaml`), '--json', ...args)
    if (!String(ran.json.trace).startsWith('01')) throw new Error(`${name}: ${ran.stdout} ${ran.stderr}`)
    traces.set(name, String(ran.json.trace))
    return ran
  }
  await run('agents-completed', READING)
  await run('agents-waiting', WRITING)
  await run('agents-approved', WRITING)
  const approved = traces.get('agents-approved') ?? ''
  await witan('agents', 'approve', approved, '--by', 'ana', '--reason', 'I read it', '--json')
  await witan('resume', approved, '--json')
  await run('agents-aborted', { ...WRITING, objective: 'Write what is blocked' })
  const aborted = traces.get('agents-aborted') ?? ''
  await witan('agents', 'block', aborted, '--by', 'ana', '--reason', 'no', '--json')
  await witan('resume', aborted, '--json')
  await witan('abort', aborted, '--reason', 'nothing to prove', '--json')
  await run('agents-minds', { roles: { planner: 'ollama', executor: 'ollama' }, tools: ['files.read'] })
  const council = { ...WRITING, roles: { critic: ['policy', 'council'] }, council_from: 'medium' }
  await run('agents-council', council)
  await run('agents-rejected-waiting', { ...READING, roles: { critic: ['policy', 'human'] } })
  const rejected = traces.get('agents-rejected-waiting') ?? ''
  await witan('agents', 'block', rejected, 'p1', '--by', 'ana', '--reason', 'no', '--json')
  const whole = traces.get('agents-completed') ?? ''
  traces.set('agents-forked', traceOf(await witan('fork', whole, '--after', '5', '--json')))

  const ports = await cutOffSessions(place)
  const cut = await ports.open(TWO_STEPS)
  await ports.work(cut, { after: 7 })
  traces.set('agents-unfinished', cut)
  const inTool = await ports.open(TWO_STEPS)
  await ports.work(inTool, { after: 8 })
  await ports.work(inTool)
  traces.set('agents-cut-off-waiting', inTool)
  await ports.close()
}

async function exchanges(house: PoolHome, traces: Map<string, string>): Promise<void> {
  const { witan, where } = house
  const act = async (...args: readonly string[]): Promise<Ran> => {
    const ran = await witan('exchange', ...args, '--json')
    traceOf(ran)
    return ran
  }
  const terms = await house.terms('terms.yaml')
  const trace = traceOf(await act('run', '--terms', terms, '--rounds', '4'))
  traces.set('exchange-branched', trace)
  await act('inject', trace, 'Look at lakes too.')
  await act('say', trace, 'Stay with the second point.')
  await act('pin', trace, '1.1')
  await act('run', trace, '--rounds', '1')
  await act('pin', trace, '1.1', '--undo')
  const branch = await act('branch', trace, '--at', '2')
  traces.set('exchange-branch', String(branch.json.into))
  const lakes = await house.terms('lakes.yaml', { pool: { prompt: 'Think about lakes.' } })
  await act('terms', trace, '--set', lakes, '--reason', 'lakes')
  await act('run', trace, '--rounds', '1')
  const back = await act('rollback', trace, '--to', '3', '--reason', 'in circles')
  traces.set('exchange-rolled-back', String(back.json.into))

  house.script = restartScript
  const rare = await house.terms('rare.yaml', { auditor: { every: 6 }, pool: { window: 20 } })
  traces.set(
    'exchange-signal-waiting',
    traceOf(await witan('exchange', 'run', '--terms', rare, '--rounds', '12', '--json'), 8),
  )
  house.script = plainScript
  const halted = traceOf(await act('run', '--terms', terms, '--rounds', '1'))
  await witan('abort', halted, '--reason', 'enough', '--json')
  traces.set('exchange-halted', halted)

  const before = house.asked.length
  house.script = (asked) => (house.asked.length > before + 5 ? undefined : plainScript(asked))
  const child = start(['exchange', 'run', '--terms', terms, '--rounds', '4', '--json'], where)
  const ran = ended(child)
  await until(async () => house.asked.length > before + 5, 60_000)
  await new Promise((done) => setTimeout(done, 1_500))
  child.kill('SIGKILL')
  await ran
  house.script = plainScript
  const { json } = await witan('list', '--json')
  const [newest] = (json.traces as readonly { trace: string; protocol: string }[])
    .filter(({ protocol }) => protocol === 'exchange/1')
    .map((one) => one.trace)
    .sort()
    .reverse()
  traces.set('exchange-unfinished', newest ?? '')
}

interface Shown {
  readonly seq: number
  readonly header: { readonly type: string }
  readonly payload: {
    readonly artifacts?: readonly { readonly hash: string; readonly name: string }[]
  } | null
}

/** Erases in traces of their own: an event alone, one with all that quotes it, and an artifact. */
async function erased(house: PoolHome, place: AgentsHome, traces: Map<string, string>): Promise<void> {
  const { witan } = house
  const eventsOf = async (trace: string): Promise<readonly Shown[]> =>
    (await witan('show', trace, '--json')).json.events as readonly Shown[]
  const seqOf = async (trace: string, type: string): Promise<string> =>
    String((await eventsOf(trace)).find(({ header }) => header.type === type)?.seq)
  const redact = async (...args: readonly string[]) => {
    const ran = await witan('redact', ...args, '--reason', 'holds a home address', '--by', 'ana', '--json')
    if (ran.code !== 0) throw new Error(ran.stdout + ran.stderr)
  }
  const council = String(
    (await witan('ask', 'Shall we?', '--seats', 'a,b,c', '--chair', 'a', '--json')).json.trace,
  )
  await redact(council, await seqOf(council, 'review_given'), '--everywhere')
  traces.set('council-redacted', council)
  const task = await writeTask(place, READING, 'redacted.yaml')
  const session = String((await witan('agents', 'run', task, '--json')).json.trace)
  const artifacts = (await eventsOf(session)).flatMap(({ header, payload }) =>
    header.type === 'tool_execution_completed' ? (payload?.artifacts ?? []) : [],
  )
  const output = artifacts.find(({ name }) => name !== 'input.json')
  await redact(session, '--artifact', output?.hash ?? '')
  traces.set('agents-redacted', session)
}

export async function makeHome(): Promise<MadeHome> {
  const house = await openPoolHome()
  const { where } = house
  const place: AgentsHome = { ...where, folder: join(where.cwd, 'work') }
  await writeFiles(place.folder, LICENCES)
  const minds = await serveMinds(MINDS)
  const table = await playCouncil(SEATS)
  const servers = { council: table.url, minds: minds.url, pool: house.server.url }
  await writeFile(join(where.home, 'config.yaml'), configText(servers), { mode: 0o600 })
  const { witan } = house
  await witan('keys', 'add', 'ana', '--role', 'critic')
  await witan('keys', 'add', 'zoe', '--role', 'critic')
  const traces = new Map<string, string>()
  await councils(house, () => table.heard.length, traces)
  await sessions(house, place, traces)
  await exchanges(house, traces)
  await erased(house, place, traces)
  for (const [...args] of [
    ['rotate', 'b'],
    ['revoke', 'zoe', '--reason', 'laptop lost'],
    ['revoke', 'd', '--reason', 'stolen', '--compromised-since', '45'],
    ['rotate', 'registrar'],
  ]) {
    const ran = await witan('keys', ...args, '--json')
    if (ran.code !== 0) throw new Error(`${args.join(' ')}: ${ran.stdout}`)
  }
  const after = await witan('ask', 'And with new keys?', '--seats', 'a,b,c', '--chair', 'a', '--json')
  traces.set('council-after-rotation', String(after.json.trace))
  await mkdir(join(where.home, 'sessions'), { recursive: true })
  await chmod(where.home, 0o700)
  return {
    directory: where.home,
    cwd: where.cwd,
    traces,
    async close() {
      await table.close()
      await minds.close()
      await house.server.close()
    },
  }
}
