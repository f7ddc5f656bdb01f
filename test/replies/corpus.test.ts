// The corpus itself: that it is whole, frozen, covers every habit, and expects nothing that today's schemas refuse or
// that the limits of tolerance forbid. What a reader makes of it is tested beside the reader.
import { describe, expect, it } from 'vitest'
import { CRITIC_REPLY, EXECUTOR_REPLY, PLANNER_REPLY } from '../../src/agents/replies.ts'
import { readOpinion, readReport, readReview } from '../../src/council/replies/normalise.ts'
import { STANCES_OF } from '../../src/council/replies/opinion.ts'
import { ASKED_OPINION, ASKED_REPORT, ASKED_REVIEW } from '../../src/council/replies/schemas.ts'
import { AUDIT_SCHEMA } from '../../src/exchange/audit.ts'
import { JUDGEMENT_SCHEMA } from '../../src/exchange/judgement.ts'
import { takeApart, type Written } from '../../src/exchange/split-reply.ts'
import { type Json, parseJson } from '../../src/ledger/canonical.ts'
import type { JsonSchema } from '../../src/ledger/schema.ts'
import { misfit } from '../../src/ledger/schema-fault.ts'
import {
  type CarelessReply,
  corpusFiles,
  isReadable,
  readCorpus,
  repliesOf,
  SHAPES,
  sha256OfFile,
} from './corpus.ts'
import { ALL_HABITS, HABITS } from './habits.ts'

/** Frozen before there was a reader. A reply that is added later goes into a file of its own. */
const FROZEN: Readonly<Record<string, { readonly replies: number; readonly sha256: string }>> = {
  'audit.jsonl': {
    replies: 16,
    sha256: '3726d4429dade2106cbca403e533831acd7b1f49c6c8cf1a3fbda4d6cdf6ca00',
  },
  'critic.jsonl': {
    replies: 43,
    sha256: 'e377a5a117a22c243cbacfb64d2a1b8bdd46bc082444d7dda3a11cf20cd06cd3',
  },
  'exchange.jsonl': {
    replies: 27,
    sha256: '5c7447932a34423674e2ce27d3ea722e95ccf4665acad28f23d13be445038da7',
  },
  'opinion.jsonl': {
    replies: 121,
    sha256: 'efe8017bb6381bf36c9b0083cc6affbe7ecc679a9f217c07685911dcf6e89799',
  },
  'plan.jsonl': {
    replies: 18,
    sha256: '0f08f94445e63b8db7fb6a1ed3bff1f50ac00aafda2d4902fd8306b1e2470585',
  },
  'report.jsonl': {
    replies: 23,
    sha256: '2426bae987aedd5a86099446223bba0e70539d7ecd6238f35e627d32e07373af',
  },
  'review.jsonl': {
    replies: 31,
    sha256: '74c8a235c3642a4f32861dcc7ad9a5bd4d25abadf519b7ff932e066721372d6a',
  },
  'turn.jsonl': {
    replies: 55,
    sha256: '7f402f0f094394b6f13d4b3cca223ff28f733de287e1bb71e0ca89ff5270e3c0',
  },
}

const corpus = readCorpus()
const named = (replies: readonly CarelessReply[]): readonly string[] => replies.map(({ id }) => id)
const has = (reply: CarelessReply, ...habits: readonly string[]): boolean =>
  habits.some((habit) => reply.habits.includes(habit))

const modeOf = ({ mode }: CarelessReply): NonNullable<CarelessReply['mode']> => mode ?? 'ask'

function schemaOf(reply: CarelessReply): JsonSchema | null {
  switch (reply.shape) {
    case 'opinion':
      return ASKED_OPINION[modeOf(reply)]
    case 'review':
      return ASKED_REVIEW[modeOf(reply)]
    case 'report':
      return ASKED_REPORT[modeOf(reply)]
    case 'plan':
      return PLANNER_REPLY
    case 'turn':
      return EXECUTOR_REPLY
    case 'critic':
      return CRITIC_REPLY
    case 'audit':
      return AUDIT_SCHEMA
    case 'judgement':
      return JUDGEMENT_SCHEMA
    case 'exchange':
      return null
  }
}

/** Fitting in form, and refused today for what they say or do not say. */
const UNUSABLE = [
  'blank-opinion',
  'blank-report',
  'blank-audit',
  'need-info-unexplained',
  'artifact-unknown',
  'label-unknown',
]

/** Whether every target is named by a label that was shown, letter by letter. */
const isLabelled = ({ shape, context }: CarelessReply, value: Json): boolean =>
  shape !== 'review' ||
  (value as { readonly targets: readonly { readonly target: string }[] }).targets.every(({ target }) =>
    context?.labels?.includes(target),
  )

const strictly = (text: string): Json | undefined => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const kept = corpus.flatMap((reply) =>
  reply.expect.outcome === 'kept' ? [{ reply, value: reply.expect.value }] : [],
)

/** Everything that the model itself wrote: text and arguments of calls, and what they hold as a JSON string. */
const writtenBy = ({ raw, wire }: CarelessReply): readonly string[] => {
  const texts = [raw, ...(wire?.tool_calls ?? []).map((call) => call.arguments)]
  const inner = texts.map(strictly).filter((value) => typeof value === 'string')
  return [...texts, ...inner]
}

/** Every JSON object that is in a text as strict JSON, at any depth. */
function* objectsIn(text: string): Generator<Json> {
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1)) {
    for (let end = text.indexOf('}', start); end !== -1; end = text.indexOf('}', end + 1)) {
      const value = strictly(text.slice(start, end + 1))
      if (value === undefined) continue
      yield value
      break
    }
  }
}

describe('the corpus of careless replies', () => {
  it('is frozen as it was before there was a reader', () => {
    const files = Object.keys(FROZEN)
    expect(corpusFiles()).toEqual(expect.arrayContaining(files))
    const found = files.map((file) => [file, { replies: repliesOf(file).length, sha256: sha256OfFile(file) }])
    expect(Object.fromEntries(found)).toEqual(FROZEN)
  })

  it('names every reply once, and says of a council reply in which mode it was asked for', () => {
    expect(new Set(named(corpus)).size).toBe(corpus.length)
    expect(corpus.length).toBeGreaterThanOrEqual(130)
    expect(corpus.filter(({ id, shape }) => !id.startsWith(`${shape}-`))).toEqual([])
    const council = ['opinion', 'review', 'report']
    expect(
      named(corpus.filter(({ shape, mode }) => council.includes(shape) !== (mode !== undefined))),
    ).toEqual([])
  })

  it('has at least eight replies of every shape, and in every mode of the council', () => {
    for (const shape of SHAPES)
      expect(corpus.filter((reply) => reply.shape === shape).length, shape).toBeGreaterThanOrEqual(8)
    for (const shape of ['opinion', 'review', 'report'])
      for (const mode of ['ask', 'architecture', 'review'])
        expect(
          corpus.some((reply) => reply.shape === shape && reply.mode === mode),
          `${shape} ${mode}`,
        ).toBe(true)
  })

  it('has replies of many families and of realistic lengths, without repeated lines', () => {
    expect(new Set(corpus.map(({ family }) => family)).size).toBeGreaterThanOrEqual(8)
    const sizes = corpus.map(({ raw }) => Buffer.byteLength(raw))
    expect(sizes.filter((size) => size > 3_000).length).toBeGreaterThanOrEqual(12)
    expect(Math.max(...sizes)).toBeGreaterThanOrEqual(48_000)
    for (const { id, raw } of corpus.filter((reply) => has(reply, 'long'))) {
      const sentences = raw.split(/(?<=\.)\s+|\\n/).filter((sentence) => sentence.length > 60)
      expect(new Set(sentences).size, id).toBe(sentences.length)
    }
  })
})

describe('habits', () => {
  it('are all named, and all shown', () => {
    const shown = new Set(corpus.flatMap(({ habits }) => habits))
    expect([...shown].sort()).toEqual([...ALL_HABITS].sort())
  })

  it('of form alone cost neither a seat nor a second call', () => {
    const form = Object.keys(HABITS.form)
    for (const habit of form)
      expect(
        kept.some(({ reply }) => has(reply, habit)),
        habit,
      ).toBe(true)
    const costly = corpus.filter(
      (reply) => reply.habits.every((habit) => form.includes(habit)) && reply.expect.outcome !== 'kept',
    )
    expect(named(costly)).toEqual([])
  })

  it('that lack something are asked for once', () => {
    for (const habit of Object.keys(HABITS.lacking))
      expect(
        corpus.some((reply) => has(reply, habit) && reply.expect.outcome === 'missing'),
        habit,
      ).toBe(true)
  })

  it('of correct replies need no repair', () => {
    const correct = corpus.filter((reply) => has(reply, 'correct'))
    expect(new Set(correct.map(({ shape }) => shape))).toEqual(new Set(SHAPES))
    expect(named(correct.filter(({ expect: { outcome } }) => outcome !== 'kept'))).toEqual([])
  })
})

describe('what is expected of a reply', () => {
  it.each(SHAPES)('fits the schema of today where it is kept: %s', (shape) => {
    for (const { reply, value } of kept.filter((each) => each.reply.shape === shape)) {
      const schema = schemaOf(reply)
      if (schema) expect(misfit(schema, value), reply.id).toBeNull()
      expect(JSON.stringify(value).isWellFormed(), reply.id).toBe(true)
      expect(() => parseJson(JSON.stringify(value)), reply.id).not.toThrow()
    }
  })

  it('is taken by the council as it is read today, every target of a review included', () => {
    for (const { reply, value } of kept) {
      const mode = modeOf(reply)
      if (reply.shape === 'opinion') expect(readOpinion(mode, value), reply.id).toMatchObject({ ok: true })
      if (reply.shape === 'report') expect(readReport(mode, value), reply.id).toMatchObject({ ok: true })
      if (reply.shape !== 'review') continue
      const labels = new Map(reply.context?.labels?.map((label, i) => [label, `op-${i + 1}`]))
      const { targets } = value as { readonly targets: readonly { readonly target: string }[] }
      expect(named(targets.filter(({ target }) => !labels.has(target)).map(() => reply))).toEqual([])
      const read = readReview(mode, value, labels)
      expect(read.ok && read.answer.targets.length, reply.id).toBe(targets.length)
    }
  })

  it('is the value itself where the text is exactly one fitting value that the prompt does not hold', () => {
    for (const reply of corpus) {
      const schema = schemaOf(reply)
      const value = strictly(reply.raw)
      if (
        schema === null ||
        value === undefined ||
        misfit(schema, value) !== null ||
        !isLabelled(reply, value)
      )
        continue
      if (reply.context?.prompt?.includes(reply.raw)) expect(reply.expect.outcome, reply.id).toBe('missing')
      else if (reply.expect.outcome === 'kept') expect(reply.expect.value, reply.id).toEqual(value)
      else expect(has(reply, ...UNUSABLE), reply.id).toBe(true)
    }
  })

  it('is read without repairs only where it stands in the reply letter by letter', () => {
    for (const { reply, value } of kept.filter(({ reply: { repairs } }) => repairs.length === 0)) {
      if (reply.shape !== 'exchange') expect(strictly(reply.raw), reply.id).toEqual(value)
      else expect(takeApart(reply.raw, limitsOf(reply)), reply.id).toEqual(value)
    }
  })

  it('is never kept from the prompt', () => {
    for (const { reply, value } of kept) {
      const prompt = reply.context?.prompt
      if (prompt !== undefined) expect([...objectsIn(prompt)], reply.id).not.toContainEqual(value)
    }
  })
})

const limitsOf = ({ context }: CarelessReply): { max_messages: number; max_chars: number } => ({
  max_messages: context?.max_messages ?? 0,
  max_chars: context?.max_chars ?? 0,
})

describe('the limits of tolerance', () => {
  it('leave tool inputs as they are: each one kept stands in the reply as strict JSON', () => {
    for (const { reply, value } of kept.filter(({ reply: { shape } }) => shape === 'turn')) {
      const { intent } = value as { readonly intent?: { readonly input: Json } }
      if (!intent) continue
      const written = writtenBy(reply).flatMap((text) => [...objectsIn(text)])
      const inside = written.some((object) => JSON.stringify(object).includes(JSON.stringify(intent.input)))
      expect(inside, reply.id).toBe(true)
    }
    expect(
      named(corpus.filter((reply) => has(reply, 'tool-input-damaged') && reply.expect.outcome !== 'missing')),
    ).toEqual([])
  })

  it('approve only by an explicit verdict that the critic wrote as its answer', () => {
    for (const { reply, value } of kept.filter(({ reply: { shape } }) => shape === 'critic')) {
      if ((value as { readonly verdict: string }).verdict !== 'approve') continue
      const outside = writtenBy(reply).map((text) => text.replaceAll(/<think>.*?<\/think>/gs, ''))
      expect(
        outside.some((text) => /"verdict"\s*:\s*"approved?"/i.test(text)),
        reply.id,
      ).toBe(true)
    }
    const doubtful = corpus.filter((reply) => has(reply, 'approval-hinted', 'conditions-unreadable'))
    expect(named(doubtful.filter((reply) => reply.expect.outcome !== 'missing'))).toEqual([])
  })

  it('let only opinions be prose, with a stance of the mode that the text itself states', () => {
    for (const reply of corpus) {
      if (reply.expect.outcome !== 'prose') continue
      const { stance, text } = reply.expect
      expect(reply.shape, reply.id).toBe('opinion')
      expect(reply.raw, reply.id).toContain(text)
      if (stance === 'unstated') continue
      expect(STANCES_OF[modeOf(reply)], reply.id).toContain(stance)
      if (!reply.repairs.some((repair) => repair.startsWith('synonym')))
        expect(text.toLowerCase(), reply.id).toContain(stance)
    }
  })

  it('publish nothing of a thought, and no more than the terms allow', () => {
    for (const { reply, value } of kept.filter(({ reply: { shape } }) => shape === 'exchange')) {
      const { messages, private: apart } = value as unknown as Written
      const limits = limitsOf(reply)
      expect(messages.length, reply.id).toBeLessThanOrEqual(limits.max_messages)
      const thought = reply.raw.split(/<\/think(?:ing)?>|<\|end\|>/)
      for (const text of [apart, ...messages.map((message) => message.text)].filter((each) => each !== '')) {
        expect(text.length, reply.id).toBeLessThanOrEqual(Math.max(limits.max_chars, apart.length))
        const spoken = (thought.at(-1) ?? '').toWellFormed()
        expect(spoken.includes(text), reply.id).toBe(true)
        expect(
          thought.slice(0, -1).some((part) => part.includes(text)),
          reply.id,
        ).toBe(false)
      }
    }
  })

  it('leave nothing to read where the vendor answered with errors only', () => {
    for (const reply of corpus.filter((each) => !isReadable(each)))
      expect([reply.raw, reply.expect], reply.id).toEqual(['', { outcome: 'missing', missing: ['answer'] }])
  })
})
