// A careless reply, given to each side as what its model says. Ours is asked in a real council; the others are asked for
// the same shape over the same wire. A seat is kept when what is handed on is what the corpus says must be read from the
// reply, or the correct answer that came when the model was asked again.

import type { ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { proseOpinion } from '../../src/council/replies/conclude.ts'
import { readOpinion, readReport, readReview } from '../../src/council/replies/normalise.ts'
import { UNSTATED } from '../../src/council/replies/opinion.ts'
import { ASKED_OPINION, ASKED_REPORT, ASKED_REVIEW } from '../../src/council/replies/schemas.ts'
import type { Json } from '../../src/ledger/canonical.ts'
import type { AskingFields } from '../../src/ledger/raw-reply.ts'
import type { JsonSchema } from '../../src/ledger/schema.ts'
import type { Occurrence } from '../../src/protocol.ts'
import type { Careless } from '../../test/fakes/careless.ts'
import type { Doing, Round } from '../../test/fakes/council.ts'
import { type FakeServer, serve } from '../../test/fakes/scripted-server.ts'
import type { CarelessReply } from '../../test/replies/corpus.ts'
import { runCouncil } from '../../test/support/council-run.ts'

export { HABITS } from '../../test/replies/habits.ts'

type CouncilShape = 'opinion' | 'review' | 'report'
type CouncilReply = CarelessReply & { readonly shape: CouncilShape }

/** What came of a reply on one side. */
export interface Fate {
  readonly calls: number
  readonly came: 'kept' | 'misread' | 'lost'
}

/** What the model says when it is asked again: null for the same once more. */
export type Again = (reply: CouncilReply) => Careless | null

const ROUNDS: Readonly<Record<CouncilShape, Round>> = { opinion: 'R1', review: 'R2', report: 'R3' }
const SHAPES = { opinion: ASKED_OPINION, review: ASKED_REVIEW, report: ASKED_REPORT }

const modeOf = ({ mode = 'ask' }: CouncilReply) => mode

export const shapeOf = (reply: CouncilReply): JsonSchema => SHAPES[reply.shape][modeOf(reply)]

export const questionOf = ({ context }: CouncilReply): string => `Shall we do it?\n${context?.prompt ?? ''}`

const carelessly = ({ raw, wire }: CouncilReply): Careless => (wire ? { raw, wire } : { raw })

/** The values that may be handed on after so many calls. */
function rightOf(reply: CouncilReply, calls: number, again: Again): readonly Json[] {
  const second = calls > 1 ? again(reply) : null
  const { expect } = reply
  return [...(expect.outcome === 'kept' ? [expect.value] : []), ...(second ? [JSON.parse(second.raw)] : [])]
}

/** Labels in other words and lone surrogates are for the caller to mend where a library knows of neither. */
const leniently = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, one) => {
    if (name === 'target') return ''
    return typeof one === 'string' ? one.toWellFormed() : one
  })

/** Of a side that hands on the value itself; undefined where it hands on none. */
export function judge(reply: CouncilReply, value: unknown, calls: number, again: Again): Fate {
  if (value === undefined || value === null) return { calls, came: 'lost' }
  const handedOn = leniently(value)
  const isRight = rightOf(reply, calls, again).some((right) => isDeepStrictEqual(leniently(right), handedOn))
  return { calls, came: isRight ? 'kept' : 'misread' }
}

/** A reply in one body, for a side that asks for no stream. Where the record is silent, the model ended by itself. */
function sendWhole({ raw, wire = {} }: Careless, response: ServerResponse): void {
  const { reasoning_content, tool_calls = [], refusal, finish_reason, cut, plain_body } = wire
  const calls = tool_calls.map(({ name, arguments: given }, index) => ({
    ...{ id: `call_${index}`, type: 'function' },
    function: { name, arguments: given },
  }))
  const message = {
    role: 'assistant',
    content: raw === '' && calls.length > 0 ? null : raw,
    ...(reasoning_content === undefined ? {} : { reasoning_content }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  const ended = finish_reason ?? (calls.length > 0 ? 'tool_calls' : 'stop')
  const body = JSON.stringify({
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_780_000_000, model: 'fake-1' },
    choices: [{ index: 0, message, finish_reason: ended }],
    usage: { prompt_tokens: 1_000, completion_tokens: 200, total_tokens: 1_200 },
  })
  const bytes = Buffer.from(plain_body ?? body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
  if (!cut) response.end(bytes)
  else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
}

export interface ReplyServer extends FakeServer {
  calls(id: string): number
}

/** Every reply is a model of its name. */
export async function serveReplies(replies: readonly CouncilReply[], again: Again): Promise<ReplyServer> {
  const byId = new Map(replies.map((reply) => [reply.id, reply]))
  const counts = new Map<string, number>()
  const server = await serve(async ({ body }, response) => {
    const { model } = body as { readonly model: string }
    const reply = byId.get(model)
    if (!reply) throw new Error(`no reply ${model}`)
    const before = counts.get(model) ?? 0
    counts.set(model, before + 1)
    sendWhole((before > 0 ? again(reply) : null) ?? carelessly(reply), response)
  })
  return { ...server, calls: (id) => counts.get(id) ?? 0 }
}

const attemptsOf = ({ payload }: Occurrence): number =>
  ((payload ?? {}) as unknown as Partial<AskingFields>).attempts?.length ?? 0

/** What the council makes of a value; which opinion a label stands for differs from council to council. */
function asRecorded(reply: CouncilReply, value: Json): unknown {
  const mode = modeOf(reply)
  const labels = new Map((reply.context?.labels ?? ['A', 'B']).map((label, i) => [label, `op-${i + 1}`]))
  const read = {
    opinion: () => readOpinion(mode, value),
    review: () => readReview(mode, value, labels),
    report: () => readReport(mode, value),
  }[reply.shape]()
  // The corpus is older than the question of what is at stake; who does not answer it counts as unstated.
  const unstated = reply.shape === 'opinion' ? { stakes: UNSTATED } : {}
  return read.ok ? withoutIds({ ...unstated, ...read.answer }) : undefined
}

const withoutIds = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/"(?:op|rv)-\d+/g, '"'))

const isProse = ({ expect }: CouncilReply, said: unknown): boolean =>
  expect.outcome === 'prose' && isDeepStrictEqual(said, proseOpinion(expect.text, expect.stance))

function fateIn(events: readonly Occurrence[], reply: CouncilReply, again: Again): Fate {
  const own = events.filter(
    ({ type, payload }) => type.startsWith(`${reply.shape}_`) && payload?.seat === reply.id,
  )
  // A report that is given may still be sent back for what it cites: that is another matter.
  const end = own.findIndex(({ type }) => /_(?:given|failed)$/.test(type))
  const calls = own.slice(0, end + 1).reduce((sum, event) => sum + attemptsOf(event), 0)
  const { type, payload } = own[end] ?? {}
  if (!type?.endsWith('_given')) return { calls, came: 'lost' }
  const said = payload?.[reply.shape]
  const isRight =
    isProse(reply, said) ||
    rightOf(reply, calls, again).some((value) =>
      isDeepStrictEqual(asRecorded(reply, value), withoutIds(said)),
    )
  return { calls, came: isRight ? 'kept' : 'misread' }
}

/** One council for these, which are alike in shape, mode and question. */
async function holdFor(
  replies: readonly CouncilReply[],
  again: Again,
): Promise<readonly (readonly [string, Fate])[]> {
  const [first] = replies
  if (!first) return []
  const round = ROUNDS[first.shape]
  const scripts = replies.map((reply) => {
    const said: Doing = { careless: carelessly(reply) }
    const second = again(reply)
    return [reply.id, { [round]: second ? [said, { careless: second }] : [said] }]
  })
  const seats = first.shape === 'review' ? (first.context?.labels?.length ?? 2) : 2
  const others = Array.from({ length: seats }, (_, i) => [`other-${i + 1}`, {}])
  const table = first.shape === 'report' ? [...scripts, ...others] : [...others, ...scripts]
  const { events, server } = await runCouncil({
    models: Object.fromEntries(table),
    options: { mode: modeOf(first), question: questionOf(first) },
  })
  const attempts = events.reduce((sum, event) => sum + attemptsOf(event), 0)
  if (attempts !== server.heard.length)
    throw new Error(`${server.heard.length} calls on the wire, ${attempts} on record`)
  return replies.map((reply) => [reply.id, fateIn(events, reply, again)])
}

const AT_ONE_TABLE = 8

/** Opinions to the same question sit at one table; a review or a report has a council of its own. */
function tablesOf(replies: readonly CouncilReply[]): readonly (readonly CouncilReply[])[] {
  const alike = new Map<string, CouncilReply[]>()
  for (const reply of replies) {
    const key = reply.shape === 'opinion' ? `${modeOf(reply)} ${questionOf(reply)}` : reply.id
    alike.set(key, [...(alike.get(key) ?? []), reply])
  }
  return [...alike.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / AT_ONE_TABLE) }, (_, i) =>
      group.slice(i * AT_ONE_TABLE, (i + 1) * AT_ONE_TABLE),
    ),
  )
}

export async function inCouncils(
  replies: readonly CouncilReply[],
  again: Again,
): Promise<ReadonlyMap<string, Fate>> {
  const fates = new Map<string, Fate>()
  for (const table of tablesOf(replies))
    for (const [id, fate] of await holdFor(table, again)) fates.set(id, fate)
  return fates
}
