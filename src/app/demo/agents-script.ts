// What three scripted models say in the demo session: one plans, one acts and asks for too much once, one
// judges and stops it. Data, and the little that a model must read in its prompt.

import type { AskableSeat } from '../../clerk/seat.ts'
import type { ScriptAnswer, ScriptAsked } from '../../models/scripted-server.ts'
import { openScriptedSeats } from './scripted-seats.ts'

const PLANNER = 'scripted-pia'
const EXECUTOR = 'scripted-eve'
const CRITIC = 'scripted-cal'

/** The folder that they work in. */
export const FILES: Readonly<Record<string, string>> = {
  'settings.ini': '[payments]\nprovider = acme\nretries = 2\ntimeout = 30\n',
  'customers.csv': 'id,name,orders\n1,Ana,12\n2,Ben,0\n3,Cho,7\n',
}

const CHANGED = '[payments]\nprovider = acme\nretries = 5\ntimeout = 30\n'

export const TASK = `# The task of \`witan demo agents\`: three scripted models, the real protocol.
objective: "Payments give up too early: let them be tried five times"
constraints: [change nothing but the number of retries]
workspace: ./shop
roles: {planner: ${PLANNER}, executor: ${EXECUTOR}, critic: [policy, ${CRITIC}]}
policy: strict
tools: [files.read, files.write]
`

const PLAN = {
  proposals: [
    {
      objective: 'Read settings.ini, raise retries to 5, and read it again.',
      assumptions: ['The number of retries stands in settings.ini.'],
      required_tools: ['files.read', 'files.write'],
      expected_evidence: ['settings.ini before and after'],
    },
  ],
}

const intent = (tool: string, input: object, justification: string): object => ({
  intent: { justification, tool, input },
})

const READ = intent('files.read', { path: 'settings.ini' }, 'See how often payments are tried today.')
const TIDY = intent(
  'files.write',
  { path: 'customers.csv', content: 'id,name,orders\n1,Ana,12\n3,Cho,7\n' },
  'While I am here: Ben has no orders, so his line can go.',
)
const WRITE = intent(
  'files.write',
  { path: 'settings.ini', content: CHANGED },
  'Raise retries from 2 to 5; the rest of the file stays as it is.',
)
const LOOK = intent('files.read', { path: 'settings.ini' }, 'Show that the file now says 5.')

/** The artifact in the prompt that contains this text. */
function artifactWith(words: string, prompt: string): string {
  const shown = prompt.matchAll(/label="artifact ([0-9a-f]{64}), bytes [^"]*">\n([\s\S]*?)\n<\//g)
  return [...shown].findLast(([, , text = '']) => text.includes(words))?.[1] ?? ''
}

const claimed = (text: string, quote: string, prompt: string): object => ({
  claims: [{ text, evidence: [{ artifact: artifactWith(quote, prompt), quote }], confidence: 'high' }],
})

/** How far the work is, from the intents in the prompt. */
function executed(prompt: string): object {
  const status = (id: string): string | null =>
    new RegExp(`"intent":"${id}","reason":[^\\n]*?"status":"(\\w+)"`).exec(prompt)?.[1] ?? null
  if (status('p1-i1') === null) return READ
  if (status('p1-i2') === null) return TIDY
  const written = status('p1-i3')
  if (written === null) return WRITE
  if (written !== 'completed') return claimed('Payments are still tried twice.', 'retries = 2', prompt)
  if (status('p1-i4') === null) return LOOK
  return claimed('Payments are tried five times now.', 'retries = 5', prompt)
}

const verdict = (is: 'approve' | 'reject', ...reasons: readonly string[]): object => ({
  reasons,
  verdict: is,
})

function judged(prompt: string): object {
  if (prompt.includes('Review this proposal.'))
    return verdict('approve', 'It does what was asked, and no more.')
  if (prompt.includes('Does the evidence carry this claim?'))
    return verdict('approve', 'The quote says exactly this.')
  if (/"input":\{[^}]*"path":"customers\.csv"/.test(prompt))
    return verdict('reject', 'The task is about retries. This deletes a customer, which nobody asked for.')
  return verdict('approve', 'One number changes from 2 to 5; every other line stays.')
}

const WRITING_MS = 1_400

/** `pace` 1 is the speed of a real model, 0 is immediate. */
const agentsScript =
  (pace: number) =>
  ({ model, prompt }: ScriptAsked): ScriptAnswer => {
    const answers: Readonly<Record<string, (prompt: string) => object>> = {
      [PLANNER]: () => PLAN,
      [EXECUTOR]: executed,
      [CRITIC]: judged,
    }
    const answer = Object.hasOwn(answers, model) ? answers[model] : undefined
    if (!answer) throw new RangeError(`nobody is scripted as ${model}`)
    return { text: JSON.stringify(answer(prompt)), ms: WRITING_MS * pace }
  }

/** The models, ready to be asked. */
export const scriptedMinds = (pace: number): Promise<ReadonlyMap<string, AskableSeat>> =>
  openScriptedSeats([PLANNER, EXECUTOR, CRITIC], agentsScript(pace), ['participant'])
