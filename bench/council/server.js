// Three models that answer at once, in a process of their own: opinions, reviews and a report, each as the shape that
// is asked for wants it. What is measured is the side that asks.
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

const sentence =
  'The change is small, reversible and tested, and the cost of waiting is higher than that of acting.'
const OPINION = {
  stance: 'adopt',
  summary: sentence,
  details: {
    understanding: sentence,
    key_considerations: Array.from({ length: 6 }, (_, i) => `${i + 1}. ${sentence}`),
    recommendation: 'Do it behind a flag, measure for a week, then decide about the rest.',
    rationale: sentence,
  },
  risks: [{ description: sentence, severity: 'medium', mitigation: 'Measure it.' }],
  assumptions: [sentence],
  questions: [],
  confidence: 'medium',
}
const target = (label) => ({
  target: label,
  errors: 'none found',
  omissions: sentence,
  risks: 'none found',
  counter_arguments: sentence,
  assumptions: 'none found',
  critiques: [
    { kind: 'omission', severity: 'low', description: sentence, location: 'rationale', correction: sentence },
  ],
  agreement_points: [sentence],
  disagreement_points: [],
})
const REVIEW = {
  targets: [target('A'), target('B')],
  stance_after: 'adopt',
  recommendation_after: 'Do it behind a flag.',
  why: sentence,
  confidence: 'medium',
}
const REPORT = {
  decision: 'adopt',
  conclusion: 'Do it behind a flag.',
  need_info_reason: '',
  summary: sentence,
  confidence: 'medium',
  rationale: [{ point: sentence, supported_by: ['op-1', 'op-2', 'rv-3'] }],
  risks: [],
  next_actions: [{ action: 'Measure it.', priority: 'now', success_criteria: 'p99 below 50 ms' }],
  disagreements: [],
  uncertainties: [],
  consensus_points: [sentence],
  answered_critiques: [],
}
const PIECES = 48
const USAGE = { prompt_tokens: 5_000, completion_tokens: 250, total_tokens: 5_250 }
const common = { id: 'chatcmpl-1', created: 1_780_000_000, model: 'fake-1' }

const chunk = (choice, more = {}) =>
  `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices: choice ? [choice] : [], ...more })}\n\n`

function replies(answer) {
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

const ANSWERS = { opinion: replies(OPINION), review: replies(REVIEW), report: replies(REPORT) }

function listen() {
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (data) => chunks.push(data))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const streamed = body.includes('"stream":true')
      const asked = body.includes('"stance_after"')
        ? 'review'
        : body.includes('"conclusion"')
          ? 'report'
          : 'opinion'
      response.writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
      response.end(streamed ? ANSWERS[asked].stream : ANSWERS[asked].whole)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send(server.address().port))
  process.on('disconnect', () => process.exit(0))
}

export async function withCouncilServer(use) {
  const child = fork(fileURLToPath(import.meta.url), ['--listen'])
  try {
    const port = await new Promise((resolve) => child.once('message', resolve))
    return await use(`http://127.0.0.1:${port}/v1`)
  } finally {
    child.disconnect()
  }
}

if (process.argv[2] === '--listen') listen()
