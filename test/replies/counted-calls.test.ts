// What is counted where a request breaks on its way: the asker cannot know whether it was heard, and so paid for. It is an
// attempt like any other, on record with what broke, and the seat asks again.

import { createServer, connect as dial, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { council, inStore } from '../../src/doors/library/council.ts'
import type { AskingFields } from '../../src/ledger/raw-reply.ts'
import type { Seat } from '../../src/models/seat/seat.ts'
import type { Occurrence } from '../../src/protocol.ts'
import { playCouncil } from '../fakes/council.ts'
import { serve } from '../fakes/scripted-server.ts'
import { seatAt, verdictOn } from '../support/council-run.ts'

const closing: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Stands before a server and drops the first connection at its first byte, as one does that was about to close. */
async function droppingOne(url: string): Promise<{ readonly url: string; readonly dropped: () => number }> {
  let dropped = 0
  const open = new Set<Socket>()
  const door = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      if (dropped === 0) {
        dropped++
        socket.resetAndDestroy()
        return
      }
      const behind = dial(Number(new URL(url).port), '127.0.0.1')
      open.add(behind)
      behind.on('error', () => undefined).write(bytes)
      socket.pipe(behind).pipe(socket)
    })
  })
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
  closing.push(() => {
    for (const socket of open) socket.destroy()
    return new Promise((done) => door.close(done))
  })
  const address = door.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}`, dropped: () => dropped }
}

async function heldWith(seats: readonly Seat[]) {
  const storage = await inStore()
  const run = council({
    question: 'Shall we do it?',
    seats: seats.map((seat) => ({ seat })),
    chairs: ['a'],
    storage,
  })
  const events: Occurrence[] = []
  for await (const event of run) events.push(event as Occurrence & typeof event)
  const result = await run.result
  expect(await verdictOn(storage, result.trace)).toMatchObject({ status: 'pass', failures: [] })
  const attempts = events.flatMap(
    ({ payload }) => ((payload ?? {}) as unknown as Partial<AskingFields>).attempts ?? [],
  )
  return { result, attempts, opinions: result.rounds[0].opinions.map(({ seat }) => seat) }
}

it('VOX-16 VOX-4 counts a request that broke on its way as an attempt, and keeps the seat with another', async () => {
  const server = await playCouncil({ a: {}, b: {}, c: {} })
  closing.push(() => server.close())
  const door = await droppingOne(server.url)
  const { result, attempts, opinions } = await heldWith(
    ['a', 'b', 'c'].map((name) => seatAt(name === 'c' ? door.url : server.url, name)),
  )
  expect(opinions).toEqual(['a', 'b', 'c'])
  expect(door.dropped()).toBe(1)
  expect(attempts.filter(({ error_type }) => error_type !== null)).toMatchObject([
    {
      error_type: 'network',
      cause: null,
      error_message: expect.stringMatching(/ECONNRESET|other side closed/),
    },
  ])
  expect(attempts).toHaveLength(server.heard.length + door.dropped())
  expect(result.metrics.calls).toBe(attempts.length)
})

it.each([
  ['a page that is not there', 404, '404 page not found', {}],
  ['a redirect', 307, '', { location: 'http://127.0.0.1:9/v1' }],
  ['a refusal of the method', 405, 'Method Not Allowed', {}],
] as const)(
  'VOX-16 VOX-5 counts a request that was answered with %s, once',
  async (_, status, body, headers) => {
    const server = await playCouncil({ a: {}, b: {} })
    let heard = 0
    const wrong = await serve((_request, response) => {
      heard++
      response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body)
    })
    closing.push(
      () => server.close(),
      () => wrong.close(),
    )
    const { result, attempts, opinions } = await heldWith([
      seatAt(server.url, 'a'),
      seatAt(server.url, 'b'),
      seatAt(wrong.url, 'c'),
    ])
    expect(opinions).toEqual(['a', 'b'])
    expect(heard).toBe(1)
    expect(attempts).toHaveLength(server.heard.length + heard)
    expect(result.metrics.calls).toBe(attempts.length)
  },
)
