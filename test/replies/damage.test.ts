// Random damage to correct answers. However a text is damaged, reading it never throws, gives the same twice, and makes
// nothing up: a stance, a verdict, a target or a tool input that is read was written.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize, type Json, parseJson } from '../../src/ledger/canonical.ts'
import { misfit } from '../../src/ledger/schema-fault.ts'
import type { Reading } from '../../src/reply/reading.ts'
import { type CarelessReply, readCorpus, type Shape } from './corpus.ts'
import { readCareless, wantedFor } from './reading.ts'

const RUNS = 400
const correct = readCorpus().filter(({ habits, raw }) => habits.includes('correct') && raw.length < 5_000)
const ofShapes = (...shapes: readonly Shape[]) => correct.filter(({ shape }) => shapes.includes(shape))

const SCRAPS = [
  ...'{}[]",:\'\\`\n\r\t“”-</#*0aZ '.split(''),
  ...[
    '```',
    '```json\n',
    '<think>',
    '</think>',
    '---',
    '//',
    '/*',
    '*/',
    '\ud83d',
    '\ufeff',
    'null',
    'None',
    '""',
  ],
  ...['[THINK]', '<|im_end|>', '{"', '"}', '}, {', '":', '","', '\\u', '\\"', 'Sure! ', '{}', '[]'],
]

type Damage = (text: string) => string

const at = (text: string, share: number): number => Math.floor(share * (text.length + 1))
const share = fc.double({ min: 0, max: 1, noNaN: true })

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(share, fc.constantFrom(...SCRAPS)).map(
    ([place, scrap]): Damage =>
      (text) =>
        text.slice(0, at(text, place)) + scrap + text.slice(at(text, place)),
  ),
  fc.tuple(share, fc.integer({ min: 1, max: 12 })).map(
    ([place, length]): Damage =>
      (text) =>
        text.slice(0, at(text, place)) + text.slice(at(text, place) + length),
  ),
  share.map(
    (place): Damage =>
      (text) =>
        text.slice(0, at(text, place)),
  ),
  fc.tuple(share, share).map(
    ([one, other]): Damage =>
      (text) => {
        const [start, end] = [at(text, Math.min(one, other)), at(text, Math.max(one, other))]
        return text.slice(0, start) + text.slice(end)
      },
  ),
  fc.constantFrom<Damage>(
    (text) => `\`\`\`json\n${text}\n\`\`\``,
    (text) => `Here it is:\n${text}\nDone.`,
    (text) => `<think>hm</think>${text}`,
    (text) => JSON.stringify(text),
    (text) => `{"response": ${text}}`,
    (text) => `[${text}]`,
    (text) => text.replaceAll('"', "'"),
    (text) => text.replaceAll('}', ',}'),
    (text) => `${text}\n${text}`,
    (text) => text.toUpperCase(),
  ),
)

const damaged = (replies: readonly CarelessReply[]) =>
  fc
    .tuple(fc.constantFrom(...replies), fc.array(damage, { minLength: 1, maxLength: 4 }))
    .map(([reply, damages]) => ({ reply, text: damages.reduce((text, change) => change(text), reply.raw) }))

const readTwice = (reply: CarelessReply, text: string): Reading => {
  const reading = readCareless(reply, text)
  expect(readCareless(reply, text)).toEqual(reading)
  return reading
}

const keptIn = (reading: Reading): { readonly [name: string]: Json } | null =>
  reading.outcome === 'kept' ? (reading.value as { readonly [name: string]: Json }) : null

const original = ({ expect: expected }: CarelessReply): { readonly [name: string]: Json } =>
  expected.outcome === 'kept' ? (expected.value as { readonly [name: string]: Json }) : {}

/** Every object that is in a text as strict JSON, also within a JSON string. */
function* strictObjects(text: string): Generator<Json> {
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1)) {
    for (let end = text.indexOf('}', start); end !== -1; end = text.indexOf('}', end + 1)) {
      try {
        yield parseJson(text.slice(start, end + 1))
      } catch {
        // Not this one.
      }
    }
  }
}

/** As JSON in general, not as ours: a string that holds half a character is still a string with an object in it. */
const parsed = (text: string): Json | undefined => {
  try {
    return JSON.parse(text.trim()) as Json
  } catch {
    return undefined
  }
}

/** The text itself and what it holds as JSON strings. */
function unescaped(text: string, levels = 4): readonly string[] {
  const strings = (value: Json | undefined): readonly string[] => {
    if (typeof value === 'string') return [value]
    return value && typeof value === 'object' ? Object.values(value).flatMap(strings) : []
  }
  const inner = levels === 0 ? [] : [parsed(text), ...strictObjects(text)].flatMap(strings)
  return [text, ...inner.filter((each) => each.includes('{')).flatMap((each) => unescaped(each, levels - 1))]
}

describe('a damaged answer', () => {
  it('is read without throwing, the same twice, and fits where it is kept', () => {
    fc.assert(
      fc.property(damaged(correct), ({ reply, text }) => {
        const reading = readTwice(reply, text)
        const wanted = wantedFor(reply)
        if (reading.outcome !== 'kept') return
        expect(() => canonicalize(reading.value)).not.toThrow()
        if (wanted.form === 'value') expect(misfit(wanted.schema, reading.value)).toBeNull()
      }),
      { numRuns: RUNS },
    )
  })

  it('never takes another stance than the one that was written', () => {
    const decisive = ['stance', 'stance_after', 'decision'] as const
    fc.assert(
      fc.property(damaged(ofShapes('opinion', 'review', 'report')), ({ reply, text }) => {
        const reading = readTwice(reply, text)
        const value = keptIn(reading)
        const before = original(reply)
        if (value) for (const name of decisive) expect(value[name]).toBe(before[name])
        if (reading.outcome === 'prose') expect(['unstated', before.stance]).toContain(reading.stance)
      }),
      { numRuns: RUNS },
    )
  })

  it('never takes another verdict, and no condition less', () => {
    fc.assert(
      fc.property(damaged(ofShapes('critic')), ({ reply, text }) => {
        const value = keptIn(readTwice(reply, text))
        if (value === null) return
        expect(value.verdict).toBe(original(reply).verdict)
        if (/"conditions"/.test(text) && original(reply).conditions) expect(value.conditions).toBeDefined()
      }),
      { numRuns: RUNS },
    )
  })

  it('never speaks of a target that was not written', () => {
    fc.assert(
      fc.property(damaged(ofShapes('review')), ({ reply, text }) => {
        const value = keptIn(readTwice(reply, text))
        const targets = (value?.targets ?? []) as readonly { readonly target: string }[]
        const labels = (original(reply).targets as typeof targets).map(({ target }) => target)
        for (const { target } of targets) expect(labels).toContain(target)
      }),
      { numRuns: RUNS / 2 },
    )
  })

  it('never gives a tool an input that does not stand there as strict JSON', () => {
    fc.assert(
      fc.property(damaged(ofShapes('turn')), ({ reply, text }) => {
        const value = keptIn(readTwice(reply, text))
        const intent = value?.intent as { readonly input: Json; readonly tool: string } | undefined
        if (intent === undefined) return
        const written = unescaped(text).flatMap((each) =>
          [...strictObjects(each)].map((found) => canonicalize(found)),
        )
        expect(written.some((found) => found.includes(canonicalize(intent.input)))).toBe(true)
        expect(unescaped(text).some((each) => each.includes(intent.tool))).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  it('never publishes what stood before the first separator', () => {
    fc.assert(
      fc.property(damaged(ofShapes('exchange')), ({ reply, text }) => {
        const value = keptIn(readTwice(reply, text))
        const [first = ''] = text.toWellFormed().split(/^[^\S\n]*---[^\S\n]*$/m)
        const secret = first.trim()
        for (const { text: message } of (value?.messages ?? []) as readonly { readonly text: string }[])
          if (secret.length > 20 && text.lastIndexOf(secret) === text.indexOf(secret))
            expect(message.includes(secret)).toBe(false)
      }),
      { numRuns: RUNS / 2 },
    )
  })
})

describe('a correct answer', () => {
  it('is read as it is, without repairs, however it is spaced and ordered', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...correct),
        fc.constantFrom(0, 1, 2, '\t'),
        fc.boolean(),
        (reply, indent, turned) => {
          const value = original(reply)
          if (reply.shape === 'exchange') return
          const ordered = turned ? Object.fromEntries(Object.entries(value).reverse()) : value
          const reading = readCareless(reply, ` ${JSON.stringify(ordered, null, indent)}\n`)
          expect(reading).toEqual({ outcome: 'kept', value, repairs: [] })
        },
      ),
    )
  })
})

describe('any text', () => {
  it('is read for any shape without throwing', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(...SCRAPS, 'stance', 'adopt', 'verdict', 'approve', 'intent', 'tool', 'input'),
          {
            maxLength: 60,
          },
        )
        .map((scraps) => scraps.join('')),
    )
    fc.assert(
      fc.property(fc.constantFrom(...correct), text, (reply, given) => {
        expect(['kept', 'missing', 'prose', 'refused']).toContain(readTwice(reply, given).outcome)
      }),
      { numRuns: RUNS },
    )
  })
})
