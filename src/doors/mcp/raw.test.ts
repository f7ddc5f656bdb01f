// A host that speaks revision 2025-06-18 line by line, with no SDK between: what goes over the pipe is the protocol
// and nothing else, no matter what it sends, and nothing is left running when it goes.

import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { newHome, start, witan } from '../../../test/doors/command.ts'

interface Message {
  readonly id?: number | null
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number }
}

it('serves a host of an earlier revision, answers what is hostile with errors, and ends with it', async () => {
  const where = await newHome()
  const child = start(['mcp', '--tools', 'agents,exchange'], where)
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const waiting = new Map<number, (message: Message) => void>()
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  lines.on('line', (line) => {
    const message = JSON.parse(line) as Message
    waiting.get(message.id ?? -1)?.(message)
  })
  let count = 0
  const write = (message: object): void =>
    void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const send = (method: string, params: unknown): Promise<Message> => {
    const id = ++count
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve))
    write({ id, method, params })
    return answered
  }
  const clientInfo = { name: 'raw', version: '1' }
  const begun = await send('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  expect(begun.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'witan' } })
  write({ method: 'notifications/initialized' })

  const hostile: readonly unknown[] = [
    { name: 'council_run', arguments: { question: '' } },
    { name: 'council_run', arguments: { question: 'x'.repeat(500_000) } },
    { name: 'council_run', arguments: { question: 'Shall we?', paths: ['../../..'] } },
    { name: 'council_run', arguments: { question: 'Shall we?', range: '--output=/tmp/x', mode: 'review' } },
    { name: 'council_run', arguments: { question: 'Shall we?', seats: ['nobody-knows-them'] } },
    { name: 'council_open', arguments: { question: ['a'], context: { __proto__: null } } },
    { name: 'council_open', arguments: { question: 'Shall we?', context: [{ name: '../x', text: '' }] } },
    { name: 'council_status', arguments: { trace: '../../registry' } },
    { name: 'agents_run', arguments: {} },
    { name: 'agents_approve', arguments: { trace: 'registry', subject: 'p1' } },
    { name: 'exchange_observe', arguments: { trace: 'last', act: 'halt' } },
    { name: 'exchange_run', arguments: { terms: '/etc/passwd', rounds: 1e9 } },
    { name: 'no_such_tool', arguments: {} },
    { arguments: 7 },
    [],
    'council_run',
    null,
  ]
  for (const params of hostile) {
    const { result, error } = await send('tools/call', params)
    expect(result?.isError === true || error !== undefined, JSON.stringify(params).slice(0, 200)).toBe(true)
  }

  const refused = new Promise<Message>((resolve) => waiting.set(-1, resolve))
  child.stdin?.write(`${JSON.stringify([{ jsonrpc: '2.0', id: 900, method: 'ping' }])}\n`)
  expect(await refused).toMatchObject({ id: null, error: { code: -32600 } })

  const alone = { name: 'council_open', arguments: { question: 'Shall we?', alone: true } }
  const opened = await send('tools/call', alone)
  expect(opened.result).toMatchObject({ structuredContent: { status: 'your turn', round: 'R1' } })
  child.stdin?.end()
  expect(await closed).toBe(0)
  const { json } = await witan(where, 'show', 'last', '--json')
  expect(JSON.stringify(json).match(/call_lost/g)?.length).toBeGreaterThanOrEqual(3)
})

it('says so when a host writes a line without an end, and ends with a code', async () => {
  const child = start(['mcp'], await newHome())
  let [said, told] = ['', '']
  child.stdout?.on('data', (chunk) => {
    said += chunk
  })
  child.stderr?.on('data', (chunk) => {
    told += chunk
  })
  // It stops reading before all is written.
  child.stdin?.on('error', () => undefined)
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdin?.write('a'.repeat(11 << 20))
  expect(await closed).toBe(2)
  expect(JSON.parse(said)).toMatchObject({ id: null, error: { code: -32600 } })
  expect(told).toMatch(/^error USAGE: a line of the host is longer/)
})
