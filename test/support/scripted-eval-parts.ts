// Items, openings and councils for scripted evaluations, each as small as it may be.

import type * as is from '../../src/eval/events.ts'
import { type GivenItem, type Item, readItem } from '../../src/eval/sets/item.ts'

/** What `item_held` keeps of a council in addition to its place. */
export type CouncilValues = Omit<is.Held, 'action' | 'item' | 'rep' | 'variant' | 'grader'>

export const MEMBERS = ['ada', 'ben', 'cyd']
const SEED = 'ab'.repeat(32)

export function item(given: GivenItem, nth = 1): Item {
  const read = readItem(given, nth, {})
  if (typeof read === 'string') throw new Error(read)
  return read
}

export const ITEM = item({ id: 'i1', input: 'Which number is it?', target: '1' })

/** Questions with the answers 1, 2, 3 and so on. */
export const numbered = (n: number, more: (i: number) => GivenItem = () => ({})): readonly Item[] =>
  Array.from({ length: n }, (_, i) =>
    item({ id: `i${i + 1}`, input: `Which number has item ${i + 1}?`, target: String(i + 1), ...more(i) }),
  )

export const seat = (name: string, roles: readonly ('participant' | 'chair')[] = ['participant']) => ({
  seat: name,
  provider: name,
  vendor: `${name} inc`,
  model: `${name}-1`,
  roles,
  prompt_chars: null,
})

export const opening = (items: number): Omit<is.EvalOpened, 'artifacts'> => ({
  edition: 1,
  set: { name: 'a set', format: 'jsonl', sha256: 'cd'.repeat(32), size: items, items },
  arms: ['council', 'vote'],
  primary: { arm: 'council', against: 'vote' },
  repeat: 1,
  stability: 0,
  seats: MEMBERS.map((name, i) => seat(name, i === 0 ? ['participant', 'chair'] : ['participant'])),
  chairs: ['ada'],
  policy: {},
  seed: SEED,
  concurrency: 1,
  budget_usd: null,
})

interface Said {
  /** What everyone says who says nothing else. */
  readonly all?: string
  readonly opinions?: Readonly<Record<string, string>>
  /** What they say after they read each other; without it there are no reviews. */
  readonly reviews?: Readonly<Record<string, string>>
  /** Null: the council came to no report. */
  readonly report?: string | null
  readonly confidence?: Readonly<Record<string, string>>
  readonly findings?: Readonly<Record<string, is.HeldOpinion['findings']>>
}

const COST_OF_CALL = { usd: 0.01, tokens: 100, ms: 1_000 }

/** A council of these members: what they said, and nothing remarkable besides. */
export function council(said: Said, more: Partial<CouncilValues> = {}): CouncilValues {
  const { all = '', opinions = Object.fromEntries(MEMBERS.map((name) => [name, all])), reviews = {} } = said
  const { report = all, confidence = {}, findings = {} } = said
  const voice = ([name, text]: readonly [string, string], i: number) => ({
    seat: name,
    event: `T/${i}`,
    text,
    confidence: confidence[name] ?? 'medium',
    ...COST_OF_CALL,
  })
  const calls = Object.keys(opinions).length + Object.keys(reviews).length + (report === null ? 0 : 1)
  return {
    council: { trace: '', size: 20, hash: 'ef'.repeat(32) },
    status: 'completed',
    opinions: Object.entries(opinions).map((one, i) => ({
      ...voice(one, i),
      findings: findings[one[0]] ?? [],
    })),
    reviews: Object.entries(reviews).map((one, i) => ({ ...voice(one, i + 10), targets: [] })),
    report:
      report === null
        ? null
        : {
            event: 'T/19',
            text: report,
            confidence: confidence.council ?? 'medium',
            synthesis: 'chair',
            findings: findings.council ?? [],
          },
    skips: [],
    spent: { usd: 0.01 * calls, unknown: 0, calls, tokens: 100 * calls },
    ms: 3_000,
    ...more,
  }
}
