// What a host writes on the pipe, line by line. A request whose shape the protocol does not know would be passed over
// in silence, and whoever sent it would wait for ever: it is answered with an error here, and goes no further.

import { Transform, type Writable } from 'node:stream'
import { isJSONRPCRequest, ProtocolErrorCode } from '@modelcontextprotocol/server'

/** Longer lines are for the reader behind this one, which ends the connection. */
const MOST_LINE = 10 * 1_048_576
const NEWLINE = 0x0a

/** The id under which an answer is awaited; null where the line is in order, or nobody waits. */
function misshapenId(line: string): string | number | null {
  // Nothing else can be a request with an id, and parsing is not for free.
  if (!line.includes('"method"')) return null
  let message: { id?: unknown } | null
  try {
    message = JSON.parse(line)
  } catch {
    return null
  }
  const id = message?.id
  if (typeof id !== 'string' && typeof id !== 'number') return null
  return isJSONRPCRequest(message) ? null : id
}

/** Passes on whole lines only, without those it answers on `output`. */
export function strictLines(output: Writable): Transform {
  let rest: Buffer = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let from = 0
      const all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      // What was kept holds no line's end.
      for (let at = all.indexOf(NEWLINE, rest.length); at >= 0; at = all.indexOf(NEWLINE, from)) {
        const line = all.subarray(from, at + 1)
        from = at + 1
        const id = misshapenId(line.toString('utf8'))
        if (id === null) this.push(line)
        else {
          const error = {
            code: ProtocolErrorCode.InvalidRequest,
            message: 'This is no request of the protocol',
          }
          output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`)
        }
      }
      rest = all.subarray(from)
      if (rest.length > MOST_LINE) {
        this.push(rest)
        rest = Buffer.alloc(0)
      }
      done()
    },
  })
}
