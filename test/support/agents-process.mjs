// Sessions in a process of their own, as the package is built, one after another. Their one tool leaves a mark in a file
// each time it runs. Arguments: home, n, then a mark file and a trace to continue, for each session; a trace of `new`
// begins one. The process dies by its own hand right after the n-th commit of a session; 0 is never.

import { appendFileSync } from 'node:fs'
import { agents, inHome } from '../../dist/doors/library/agents.js'

const [directory, nth, ...given] = process.argv.slice(2)

const MARK = {
  name: 'marks.make',
  description: 'Makes one mark.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  effects: ['read'],
  source: 'marks',
}
const handsOn = (marks) => ({
  tools: async () => [MARK],
  async call() {
    appendFileSync(marks, 'made\n')
    const content = [{ name: 'stdout', mediaType: 'text/plain', bytes: Buffer.from('one mark made\n') }]
    return { ok: true, truncated: false, content, durationMs: 1, secretsRemoved: 0 }
  },
  close: async () => undefined,
})

const storage = await inHome(directory)
const { store } = storage.ports
let registry = null
let commits = 0
const append = store.append.bind(store)
store.append = async (into, ...rest) => {
  await append(into, ...rest)
  registry ??= (await store.traces()).find(({ protocol }) => protocol === 'registry/1')?.trace
  if (into === registry) return
  if (commits === 0) console.log(`trace ${into}`)
  if (++commits === Number(nth)) process.kill(process.pid, 'SIGKILL')
}

const task = {
  objective: 'Make one mark',
  proposals: [
    {
      objective: 'Make it',
      steps: [{ id: 'make', tool: MARK.name, input: {}, justification: 'it is wanted' }],
      claims: [
        { text: 'A mark was made', confidence: 'high', evidence: [{ step: 'make', quote: 'one mark made' }] },
      ],
    },
  ],
}
for (let at = 0; at < given.length; at += 2) {
  const [marks, trace] = given.slice(at, at + 2)
  commits = 0
  const { status, proven, waiting } = await agents({
    task,
    toolsets: handsOn(marks),
    storage,
    policy: 'lenient',
    ...(trace !== 'new' && { trace }),
  }).result
  console.log(JSON.stringify({ status, proven: proven.length, waiting: waiting.length }))
}
await storage.close()
