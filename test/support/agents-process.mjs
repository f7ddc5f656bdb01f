// A session in a process of its own, as the package is built, that dies by its own hand right after its n-th commit to
// the trace. Its one tool leaves a mark in a file each time it runs. Arguments: home, mark file, n, and the trace to go
// on with, if any.

import { appendFileSync } from 'node:fs'
import { agents, inHome } from '../../dist/doors/library/agents.js'

const [directory, marks, nth, trace] = process.argv.slice(2)

const MARK = {
  name: 'marks.make',
  description: 'Makes one mark.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  effects: ['read'],
  source: 'marks',
}
const hands = {
  tools: async () => [MARK],
  async call() {
    appendFileSync(marks, 'made\n')
    const content = [{ name: 'stdout', mediaType: 'text/plain', bytes: Buffer.from('one mark made\n') }]
    return { ok: true, truncated: false, content, durationMs: 1, secretsRemoved: 0 }
  },
  close: async () => undefined,
}

const house = await inHome(directory)
const { vault } = house.office
let registry = null
let commits = 0
const append = vault.append.bind(vault)
vault.append = async (into, ...rest) => {
  await append(into, ...rest)
  registry ??= (await vault.traces()).find(({ protocol }) => protocol === 'registry/1')?.trace
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
const { status, proven, waiting } = await agents({
  task,
  hands,
  house,
  policy: 'lenient',
  ...(trace && { trace }),
}).result
console.log(JSON.stringify({ status, proven: proven.length, waiting: waiting.length }))
await house.close()
