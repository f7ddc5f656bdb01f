// What a host writes to the pipe, line by line. A request with an unknown shape would be silently ignored,
// and its sender would wait forever: it is answered with an error here, and goes no further. After an endless
// line nothing more could be read: that is reported, and the connection ends.

import { Transform, type Writable } from 'node:stream'
import { isJSONRPCRequest, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { WitanError } from '../../ledger/errors.ts'

const MOST_LINE = 10 * 1_048_576
const TOO_LONG = `a line of the host is longer than ${MOST_LINE} bytes`
const NEWLINE = 0x0a

/** The id under which an answer is awaited; undefined where the line is valid, or no one waits. */
function misshapenId(line: string): string | number | null | undefined {
  // Only such a line can be a request with an id, and parsing takes time.
  if (!line.includes('"method"')) return undefined
  let message: { id?: unknown } | null
  try {
    message = JSON.parse(line)
  } catch {
    return undefined
  }
  // Batches are in none of the supported revisions.
  if (Array.isArray(message)) return null
  const id = message?.id
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  return isJSONRPCRequest(message) ? undefined : id
}

function refuse(output: Writable, id: string | number | null, message: string): void {
  const error = { code: ProtocolErrorCode.InvalidRequest, message }
  output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`)
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
        if (id === undefined) this.push(line)
        else refuse(output, id, 'This is no request of the protocol')
      }
      rest = all.subarray(from)
      if (rest.length <= MOST_LINE) return done()
      rest = Buffer.alloc(0)
      refuse(output, null, TOO_LONG)
      done(new WitanError('USAGE', TOO_LONG, 'Start it again; give long texts as files.'))
    },
  })
}
