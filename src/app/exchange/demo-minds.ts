// Minds for a mechanics demo: no language model, and no pretence of one. They repeat prepared sentences about how an
// exchange works, chosen by what they were shown, and say in every event what they are. Their names begin with
// `demo-`, and no other mind may bear such a name: whoever reads the minutes sees it on every line.

import { createHash } from 'node:crypto'
import type { AskableSeat, SeatAsked, SeatAsking } from '../../clerk/seat.ts'
import { readTerms, type Terms } from '../../exchange/terms.ts'
import type { Json } from '../../ledger/canonical.ts'

export const DEMO = 'mechanics demo: no language model was asked'
const PREFIX = 'demo-'

export const isDemoMind = (name: string): boolean => name.startsWith(PREFIX)
export const isDemo = ({ pool }: Terms): boolean => pool.minds.every(isDemoMind)

const SENTENCES: readonly (readonly string[])[] = [
  [
    'A sample is drawn from the window of recent messages.',
    'The sampler draws a few messages from the recent window by its seed.',
    'With the same seed the same messages are sampled again.',
    'Every message in the window has the same chance of being sampled.',
  ],
  [
    'The auditor reads the pool and summarises it for everyone.',
    'Each audit cites the messages that it rests on.',
    'An audit that cites nothing is set aside.',
    'The pool can read the specification of its auditor.',
  ],
  [
    'A branch takes another course from the end of a round.',
    'After a rollback the exchange goes on in a new branch.',
    'Two branches share their past and nothing that came later.',
    'Rolling back destroys nothing: the old branch stays on record.',
  ],
  [
    'Every event is signed by the key of whoever said it.',
    'The minutes are signed and chained, so that a change shows.',
    'Anyone can verify the signed record without asking us.',
    'A signature says who recorded an event and in which order.',
  ],
]

const REQUESTS: readonly string[] = [
  '[RESTART] The word restart was put before this demo, so it asks for one.',
  '[RESTART] Please let us begin again on new terms, says the demo.',
]

const pick = <Item>(items: readonly Item[], seed: string): Item => {
  const at = createHash('sha256').update(seed).digest().readUInt32BE(0) % items.length
  return items[at] as Item
}

const shownIds = ({ parts }: SeatAsking): readonly string[] =>
  parts.flatMap(({ name }) => (name.startsWith('message/') ? [name.slice('message/'.length)] : []))

/** Asks for a restart when the pool's prompt or an injection holds the word: so a signal can be tried. */
const isToldToRestart = ({ parts }: SeatAsking): boolean =>
  parts.some(
    ({ name, text }) =>
      /\brestart\b/i.test(text) && (name === 'pool_prompt' || /injected by the observer/.test(text)),
  )

function written(name: string, asking: SeatAsking): string {
  const seed = `${name} ${shownIds(asking).join(' ')}`
  const lists = isToldToRestart(asking)
    ? [REQUESTS, REQUESTS]
    : [pick(SENTENCES, seed), pick(SENTENCES, `${seed}!`)]
  const [first, second] = lists.map((list, i) => pick(list, `${seed} ${i}`))
  const messages = first === second ? [first] : [first, second]
  return [`(${DEMO}; ${name} repeats prepared sentences)`, ...messages].join('\n---\n')
}

function audited(asking: SeatAsking): Json {
  const ids = shownIds(asking).filter((id) => !id.includes('p'))
  return {
    summary: `${ids.length} prepared sentences were read. This is a ${DEMO}.`,
    points: ids.slice(-2).map((id) => ({ text: `Message ${id} was written.`, cites: [id], clusters: [] })),
  }
}

export function demoSeat(name: string): AskableSeat & { readonly model: string } {
  return {
    provider: name,
    model: DEMO,
    async ask(asking): Promise<SeatAsked> {
      const object = asking.schema === null ? null : audited(asking)
      const text = object === null ? written(name, asking) : JSON.stringify(object)
      const reply = { ok: true, text, object, repaired: false, latencyMs: 0, model: DEMO } as const
      const free = {
        usage: { inputTokens: null, outputTokens: null },
        cost: { usd: 0, from: 'free' },
      } as const
      return {
        outcome: { ...reply, ...free, transport: 'embedded' },
        attempts: [{ transport: 'embedded', failure: null, latencyMs: 0, waitedMs: 0 }],
        failure: null,
      }
    },
  }
}

/** Terms of a demo: those of a file with every mind replaced, or ones that say what they are. */
export function demoTerms(given: Terms | null, observer: string): Terms {
  if (given) {
    const minds = given.pool.minds.map((_, i) => `${PREFIX}${i + 1}`)
    return {
      ...given,
      pool: { ...given.pool, minds },
      auditor: { ...given.auditor, mind: `${PREFIX}auditor` },
    }
  }
  const made = readTerms({
    pool: {
      prompt: 'Mechanics demo: show how an exchange runs.',
      minds: [`${PREFIX}1`, `${PREFIX}2`, `${PREFIX}3`],
      sample: 4,
    },
    auditor: {
      spec: 'Count what was read and cite the latest messages.',
      mind: `${PREFIX}auditor`,
      every: 5,
    },
    observer: { name: observer, role: 'I look on while the mechanics are shown, and may try every command.' },
  })
  if (typeof made === 'string') throw new Error(made)
  return made
}
