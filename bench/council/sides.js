// The same council three ways. All send the same question and the same context of about twenty thousand characters in
// each round, ask for the same shapes, and check the answers against them.
import { setMaxListeners } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ASKED_OPINION, ASKED_REPORT, ASKED_REVIEW } from '../../dist/council/replies/schemas.js'
import { council, inHome } from '../../dist/doors/library/council.js'
import { apiModel, createSeat } from '../../dist/models/index.js'

const QUESTION = 'Shall we adopt the proposal?'
const CONTEXT = 'It is a long proposal. '.repeat(870)
const SYSTEM = 'You sit on a council. Be brief.'
const SHAPES = { opinion: ASKED_OPINION.ask, review: ASKED_REVIEW.ask, report: ASKED_REPORT.ask }

/** A council of three, signed, with its minutes in this storage. */
export function councilOf(baseUrl) {
  const seats = ['a', 'b', 'c'].map((name) => ({
    seat: createSeat({
      provider: name,
      model: 'fake-1',
      roles: ['participant'],
      minds: [
        apiModel({ kind: 'openai-compatible', name, model: 'fake-1', baseUrl, apiKey: async () => null }),
      ],
    }),
  }))
  const files = [{ path: 'proposal.md', text: CONTEXT }]
  return async (storage) => {
    const { status } = await council({ question: QUESTION, files, seats, chairs: ['a'], storage }).result
    if (status !== 'reported') throw new Error(status)
  }
}

/** Signed minutes in a SQLite home, as the command keeps them. */
export async function ours(baseUrl) {
  const home = await mkdtemp(join(tmpdir(), 'witan-bench-'))
  const storage = await inHome(home)
  const hold = councilOf(baseUrl)
  return {
    council: () => hold(storage),
    close: async () => {
      await storage.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** What the later rounds read of the earlier ones. */
const withAnswers = (title, answers) =>
  `${QUESTION}\n\n${CONTEXT}\n\n${title}\n${answers.map((one) => JSON.stringify(one, null, 1)).join('\n')}`

async function rounds(ask) {
  const three = (prompt, kind) => Promise.all([0, 1, 2].map((i) => ask(prompt(i), kind)))
  const opinions = await three(() => `${QUESTION}\n\n${CONTEXT}`, 'opinion')
  const others = (i) => opinions.filter((_, j) => j !== i)
  const reviews = await three((i) => withAnswers('Opinions', others(i)), 'review')
  return ask(withAnswers('Opinions and reviews', [...opinions, ...reviews]), 'report')
}

/** Streamed, a reply can be cut short; in one body it is less work to read. */
export async function bare(baseURL, streamed) {
  const { generateText, jsonSchema, Output, streamText } = await import('ai')
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const { z } = await import('zod')
  const model = createOpenAICompatible({
    name: 'local',
    baseURL,
    includeUsage: true,
    supportsStructuredOutputs: true,
  })('fake-1')
  const outputs = Object.fromEntries(
    Object.entries(SHAPES).map(([kind, shape]) => {
      const validator = z.fromJSONSchema(shape)
      const validate = (value) => {
        const { success, error } = validator.safeParse(value)
        return success ? { success, value } : { success, error }
      }
      return [kind, Output.object({ schema: jsonSchema(shape, { validate }) })]
    }),
  )
  const ask = async (prompt, kind) => {
    const abortSignal = AbortSignal.timeout(600_000)
    const say = streamed ? streamText : generateText
    const { output } = await say({
      model,
      system: SYSTEM,
      prompt,
      output: outputs[kind],
      maxRetries: 0,
      abortSignal,
    })
    return output
  }
  return { council: () => rounds(ask) }
}

/**
 * Opinions and reviews as parallel nodes of a graph, the report as the last. Streamed, a reply can be cut short. With a
 * checkpointer each council is a thread of its own.
 */
export async function graph(baseURL, streamed, checkpointer) {
  const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph')
  const { ChatOpenAI } = await import('@langchain/openai')
  const chat = new ChatOpenAI({
    model: 'fake-1',
    apiKey: 'none',
    configuration: { baseURL },
    maxRetries: 0,
  })
  const models = Object.fromEntries(
    Object.entries(SHAPES).map(([kind, shape]) => [
      kind,
      chat.withStructuredOutput(shape, { name: kind, method: 'jsonSchema', strict: true }),
    ]),
  )
  const ask = async (prompt, kind, { signal }) => {
    // All askings of a council listen to its one signal.
    if (signal) setMaxListeners(0, signal)
    const messages = [
      ['system', SYSTEM],
      ['user', prompt],
    ]
    if (!streamed) return models[kind].invoke(messages)
    let last
    for await (const object of await models[kind].stream(messages)) last = object
    return last
  }
  const append = Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] })
  const State = Annotation.Root({ opinions: append, reviews: append, report: Annotation() })
  const built = new StateGraph(State)
  const seats = [0, 1, 2]
  for (const i of seats) {
    built.addNode(`opinion-${i}`, async (_, config) => ({
      opinions: [await ask(`${QUESTION}\n\n${CONTEXT}`, 'opinion', config)],
    }))
    built.addNode(`review-${i}`, async ({ opinions }, config) => {
      const others = opinions.filter((_, j) => j !== i)
      return { reviews: [await ask(withAnswers('Opinions', others), 'review', config)] }
    })
  }
  built.addNode('chair', async ({ opinions, reviews }, config) => ({
    report: await ask(withAnswers('Opinions and reviews', [...opinions, ...reviews]), 'report', config),
  }))
  built.addNode('heard', () => ({}))
  for (const i of seats) built.addEdge(START, `opinion-${i}`)
  built.addEdge(
    seats.map((i) => `opinion-${i}`),
    'heard',
  )
  for (const i of seats) built.addEdge('heard', `review-${i}`)
  built.addEdge(
    seats.map((i) => `review-${i}`),
    'chair',
  )
  built.addEdge('chair', END)
  const app = built.compile(checkpointer ? { checkpointer } : {})
  let threads = 0
  return {
    council: async () => {
      const { report } = await app.invoke({}, { configurable: { thread_id: `council-${threads++}` } })
      if (report?.decision === undefined) throw new Error('no report')
    },
  }
}
