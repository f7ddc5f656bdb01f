// The seats that `--config FILE` names are those that are asked, by every command that asks models: seen at the server
// behind them. The file lies apart, so that no command finds it by itself.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { directory, ended, newHome, start, type Where, witan } from '../../../test/doors/command.ts'
import { type CouncilServer, opinion, playCouncil, type Script } from '../../../test/fakes/council.ts'
import { trust } from '../../app/home/permissions.ts'

const servers: CouncilServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

interface Set {
  readonly where: Where & { readonly cwd: string }
  readonly server: CouncilServer
  readonly file: string
}

async function set(scripts: Readonly<Record<string, Script>> = {}): Promise<Set> {
  const server = await playCouncil({ a: {}, b: {}, c: {}, ...scripts })
  servers.push(server)
  const where = await newHome()
  const file = join(await directory(), 'seats.yaml')
  const seat = (name: string, role = ''): string =>
    `    - {name: ${name}, model: ${name}, base_url: "${server.url}/v1"${role}}`
  const seats = [seat('a', ', role: [participant, chair]'), seat('b'), seat('c')]
  const text = ['council:', '  providers:', ...seats, ''].join('\n')
  await writeFile(file, text)
  await trust(where.home, file, Buffer.from(text))
  return { where, server, file }
}

const gone = { act: 'error', kind: 'auth', message: 'wrong key' } as const
const ASK = ['ask', 'Shall we?', '--json', '--yes'] as const

/** The calls that came while it ran. */
async function callsOf({ server }: Set, run: () => Promise<unknown>): Promise<readonly string[]> {
  const before = server.calls().length
  await run()
  return server.calls().slice(before)
}

describe('the seats of --config', { timeout: 120_000 }, () => {
  it('APP-6 are those that the doctor shows', async () => {
    const { where, file } = await set()
    const { json } = await witan(where, 'doctor', '--json', '--config', file)
    expect(json).toMatchObject({
      files: expect.arrayContaining([file]),
      table: { seats: [{ seat: 'a' }, { seat: 'b' }, { seat: 'c' }] },
    })
  })

  it('APP-6 are asked again by retry, and not without the file', async () => {
    const own = await set({ b: { R1: [gone, () => opinion()] }, c: { R1: [gone, () => opinion()] } })
    const { where, file } = own
    const { code, json } = await witan(where, ...ASK, '--config', file)
    expect(code).toBe(4)
    const trace = String(json.trace)
    expect(await callsOf(own, () => witan(where, 'retry', trace, '--json'))).toEqual([])
    const again = await callsOf(own, () => witan(where, 'retry', trace, '--json', '--config', file))
    expect(again).toEqual(expect.arrayContaining(['R1 b', 'R1 c']))
  })

  it('APP-6 are asked in a fork', async () => {
    const own = await set()
    const { where, file } = own
    expect((await witan(where, ...ASK, '--config', file)).code).toBe(0)
    const calls = await callsOf(own, () =>
      witan(where, 'fork', 'last', '--after', 'R1', '--json', '--yes', '--config', file),
    )
    expect(calls.filter((call) => call.startsWith('R2')).toSorted()).toEqual(['R2 a', 'R2 b', 'R2 c'])
  })

  it('APP-6 are asked by resume', async () => {
    const own = await set({ c: { R1: [{ act: 'silence' }, () => opinion()] } })
    const { where, file, server } = own
    const child = start([...ASK, '--config', file], where)
    const over = ended(child)
    while (!server.calls().includes('R1 c') && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGKILL')
    await over
    const calls = await callsOf(own, () => witan(where, 'resume', 'last', '--json', '--config', file))
    expect(calls).toContain('R1 c')
  })

  it('APP-6 plan and act in a session of agents', async () => {
    const own = await set()
    const { where, file } = own
    const task = join(where.cwd, 'task.yaml')
    await writeFile(
      task,
      'objective: State the licence\nworkspace: .\nroles: {planner: b, executor: b}\ntools: [files.read]\n',
    )
    const run = () => witan(where, 'agents', 'run', task, '--json', '--yes', '--config', file)
    expect(new Set(await callsOf(own, run))).toEqual(new Set(['R1 b']))
  })

  it('APP-6 speak in an exchange', async () => {
    const own = await set()
    const { where, file } = own
    const terms = join(where.cwd, 'terms.yaml')
    await writeFile(
      terms,
      'pool: {prompt: Think., minds: [b, c]}\nauditor: {spec: Sum up., mind: a}\nobserver: {name: tester, role: I look.}\n',
    )
    const run = () =>
      witan(where, 'exchange', 'run', '--terms', terms, '--rounds', '2', '--json', '--config', file)
    const calls = await callsOf(own, run)
    expect(new Set(calls.map((call) => call.split(' ')[1]))).toEqual(new Set(['b', 'c']))
  })
})
