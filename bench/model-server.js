// A model that answers at once, in a process of its own, so that what is measured is the side that asks. It streams
// where it is asked to, in as many pieces as a real reply of that length would have, and answers in one body otherwise.
import { fork } from 'node:child_process'
import { createServer } from 'node:http'

const PIECES = 48
const USAGE = { prompt_tokens: 5_000, completion_tokens: 250, total_tokens: 5_250 }
const common = { id: 'chatcmpl-1', created: 1_780_000_000, model: 'fake-1' }

const chunk = (choice, more = {}) =>
  `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices: choice ? [choice] : [], ...more })}\n\n`

/** The two ways to say an answer. */
export function replies(answer) {
  const text = JSON.stringify(answer)
  const size = Math.ceil(text.length / PIECES)
  const pieces = Array.from({ length: PIECES }, (_, i) => text.slice(i * size, (i + 1) * size))
  const stream = [
    ...pieces.map((content) =>
      chunk({ index: 0, delta: { role: 'assistant', content }, finish_reason: null }),
    ),
    chunk({ index: 0, delta: {}, finish_reason: 'stop' }),
    chunk(null, { usage: USAGE }),
    'data: [DONE]\n\n',
  ].join('')
  const message = { role: 'assistant', content: text }
  const whole = JSON.stringify({
    ...common,
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: USAGE,
  })
  return { stream, whole }
}

/** For the process that serves: which replies a request gets is up to `choose`. Each comes after as many milliseconds. */
export function listen(choose, delay = 0) {
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (data) => chunks.push(data))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const streamed = body.includes('"stream":true')
      const { stream, whole } = choose(body)
      const answer = () => {
        response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
        response.end(streamed ? stream : whole)
      }
      if (delay > 0) setTimeout(answer, delay)
      else answer()
    })
  })
  // Between two calls of a busy process much time can pass; a line that is closed meanwhile is no one's fault.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.on('disconnect', () => process.exit(0))
}

/** For the process that measures: `script` is run as the one that serves. */
export async function withServer(script, use, delay = 0) {
  const child = fork(script, ['--listen', String(delay)])
  try {
    const port = await new Promise((resolve) => child.once('message', resolve))
    return await use(`http://127.0.0.1:${port}/v1`)
  } finally {
    child.disconnect()
  }
}
