// Minds for a mechanics demo, without a language model. They say prepared sentences about one question,
// chosen by what they were shown, and every event names what they are. Their names begin with `demo-`, and no
// other mind may have such a name.

import { createHash } from 'node:crypto'
import type { AskableSeat, SeatAsked, SeatAsking } from '../../clerk/seat.ts'
import { DEMO, DEMO_PREFIX } from '../../exchange/result.ts'
import { readTerms, type Terms } from '../../exchange/terms.ts'
import type { Json } from '../../ledger/canonical.ts'

/** Three voices, assigned in turn to the minds of the pool. */
const VOICES: readonly (readonly string[])[] = [
  [
    'A library that is closed on the only day most people are free serves its staff plan, not its town.',
    'The swimming pool opened on Sundays two years ago, and Sunday is its fullest day now.',
    'Pupils without a desk at home have nowhere to go at the weekend; that alone decides it for me.',
    'No one has to stay late: five hours, noon to five, would cover nearly all who asked.',
    'Let us not plan for the empty first month. People need time to learn that a door is open.',
    'If it must cost nothing, take the hours from Tuesday morning, when six people come.',
  ],
  [
    'Sunday pay is half as much again, and the budget has not grown for three years.',
    'Every hour we add somewhere is an hour that is not bought in books.',
    'The heating alone costs 90 a day in winter; who pays for it in January?',
    'The pool charges at the door. A library does not, so the comparison limps.',
    'I would open on six Sundays, count heads, and decide by the numbers.',
    'A trial is cheap only if we say beforehand what result would end it.',
  ],
  [
    'Has anyone asked the eight people who would have to work that day?',
    'Two of them care for children on Sundays; one said she would gladly swap for a Monday.',
    'Volunteers could shelve and welcome, but they cannot be left alone with the building.',
    'A self-service hour with a guard is open in name only: no one helps you find anything.',
    'What worries me is not the pay but the rota: three people cannot cover two weekends.',
    'If the staff choose the Sundays themselves, I think half of the objections are gone.',
  ],
]

const REQUESTS: readonly string[] = [
  '[RESTART] We argue about hours and never asked who would come. Let us begin again with that question.',
  '[RESTART] The terms let us speak of cost only. I ask for terms under which the readers count too.',
  '[RESTART] All three of us repeat ourselves by now. Please let us start over on other terms.',
]

const pick = <Item>(items: readonly Item[], seed: string): Item => {
  const at = createHash('sha256').update(seed).digest().readUInt32BE(0) % items.length
  return items[at] as Item
}

const shownIds = ({ parts }: SeatAsking): readonly string[] =>
  parts.flatMap(({ name }) => (name.startsWith('message/') ? [name.slice('message/'.length)] : []))

/** Asks for a restart when the pool's prompt or an injection contains the word: so that a signal can be tried. */
const isToldToRestart = ({ parts }: SeatAsking): boolean =>
  parts.some(
    ({ name, text }) =>
      /\brestart\b/i.test(text) && (name === 'pool_prompt' || /injected by the observer/.test(text)),
  )

/** One or two sentences of the mind's own voice, later ones the more rounds it has been shown. */
function sentencesOf(name: string, asking: SeatAsking): readonly string[] {
  const shown = shownIds(asking)
  const voice = VOICES[(Number(/\d+$/.exec(name)?.[0] ?? 1) + 2) % VOICES.length] ?? []
  const seen = Math.max(0, ...shown.map((id) => Number.parseInt(id, 10)))
  const first = voice[seen % voice.length] ?? ''
  const second = pick(voice, `${name} ${shown.join(' ')}`)
  return first === second || seen % 2 === 1 ? [first] : [first, second]
}

function written(name: string, asking: SeatAsking): string {
  const messages = isToldToRestart(asking)
    ? [pick(REQUESTS, `${name} ${shownIds(asking).join(' ')}`)]
    : sentencesOf(name, asking)
  return [`(${DEMO}; ${name} repeats prepared sentences)`, ...messages].join('\n---\n')
}

const PREPARED = [...VOICES.flat(), ...REQUESTS]

/** The latest two messages, in the words that were prepared for them. */
function audited(asking: SeatAsking): Json {
  const ids = shownIds(asking).filter((id) => !id.includes('p'))
  const sentenceOf = (id: string): string => {
    const text = asking.parts.find(({ name }) => name === `message/${id}`)?.text ?? ''
    return PREPARED.find((sentence) => text.includes(sentence)) ?? 'It was written.'
  }
  return {
    summary: `${ids.length} prepared messages were read. The latest of them stand below; this is a ${DEMO}.`,
    points: ids.slice(-2).map((id) => ({ text: sentenceOf(id), cites: [id], clusters: [] })),
  }
}

/** A request for a restart is marked by its tag here, and a judge is not shown tagged messages. */
const isJudged = ({ schema }: SeatAsking): boolean =>
  Object.hasOwn((schema?.properties as object | undefined) ?? {}, 'asks')

export function demoSeat(name: string): AskableSeat & { readonly model: string } {
  return {
    provider: name,
    model: DEMO,
    async ask(asking): Promise<SeatAsked> {
      const object = asking.schema === null ? null : isJudged(asking) ? { asks: [] } : audited(asking)
      const text = object === null ? written(name, asking) : JSON.stringify(object)
      const reply = { ok: true, text, latencyMs: 0, model: DEMO } as const
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

/** Terms of a demo: those of a file with every mind replaced, or terms of its own. */
export function demoTerms(fileTerms: Terms | null, observer: string): Terms {
  if (fileTerms) {
    const minds = fileTerms.pool.minds.map((_, i) => `${DEMO_PREFIX}${i + 1}`)
    return {
      ...fileTerms,
      pool: { ...fileTerms.pool, minds },
      auditor: { ...fileTerms.auditor, mind: `${DEMO_PREFIX}auditor` },
      restart: { ...fileTerms.restart, judge: fileTerms.restart.judge === 'none' ? 'none' : 'auditor' },
    }
  }
  const made = readTerms({
    pool: {
      prompt:
        'Should the public library open on Sundays? (Mechanics demo: the minds say prepared sentences.)',
      minds: [`${DEMO_PREFIX}1`, `${DEMO_PREFIX}2`, `${DEMO_PREFIX}3`],
      sample: 4,
    },
    auditor: {
      spec: 'Count what was read and name the latest messages.',
      mind: `${DEMO_PREFIX}auditor`,
      every: 5,
    },
    observer: { name: observer, role: 'I watch how an exchange runs, and may try every command.' },
  })
  if (typeof made === 'string') throw new Error(made)
  return made
}
