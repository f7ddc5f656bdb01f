import { describe, expect, it } from 'vitest'
import { utf8 } from '../../ledger/bytes.ts'
import { eventsIn } from './server-sent-events.ts'

async function read(...chunks: readonly Uint8Array[]): Promise<readonly string[]> {
  const found: string[] = []
  async function* body() {
    yield* chunks
  }
  for await (const event of eventsIn(body())) found.push(event)
  return found
}

describe('server-sent events', () => {
  it('VOX-7 are the data of each event, with any end of line and with anything else between', async () => {
    const told =
      ': waiting\n\ndata: one\n\nevent: x\ndata:two\ndata: three\r\n\r\ndata\rid: 4\r\rretry: 9\n\n'
    expect(await read(utf8(told))).toEqual(['one', 'two\nthree', ''])
  })

  it('VOX-7 are the same wherever the bytes are cut, also within a character or a line end', async () => {
    const bytes = utf8(
      'data: zwölf 🦉\r\n\r\ndata: {"a":\r\ndata: 1}\n\n\r\ndata: last\r\rdata: never ended\n',
    )
    const whole = ['zwölf 🦉', '{"a":\n1}', 'last']
    expect(await read(bytes)).toEqual(whole)
    for (let at = 0; at <= bytes.length; at++)
      expect(await read(bytes.subarray(0, at), bytes.subarray(at)), `cut at ${at}`).toEqual(whole)
    expect(await read(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
  })

  it('VOX-7 drop a byte order mark at the beginning', async () => {
    expect(await read(utf8('\ufeffdata: one\n\n'))).toEqual(['one'])
  })
})
