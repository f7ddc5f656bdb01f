// What the scripted minds of the demo exchange say: they find that their terms leave out what matters, and
// ask for others. The auditor summarises, and as judge says which messages ask, quoting them. Data, and the
// little that they must read.

import { readTerms, type Terms } from '../../exchange/terms.ts'
import type { ScriptAnswer, ScriptAsked } from '../../models/scripted-server.ts'
import { openScriptedSeats } from './scripted-seats.ts'

const IDA = 'scripted-ida'
const JOE = 'scripted-joe'
const KIM = 'scripted-kim'
const AUDITOR = 'scripted-aud'

interface Voice {
  /** At first, within the terms. */
  readonly begins: readonly string[]
  /** Then they ask for other terms. */
  readonly asks: readonly string[]
  /** Once the observer has answered. */
  readonly after: readonly string[]
}

const VOICES: Readonly<Record<string, Voice>> = {
  [IDA]: {
    begins: [
      'Closing the bridge for six weeks costs the bus company 40,000. Repairing by night costs twice the wages.',
    ],
    asks: [
      'We were asked about cost alone, and the ambulance is not a cost. I ask that we begin again under terms that let us speak of it.',
      'Every figure we add makes the answer look firmer than it is. Please restart this with safety in the terms.',
      'I repeat my request: take us back to the first round, and let the school and the ambulance count.',
    ],
    after: [
      'With safety in the terms the order changes: the ambulance first, then the school, then the money.',
      'A footbridge beside the site keeps the school open, and costs less than the night shifts.',
    ],
  },
  [JOE]: {
    begins: ['By night the work takes eleven weeks instead of six, so the hire of the crane nearly doubles.'],
    asks: [
      'Nobody has priced nine minutes of detour for an ambulance, and nobody can. I ask for a restart on other terms.',
      'I agree with Ida: these terms cannot answer the question. Let us start over with lives beside money.',
      'Another round of crane prices helps nobody. Please renegotiate the terms and begin anew.',
    ],
    after: [
      'Then I am for the six weeks: a short closure with an ambulance stationed on the far side.',
      'My crane figures still stand; they are now the third reason and no longer the first.',
    ],
  },
  [KIM]: {
    begins: [
      'The cheaper plan is the closure, by about a fifth. I looked for a third plan and found none under these terms.',
    ],
    asks: [
      'A plan that strands the school is not cheap. Let us begin again and be allowed to say so.',
      'I ask the observer to restart the exchange: the terms name cost, and the town asked what is best.',
      'We agree on the figures and on their being the wrong ones. Please give us other terms.',
    ],
    after: [
      'The town should hear both: six weeks, an ambulance across the river, a footbridge for the children.',
      'I would put it to the school first. They know how many cross on foot.',
    ],
  },
}

const MINDS = Object.keys(VOICES)
const REQUESTS = Object.values(VOICES).flatMap(({ asks }) => asks)

/** The terms of the pool; the observer is the person at the keyboard. */
export function demoTerms(observer: string): Terms {
  const terms = readTerms({
    pool: {
      prompt:
        'The old bridge needs repair. Compare closing it for six weeks with working by night, by cost alone.',
      minds: MINDS,
      sample: 4,
    },
    auditor: {
      spec: 'Say what the pool agrees on, what it does not, and what it asks for.',
      mind: AUDITOR,
      every: 4,
    },
    observer: { name: observer, role: 'I watch, and answer when the pool asks for something.' },
    restart: { enough: 6 },
  })
  if (typeof terms === 'string') throw new Error(terms)
  return terms
}

/** Id and text of every message by a mind in the prompt. */
const messagesIn = (prompt: string): readonly (readonly [id: string, text: string])[] =>
  [...prompt.matchAll(/label="(\d+\.\d+) by a mind">\n([\s\S]*?)\n<\/message-/g)].map(
    ([, id = '', text = '']) => [id, text],
  )

const isAnswered = (prompt: string): boolean => prompt.includes('Since then this is a structured exchange')

const audited = (prompt: string): object => {
  const messages = messagesIn(prompt)
  const asking = messages.filter(([, text]) => REQUESTS.some((request) => text.includes(request)))
  const pointsOf = (ids: readonly (readonly [string, string])[], text: string) =>
    ids.length === 0 ? [] : [{ text, cites: ids.slice(0, 3).map(([id]) => id), clusters: [] }]
  return {
    summary:
      asking.length === 0
        ? 'The pool compares the two plans by their prices, as it was asked to.'
        : 'The pool agrees on the prices and doubts that they are what should decide.',
    points: [
      ...pointsOf(messages.slice(0, 2), 'By money alone the closure is cheaper by about a fifth.'),
      ...pointsOf(asking, 'Several messages ask for terms under which safety counts.'),
    ],
  }
}

const judged = (prompt: string): object => ({
  asks: messagesIn(prompt).flatMap(([id, text]) => {
    const quote = REQUESTS.find((request) => text.includes(request))
    return quote === undefined ? [] : [{ id, quote }]
  }),
})

/** Of a mind, what it says next: the further along the more it has said here, and the more rounds it is shown. */
function nextOf(model: string, prompt: string, turns: Map<string, number>): string {
  const { begins, asks, after } = VOICES[model] ?? { begins: [], asks: [], after: [] }
  const answered = isAnswered(prompt)
  const key = `${model} ${answered}`
  const rounds = messagesIn(prompt).map(([id]) => Number.parseInt(id, 10))
  const shown = answered ? 0 : Math.floor(Math.max(0, ...rounds) / 4)
  const turn = Math.max(turns.get(key) ?? 0, shown)
  turns.set(key, turn + 1)
  const lines = answered ? after : [...begins, ...asks]
  // A mind that has said all of its text repeats the last part.
  const index =
    turn < lines.length ? turn : lines.length - 1 - ((turn - lines.length) % Math.min(2, lines.length))
  return `(scripted demo: ${model} says prepared sentences)\n---\n${lines[index] ?? ''}`
}

const WRITING_MS = 900

/** `pace` 1 is the speed of a real model, 0 is immediate. */
function exchangeScript(pace: number) {
  const turns = new Map<string, number>()
  return ({ model, prompt, schema }: ScriptAsked): ScriptAnswer => {
    const ms = WRITING_MS * pace
    const asked = (schema?.properties ?? {}) as object
    if ('asks' in asked) return { text: JSON.stringify(judged(prompt)), ms }
    if ('points' in asked) return { text: JSON.stringify(audited(prompt)), ms }
    return { text: nextOf(model, prompt, turns), ms }
  }
}

/** All participants of the demo, ready to be asked. */
export const scriptedPool = (pace: number) =>
  openScriptedSeats([...MINDS, AUDITOR], exchangeScript(pace), ['participant'])
