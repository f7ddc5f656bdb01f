import type { Client } from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it } from 'vitest'
import type { Act } from '../../../test/contracts/scenarios.ts'
import {
  type CouncilServer,
  opinion,
  playCouncil,
  report,
  review,
  target,
} from '../../../test/fakes/council.ts'
import {
  call,
  type HostHome,
  hostClient,
  hostHome,
  type Said,
  seatsAt,
} from '../../../test/support/mcp-host.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function table(scripts: Parameters<typeof playCouncil>[0]): Promise<{
  readonly server: CouncilServer
  readonly at: HostHome
  readonly client: Client
}> {
  const server = await playCouncil(scripts)
  const at = await hostHome(seatsAt(server.url, ...Object.keys(scripts ?? {})))
  const client = await hostClient(at.kit)
  open.push(
    () => server.close(),
    at.dispose,
    () => client.close(),
  )
  return { server, at, client }
}

async function aloneAt(): Promise<{ readonly at: HostHome; readonly client: Client }> {
  const at = await hostHome()
  const client = await hostClient(at.kit)
  open.push(at.dispose, () => client.close())
  return { at, client }
}

const ANSWERS: Readonly<Record<string, (labels: readonly string[]) => object>> = {
  R1: () => opinion(),
  R2: (labels) => review({ targets: labels.map((label) => target(label)) }),
  R3: () => report({ rationale: [{ point: 'It can be undone.', supported_by: ['op-1'] }] }),
}

/** Answers everything that is asked, as a host's model would, until nothing is. */
async function answerAll(
  client: Client,
  first: Said,
): Promise<Said & { readonly rounds: readonly string[] }> {
  const rounds: string[] = []
  let said = first
  while (said.told.status === 'your turn') {
    const { trace, ticket, round = '', prompt = '' } = said.told
    rounds.push(round)
    const labels = ['A', 'B', 'C'].filter((label) => new RegExp(`"${label}"`).test(prompt)).slice(0, 2)
    const answer = ANSWERS[round]?.(labels) ?? {}
    said = await call(client, 'council_submit', { trace, ticket, answer, model: 'sonnet-x' })
    if (said.isError) throw new Error(said.text)
  }
  return { ...said, rounds }
}

describe('a council inside a host', () => {
  it('VOX-19 APP-4 runs with progress that carries the text of seats, and returns its report and trace', async () => {
    const { client, server } = await table({ a: {}, b: {} })
    const steps: string[] = []
    const said = await call(
      client,
      'council_run',
      { question: 'Shall we?' },
      {
        onprogress: ({ message }) => steps.push(message ?? ''),
      },
    )
    expect(said).toMatchObject({
      isError: false,
      told: { status: 'reported', report: { decision: 'adopt' } },
    })
    expect(server.calls()).toContain('R3 a')
    const { trace } = said.told
    expect(steps).toContain(`${trace} is opened`)
    expect(steps).toContain(`${trace} R1: b answered`)
    expect(steps.some((step) => step.startsWith(`${trace} R1: `) && step.includes(' writes: …'))).toBe(true)
    expect(said.text).toContain('Do it behind a flag.')
    const verified = await call(client, 'trace_verify', { trace })
    expect(verified.told).toMatchObject({ status: 'pass' })
  })

  it('VOX-19 shows no text of other seats while the host holds a seat in an open council', async () => {
    const { client } = await table({ a: {}, b: {} })
    const steps: string[] = []
    const options = {
      onprogress: ({ message }: { message?: string | undefined }) => steps.push(message ?? ''),
    }
    const first = await call(client, 'council_open', { question: 'Shall we?', seats: ['a'] }, options)
    expect(first.told.status).toBe('your turn')
    const beside = await call(client, 'council_run', { question: 'Shall we?' }, options)
    expect(beside.told.status).toBe('reported')
    expect(steps.length).toBeGreaterThan(3)
    expect(steps.filter((step) => step.includes('writes'))).toEqual([])
  })

  it('APP-4 takes the options of the command: chair, constraints, focus, a budget, a council to follow up', async () => {
    const { client, server } = await table({ a: {}, b: {} })
    const asked = { chair: 'b', constraints: ['No downtime.'], focus: ['The rollback.'], max_cost: 2 }
    const first = await call(client, 'council_run', { question: 'Shall we?', ...asked })
    expect(first).toMatchObject({ isError: false, told: { status: 'reported' } })
    expect(server.calls()).toContain('R3 b')
    for (const words of ['No downtime.', 'The rollback.']) expect(server.heard[0]?.words).toContain(words)
    const { trace } = first.told
    const shown = await call(client, 'trace_show', { trace, seq: 0 })
    expect(JSON.stringify(shown.told)).toContain('"cost":2')
    const refused = await call(client, 'council_run', { question: 'And then?', follow: trace, chair: 'b' })
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('a tool call cannot allow it'),
    })
    const next = await call(client, 'council_run', { question: 'And then?', follow: trace })
    expect(next.told).toMatchObject({ status: 'reported' })
    expect(server.heard.at(-1)?.words).toContain('Shall we?')
  })

  it('VOX-8 VOX-10 sits without the seats that cannot be asked, and says why', async () => {
    const server = await playCouncil({ b: {} })
    const nobodys = ['x', 'x-two'].map(
      (name) =>
        `    - {name: ${name}, model: m, api: anthropic, transport: api, base_url: "http://127.0.0.1:9/v1", api_key_env: NOT_SET_HERE}`,
    )
    const at = await hostHome(`${seatsAt(server.url, 'b')}${nobodys.join('\n')}\n`)
    const client = await hostClient(at.kit)
    open.push(
      () => server.close(),
      at.dispose,
      () => client.close(),
    )
    const said = await answerAll(client, await call(client, 'council_open', { question: 'Shall we?' }))
    expect(said.told).toMatchObject({
      status: 'reported',
      degraded: false,
      left_out: [{ seat: 'x' }, { seat: 'x-two' }],
    })
    expect(said.text).toContain('x and x-two were left out: NOT_SET_HERE is not set')
    const shown = await call(client, 'trace_show', { trace: said.told.trace, seq: 0 })
    const { payload } = shown.told as unknown as { payload: { seats: readonly { seat: string }[] } }
    expect(payload.seats.map(({ seat }) => seat)).toEqual(['host', 'b'])
    expect(server.calls()).toEqual(expect.arrayContaining(['R1 b', 'R2 b']))
  })

  it('COU-X-7 APP-4 asks the failed seats again, and no others', async () => {
    const gone: Act = { act: 'error', kind: 'auth', message: 'wrong key' }
    const { client, server } = await table({ a: {}, b: { R1: [gone, () => opinion()] } })
    const first = await call(client, 'council_run', { question: 'Shall we?' })
    expect(first.told).toMatchObject({ status: 'quorum_failed' })
    const { trace } = first.told
    expect(first.text).toContain(`council_retry ${trace}`)
    const other = await call(client, 'council_retry', { trace, seats: ['a'] })
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('a did not fail') })
    const before = server.calls().length
    const steps: string[] = []
    const onprogress = ({ message }: { message?: string | undefined }) => steps.push(message ?? '')
    const again = await call(client, 'council_retry', { trace, seats: ['b'], timeout: '2m' }, { onprogress })
    expect(again).toMatchObject({
      isError: false,
      told: { status: 'reported', report: { decision: 'adopt' } },
    })
    expect(again.told.trace).not.toBe(trace)
    expect(steps).toContain(`${again.told.trace} is opened`)
    const asked = server.calls().slice(before)
    expect(asked.filter((name) => name.startsWith('R1'))).toEqual(['R1 b'])
    expect(asked).toHaveLength(4)
    const verified = await call(client, 'trace_verify', { trace: again.told.trace })
    expect(verified.told).toMatchObject({ status: 'pass' })
    const done = await call(client, 'council_retry', { trace: again.told.trace })
    expect(done).toMatchObject({ isError: true, text: expect.stringContaining('no seat failed') })
  })

  it('APP-4 can run in the background and be checked later', async () => {
    const { client } = await table({ a: {}, b: {} })
    const { told } = await call(client, 'council_run', { question: 'Shall we?', wait: false })
    expect(told.status).toBe('under way')
    await expect
      .poll(async () => (await call(client, 'council_status', { trace: told.trace })).told.status, {
        timeout: 20_000,
      })
      .toBe('reported')
  })

  it('APP-4 stops when the host cancels, and no seat is asked any more', async () => {
    const { client, server, at } = await table({ a: { R1: [{ act: 'silence' }] }, b: {} })
    const cancel = new AbortController()
    const running = call(client, 'council_run', { question: 'Shall we?' }, { signal: cancel.signal })
    await expect.poll(() => server.calls().length).toBe(2)
    const listed = await call(client, 'trace_list', {})
    const [council] = (listed.told.traces as readonly { trace: string }[]) ?? []
    cancel.abort()
    await expect(running).rejects.toThrow()
    const sitting = at.kit.sittings.get(council?.trace ?? '')
    await sitting?.ended
    expect(sitting?.isOver).toBe(true)
    expect(() => sitting?.check()).toThrow('stopped before its end')
    expect(server.calls()).toHaveLength(2)
  })

  it('gets texts without the secrets in them, and only files of the working folder', async () => {
    const { client, server } = await table({ a: {}, b: {} })
    const key = `AKIA${'ABCDEFGHIJKLMNOP'}`
    const said = await call(client, 'council_run', {
      question: 'Shall we?',
      context: [{ name: 'notes.txt', text: `The plan is green.\naws_key = "${key}"` }],
      paths: ['LICENSE'],
    })
    expect(said.isError).toBe(false)
    const [first] = server.heard
    expect(first?.words).toContain('The plan is green.')
    expect(first?.words).toContain('Apache')
    expect(first?.words).not.toContain(key)
    for (const path of ['../etc', '/etc/passwd', 'src/../../x', 'a\0b']) {
      const refused = await call(client, 'council_run', { question: 'Shall we?', paths: [path] })
      expect(refused.isError, path).toBe(true)
    }
  })
})

describe('the model of the host by steps', () => {
  it('VOX-8 takes three seats without a key if no other model is ready, and is marked', async () => {
    const { client } = await aloneAt()
    const opened = await call(client, 'council_open', {
      question: 'Shall we?',
      alone: true,
      model: 'sonnet-x',
    })
    expect(opened.told).toMatchObject({ status: 'your turn', round: 'R1', seat: 'host' })
    const said = await answerAll(client, opened)
    expect(said.rounds).toEqual(['R1', 'R1', 'R1', 'R2', 'R2', 'R2', 'R3'])
    expect(said.told).toMatchObject({
      status: 'reported',
      report: { one_vendor: true, notices: ['one vendor: agreement counts little'] },
    })
    const shown = await call(client, 'trace_show', { trace: said.told.trace, seq: 0 })
    expect(shown.text).toContain('sonnet-x (as stated by host)')
    expect((await call(client, 'trace_verify', { trace: said.told.trace })).told).toMatchObject({
      status: 'pass',
    })
  })

  it('takes one seat beside other ready models, and another one is the chair', async () => {
    const { client, server } = await table({ a: {}, b: {} })
    const said = await answerAll(client, await call(client, 'council_open', { question: 'Shall we?' }))
    expect(said.rounds).toEqual(['R1', 'R2'])
    await expect
      .poll(async () => (await call(client, 'council_status', { trace: said.told.trace })).told.status, {
        timeout: 20_000,
      })
      .toBe('reported')
    expect(server.calls()).toContain('R3 a')
  })

  it('shows no host the other opinions before the council is over, by any tool or resource', async () => {
    const secret = 'The others must not be heard yet.'
    const { client, at, server } = await table({ a: { R1: [() => opinion({ summary: secret })] }, b: {} })
    const opened = await call(client, 'council_open', { question: 'Shall we?' })
    const { trace, ticket } = opened.told
    await expect.poll(() => server.calls().length).toBe(2)
    await expect
      .poll(async () => (await call(client, 'council_status', { trace })).told.status)
      .toBe('your turn')
    const another = await hostClient({ ...at.kit })
    open.push(() => another.close())
    const uses: readonly (readonly [string, Record<string, unknown>])[] = [
      ['trace_show', { trace }],
      ['trace_show', { trace: 'last' }],
      ...[0, 1, 2, 3, 4, 5, 6].map((seq) => ['trace_show', { trace, seq }] as const),
      ['trace_export', { trace }],
      ['trace_export', { trace, html: true }],
      ['trace_list', {}],
      ['trace_verify', { trace }],
      ['council_status', { trace }],
    ]
    for (const host of [client, another]) {
      for (const [name, args] of uses) {
        const said = await call(host, name, args)
        expect(JSON.stringify(said), name).not.toContain(secret)
        if (name === 'trace_show' || name === 'trace_export') expect(said.isError, name).toBe(true)
      }
      const { resources } = await host.listResources()
      for (const { uri } of resources) {
        const read = await host.readResource({ uri }).catch((error: unknown) => String(error))
        expect(JSON.stringify(read)).not.toContain(secret)
      }
    }
    await call(client, 'council_submit', { trace, ticket, answer: JSON.stringify(opinion()) })
    await expect
      .poll(async () => {
        const said = await call(client, 'council_status', { trace })
        return (await answerAll(client, said)).told.status
      })
      .toBe('reported')
    expect((await call(client, 'trace_show', { trace, seq: 0 })).isError).toBe(false)
  })

  it('VOX-15 is asked once for the missing part of its answer; unknown tickets and traces are errors', async () => {
    const { client } = await aloneAt()
    const { told } = await call(client, 'council_open', { question: 'Shall we?', alone: true })
    const { trace, ticket } = told
    const submit = (to: unknown, answer: unknown) =>
      call(client, 'council_submit', { trace, ticket: to, answer })
    const other = await submit(ticket, { stance: 'adopt' })
    expect(other.told).toMatchObject({ status: 'your turn', seat: 'host-2' })
    const third = await submit(other.told.ticket, opinion())
    const lacking = await submit(third.told.ticket, opinion())
    expect(lacking.told).toMatchObject({ status: 'your turn', seat: 'host', round: 'R1' })
    expect(lacking.text).toContain('what it lacks')
    const again = await submit(lacking.told.ticket, opinion())
    expect(again.told).toMatchObject({ status: 'your turn', round: 'R2' })
    for (const args of [
      { trace, ticket, answer: opinion() },
      { trace, ticket: 'R3.host.1', answer: opinion() },
      { trace: 'nothing', ticket, answer: opinion() },
      { trace, ticket, answer: 7 },
      { trace, ticket: 'x'.repeat(1_000), answer: '' },
      { trace, ticket: again.told.ticket, answer: 'x'.repeat(290_000) },
    ]) {
      expect(await call(client, 'council_submit', args)).toMatchObject({ isError: true })
    }
  })
})

describe('the model of a host that offers sampling', () => {
  it('VOX-8 takes a seat beside the others, under the name that the host gives it', async () => {
    const server = await playCouncil({ a: {}, b: {} })
    const at = await hostHome(seatsAt(server.url, 'a', 'b'))
    const client = await hostClient(at.kit, { capabilities: { sampling: {} } })
    open.push(
      () => server.close(),
      at.dispose,
      () => client.close(),
    )
    const asked: string[] = []
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      const words = JSON.stringify(params.messages)
      const round = words.includes('stance_after') ? 'R2' : 'R1'
      asked.push(round)
      const text = JSON.stringify(ANSWERS[round]?.(['A', 'B']))
      return { role: 'assistant', model: 'host-9', content: { type: 'text', text }, stopReason: 'endTurn' }
    })
    const said = await call(client, 'council_run', { question: 'Shall we?' })
    expect(said.told).toMatchObject({ status: 'reported' })
    expect(asked).toEqual(['R1', 'R2'])
    const { trace } = said.told
    const { size } = (await call(client, 'trace_verify', { trace })).told
    const events = Array.from({ length: Number(size) }, (_, seq) =>
      call(client, 'trace_show', { trace, seq }),
    )
    const words = (await Promise.all(events)).map(({ text }) => text).join('\n')
    expect(words).toContain('host-9 (as stated by host)')
  })
})
