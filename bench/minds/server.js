// A model that answers at once, in a process of its own, so that what is measured is the side that asks.
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

const OPINION = {
  verdict: 'adopt',
  confidence: 0.75,
  reasons: Array.from({ length: 12 }, (_, i) => `Reason ${i}: the change is small, reversible and tested.`),
}
const PIECES = 48
const USAGE = { prompt_tokens: 5_000, completion_tokens: 250, total_tokens: 5_250 }

const common = { id: 'chatcmpl-1', created: 1_780_000_000, model: 'fake-1' }
const text = JSON.stringify(OPINION)
const size = Math.ceil(text.length / PIECES)
const pieces = Array.from({ length: PIECES }, (_, i) => text.slice(i * size, (i + 1) * size))
const chunk = (choice, more = {}) =>
  `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices: choice ? [choice] : [], ...more })}\n\n`
const stream = [
  ...pieces.map((content) => chunk({ index: 0, delta: { role: 'assistant', content }, finish_reason: null })),
  chunk({ index: 0, delta: {}, finish_reason: 'stop' }),
  chunk(null, { usage: USAGE }),
  'data: [DONE]\n\n',
].join('')
const whole = JSON.stringify({
  ...common,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: USAGE,
})

function listen() {
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (data) => chunks.push(data))
    request.on('end', () => {
      const streamed = Buffer.concat(chunks).includes('"stream":true')
      response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
      response.end(streamed ? stream : whole)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.on('disconnect', () => process.exit(0))
}

export async function withInstantServer(use) {
  const child = fork(fileURLToPath(import.meta.url), ['--listen'])
  try {
    const port = await new Promise((resolve) => child.once('message', resolve))
    return await use(`http://127.0.0.1:${port}/v1`)
  } finally {
    child.disconnect()
  }
}

if (process.argv[2] === '--listen') listen()
