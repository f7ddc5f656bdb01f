// `witan gateway` on stdin and stdout: one message for each line, both ways. A line that is not a message is
// answered here and goes no further, so that a server only gets messages that were understood.

import type { Readable, Writable } from 'node:stream'
import { type GatewayRequest, openGateway } from '../../app/gateway/gateway.ts'
import { failed, INVALID_REQUEST, type Message, readMessage } from '../../app/gateway/messages.ts'
import { plain } from '../../render/plain.ts'

export interface Serving {
  readonly gateway: GatewayRequest
  readonly input: Readable
  readonly output: Writable
  /** For the person who runs it. */
  readonly errors: Writable
  readonly signal: AbortSignal
}

const MOST_LINE = 64 << 20
const NEWLINE = 10

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** Calls back with each complete line; false when a line grows without end. */
function lineReader(hear: (line: string) => void): (chunk: Buffer) => boolean {
  let pieces: Buffer[] = []
  let length = 0
  return (chunk) => {
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      hear(
        length === 0
          ? chunk.toString('utf8', from, to)
          : Buffer.concat([...pieces, chunk.subarray(from, to)]).toString('utf8'),
      )
      pieces = []
      length = 0
      from = to + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
    length += chunk.length - from
    return length <= MOST_LINE
  }
}

/** Until the host is gone, or every server is. */
export async function serve({ gateway, input, output, errors, signal }: Serving): Promise<void> {
  let reason: string | null = null
  const send = (message: Message): void => void output.write(`${JSON.stringify(message)}\n`)
  const relay = await openGateway(gateway, {
    send,
    ended(why) {
      reason = why
      input.destroy()
    },
    tell: (words) => void errors.write(`${plain(`witan gateway: ${words}`)}\n`),
  })
  const stop = (): void => void input.destroy()
  signal.addEventListener('abort', stop)
  const read = lineReader((line) => {
    if (line.trim() === '') return
    const message = readMessage(parsed(line))
    if (message) relay.hear(message)
    else send(failed(null, INVALID_REQUEST, 'this is no message of the protocol'))
  })
  await new Promise<void>((resolve) => {
    input.on('data', (chunk: Buffer) => {
      if (!read(chunk)) input.destroy()
    })
    input.once('end', resolve)
    input.once('close', resolve)
    input.once('error', () => resolve())
    if (signal.aborted) resolve()
  })
  signal.removeEventListener('abort', stop)
  await relay.close()
  if (reason !== null && !signal.aborted) errors.write(`${plain(`witan gateway: ended: ${reason}`)}\n`)
}
