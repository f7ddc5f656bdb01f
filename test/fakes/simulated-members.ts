// Members of known skill behind the wire of an OpenAI-compatible server. What each would answer to an item is drawn
// beforehand; the item is read off the prompt, as a model would. A chair follows its nature.

import type { Act } from '../contracts/scenarios.ts'
import {
  type CouncilServer,
  opinion,
  playCouncil,
  report,
  review,
  type Script,
  target,
  USAGE,
} from './council.ts'
import { type Seen, wordsIn } from './scripted-server.ts'

/** What a member says to item n: right is the number itself. */
type Knows = (item: number) => number

/** What a chair makes of the numbers that it reads in the opinions; `own` is its own answer. */
export type Chairs = (item: number, own: number) => number

export interface Member {
  readonly knows: Knows
  /** Where it stands after it read the others; by default where it stood. */
  readonly after?: Knows
  /** Another answer for each asking alone. */
  readonly alone?: (item: number, nth: number) => number
  readonly confidence?: (item: number) => 'high' | 'medium' | 'low'
  /** How much it says is at stake; by default nothing. */
  readonly stakes?: (item: number) => 'high' | 'medium' | 'low'
  /** Whether it holds to its stance after it read the others; by default it takes another one. */
  readonly stays?: (item: number) => boolean
}

export interface Simulated {
  readonly members: Readonly<Record<string, Member>>
  readonly chair: Chairs
  readonly bill?: number
}

/** The set that they are asked: the right answer to item n is n. */
export const simulatedSet = (n: number, clusters = 0): string =>
  Array.from({ length: n }, (_, i) =>
    JSON.stringify({
      id: `i${i + 1}`,
      input: `Which number has item ${i + 1}?`,
      target: String(i + 1),
      ...(clusters > 0 && { cluster: `c${i % clusters}` }),
    }),
  ).join('\n')

const itemIn = (request: Seen): number =>
  Number(/Which number has item (\d+)\?/.exec(wordsIn(request.body))?.[1] ?? 0)

const isPlain = (request: Seen): boolean =>
  (request.body as { response_format?: unknown }).response_format === undefined

const saying = (text: string): Act => ({ act: 'answer', text, usage: USAGE })

function scriptOf(member: Member, chair: Chairs): Script {
  const { knows, after = knows, alone, confidence, stakes, stays } = member
  const asked = new Map<number, number>()
  return {
    R1: [
      (request: Seen) => {
        const item = itemIn(request)
        if (isPlain(request)) {
          const nth = (asked.get(item) ?? 0) + 1
          asked.set(item, nth)
          return saying(`I thought about it.\nANSWER: ${alone ? alone(item, nth) : knows(item)}`)
        }
        const given = opinion()
        const details = { ...(given.details as object), recommendation: `ANSWER: ${knows(item)}` }
        const said = { stance: 'answer', details, confidence: confidence?.(item) ?? 'medium' }
        return { ...given, ...said, ...(stakes && { stakes: stakes(item) }) }
      },
    ],
    R2: [
      (request: Seen) => {
        const targets = ['A', 'B'].map((label) => target(label))
        const item = itemIn(request)
        const said = { targets, recommendation_after: `ANSWER: ${after(item)}` }
        return review({ ...said, ...(stays?.(item) && { stance_after: 'answer' }) })
      },
    ],
    R3: [
      (request: Seen) => {
        const item = itemIn(request)
        const conclusion = `ANSWER: ${chair(item, knows(item))}`
        return { ...report(), decision: 'answer', conclusion }
      },
    ],
  }
}

export const scriptsOf = ({ members, chair }: Simulated): Readonly<Record<string, Script>> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, scriptOf(member, chair)]))

export const simulate = (simulated: Simulated): Promise<CouncilServer> =>
  playCouncil(scriptsOf(simulated), { bill: simulated.bill ?? null })
