// A session or an exchange that a host begins can be left to itself, looked in on, and stopped.

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CouncilServer, playCouncil, type Script } from '../../../test/fakes/council.ts'
import {
  call,
  DEFAULT_TOOLS,
  filesFolder,
  hostClient,
  hostHome,
  seatsAt,
} from '../../../test/support/mcp-host.ts'
import { consent } from '../../app/home/permissions.ts'
import { AGENTS_TOOLS } from './tools/agents.ts'
import { EXCHANGE_TOOLS } from './tools/exchange.ts'

const TASK = (planner: string) => `objective: State the licence of the package
workspace: ./vendor
roles: {planner: ${planner}, executor: ${planner}, critic: [policy], auditor: verifier}
tools: [files.read]
`
const PROPOSALS = `proposals:
  - objective: Read its LICENSE
    steps: [{id: a, tool: files.read, input: {path: LICENSE}, justification: licence of it}]
    claims: [{text: it is MIT, confidence: high, evidence: [{step: a, quote: MIT License}]}]
`
const TERMS = `pool: {prompt: "Think aloud.", minds: [a, b], seed: 7}
auditor: {spec: "Sum up.", mind: a, every: 20, sample: 30}
observer: {name: ana, role: "I answer each audit."}
`

const { open } = filesFolder({
  'task.yaml': `${TASK('written')}${PROPOSALS}`,
  'planned.yaml': TASK('a'),
  'terms.yaml': TERMS,
})

async function host(scripts: Readonly<Record<string, Script>>) {
  const server: CouncilServer = await playCouncil(scripts)
  open.push(() => server.close())
  const at = await hostHome(`exchange: {acts_via_host: true}\n${seatsAt(server.url, 'a', 'b')}`)
  open.push(at.dispose)
  await consent(at.kit.home, { folder: join(process.cwd(), 'vendor') }, ['a'])
  const options = { capabilities: { elicitation: {} } }
  const client = await hostClient(at.kit, options, [...DEFAULT_TOOLS, ...AGENTS_TOOLS, ...EXCHANGE_TOOLS])
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { allow: true } }))
  open.push(() => client.close())
  return { client, server, runs: at.kit.runs }
}

const SILENT = { R1: [{ act: 'silence' as const }] }

describe('a session that a host begins', () => {
  it('APP-4 returns its trace at once, shows its steps on request, and reports its end', async () => {
    const { client } = await host({ a: {}, b: {} })
    const { told } = await call(client, 'agents_run', { task: 'task.yaml', wait: false })
    expect(told).toMatchObject({ status: 'under way' })
    const steps: string[] = []
    const onprogress = ({ message }: { message?: string | undefined }): void => void steps.push(message ?? '')
    const ended = await call(client, 'agents_run', { trace: told.trace }, { onprogress })
    expect(ended.told).toMatchObject({ status: 'completed', proven: [{ text: 'it is MIT' }] })
    expect(steps).toContain(`${told.trace} is opened`)
  })

  it('APP-4 stops when the host cancels, and the host may go on with it', async () => {
    const { client, server, runs } = await host({ a: SILENT, b: {} })
    const { told, text } = await call(client, 'agents_run', { task: 'planned.yaml', wait: false })
    expect(told, text).toMatchObject({ status: 'under way' })
    await expect.poll(() => server.calls().length, { timeout: 20_000 }).toBe(1)
    const cancel = new AbortController()
    const run = runs.get(told.trace)
    let attending: Promise<unknown> = Promise.resolve()
    await new Promise<void>((resolve) => {
      const options = { signal: cancel.signal, onprogress: () => resolve() }
      attending = call(client, 'agents_run', { trace: told.trace }, options)
      attending.catch(() => undefined)
    })
    cancel.abort()
    await expect(attending).rejects.toThrow()
    await expect(run?.ended).rejects.toThrow('stopped by the host')
    expect(runs.get(told.trace)).toBeNull()
    expect(server.calls()).toHaveLength(1)
  })
})

describe('an exchange that a host begins', () => {
  it('APP-4 is named at once, is not begun twice, and stops with the server', async () => {
    const { client, server, runs } = await host({ a: SILENT, b: SILENT })
    const { told, text } = await call(client, 'exchange_run', { terms: 'terms.yaml', rounds: 2, wait: false })
    expect(told, text).toMatchObject({ status: 'under way' })
    await expect.poll(() => server.calls().length, { timeout: 20_000 }).toBeGreaterThan(0)
    const again = await call(client, 'exchange_run', { trace: told.trace, rounds: 1 })
    expect(again).toMatchObject({ isError: true })
    expect(again.text).toContain('under way already')
    const { isError } = await call(client, 'exchange_observe', { trace: told.trace })
    expect(isError).toBe(false)
    await runs.stopAll()
    expect(runs.get(told.trace)).toBeNull()
  })

  it('begins no more than eight at a time', async () => {
    const { runs } = await host({})
    const never = () => new Promise<never>(() => undefined)
    for (let i = 0; i < 8; i++) runs.begin(({ signal }) => Promise.race([never(), aborted(signal)]))
    expect(() => runs.begin(never)).toThrow('8 runs are under way')
  })
})

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
