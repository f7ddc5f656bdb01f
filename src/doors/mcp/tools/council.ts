// What a host may do with a council: run one, or take a seat there step by step. A council continues between
// calls; a host that does not want to wait asks again later.

import { z } from 'zod'
import { openLog } from '../../../app/council/council.ts'
import { statedByHost } from '../../../app/council/host-seats.ts'
import { hostSeating, namedSeating, worldHere } from '../../../app/council/seating.ts'
import { withHome } from '../../../app/home/home.ts'
import { MODES } from '../../../council/replies/opinion.ts'
import { attend, currentAnswer, isHostAwaited } from '../council/attend.ts'
import { type Asked, convene, readSettings, sampledIn } from '../council/convene.ts'
import { reportOf, standingOf } from '../council/council-answer.ts'
import { type Answer, findTrace, type Session, tool } from '../tool.ts'
import { chair, LATER_TOOLS, maxCost, seats, shortCircuit, timeout, trace, wait } from './council-later.ts'

/** Hosts give up on a call after a minute or so; this one answers before. */
const PATIENCE_MS = 25_000

const question = z.string().trim().min(1).max(20_000)
const mode = z.enum(MODES).optional()
const context = z
  .array(
    z.object({
      name: z.string().regex(/^(?!.*\.\.)[\w .@+()/-]{1,120}$/),
      text: z.string().max(200_000),
    }),
  )
  .max(20)
  .optional()
  .describe('texts to lay before it')
const paths = z
  .array(z.string().min(1).max(500))
  .max(50)
  .optional()
  .describe('files or folders in the working folder')
const range = z
  .string()
  .max(200)
  .optional()
  .describe('review: git range; "" for uncommitted and unmerged work')
const line = z.string().trim().min(1).max(2_000)
/** Options of `witan council`, under the same names. */
const terms = {
  constraints: z.array(line).max(20).optional().describe('what must hold'),
  focus: z.array(line).max(20).optional().describe('what to look at above all'),
  labelled: z.boolean().optional().describe('reviewers are told who said what'),
  max_cost: maxCost,
  short_circuit: shortCircuit,
  follow: trace.optional().describe('a finished council to ask further about'),
}
const model = z.string().min(1).max(100).optional().describe('what model you are')

interface Input {
  readonly question: string
  readonly mode?: Asked['request']['mode'] | undefined
  readonly context?: Asked['shown']['texts'] | undefined
  readonly paths?: readonly string[] | undefined
  readonly range?: string | undefined
  readonly constraints?: readonly string[] | undefined
  readonly focus?: readonly string[] | undefined
  readonly labelled?: boolean | undefined
  readonly max_cost?: number | undefined
  readonly short_circuit?: boolean | undefined
  readonly follow?: string | undefined
}

/** A review without a subject is of the local changes. */
function rangeOf({ mode: kind, context: texts = [], paths: named = [], range }: Input): string | null {
  if (range !== undefined) return range
  return kind === 'review' && texts.length + named.length === 0 ? '' : null
}

const wellFormed = (texts: readonly string[] = []): readonly string[] =>
  texts.map((text) => text.toWellFormed())

const askedOf = (input: Input): Asked => ({
  request: {
    question: input.question.toWellFormed(),
    mode: input.mode ?? 'ask',
    constraints: wellFormed(input.constraints),
    focus: wellFormed(input.focus),
    labelled: input.labelled ?? false,
    shortCircuit: input.short_circuit ?? false,
    maxCost: input.max_cost ?? null,
    follow: input.follow ?? null,
  },
  shown: { texts: input.context ?? [], paths: input.paths ?? [], range: rangeOf(input) },
})

const councilRun = tool({
  name: 'council_run',
  title: 'Hold a council',
  description:
    'Several models answer a question apart, review each other blind, and a report is written. Takes minutes.',
  input: z.object({
    question,
    mode,
    context,
    paths,
    range,
    ...terms,
    seats,
    chair,
    timeout,
    wait,
  }),
  readOnly: false,
  async run(input, session) {
    const { kit, signal, progress } = session
    const settings = await readSettings(kit, input.timeout)
    progress('Looking who is ready…')
    const asked = askedOf(input)
    const { seats: named = [], chair: writer = null } = input
    const isNamed = input.seats !== undefined || writer !== null
    const sampled = input.wait === false || isNamed ? null : sampledIn(session)
    const sitting = await convene(kit, asked, settings, async () => {
      if (sampled) return hostSeating(sampled, settings, { isAlone: false, world: worldHere() })
      const wish = { seats: named, chair: writer, mode: asked.request.mode }
      const seating = await namedSeating(wish, settings, worldHere())
      // A host's request is not a person's consent to send content.
      return { ...seating, chosen: seating.chosen && !isNamed }
    })
    progress(`${sitting.trace} is opened`)
    if (input.wait === false) return currentAnswer(sitting)
    await attend(sitting, session, Number.POSITIVE_INFINITY, () => false)
    if (signal.aborted) await sitting.stop()
    return currentAnswer(sitting)
  },
})

const councilOpen = tool({
  name: 'council_open',
  title: 'Take a seat in a council',
  description:
    'Open a council in which you have a seat yourself; no key is needed. Returns what you are to answer; submit it with council_submit.',
  input: z.object({
    question,
    mode,
    context,
    paths,
    range,
    ...terms,
    model,
    alone: z.boolean().optional().describe('ask no other model: you take three seats'),
  }),
  readOnly: false,
  async run(input, session) {
    const settings = await readSettings(session.kit)
    const stated = statedByHost(input.model ?? null)
    const sitting = await convene(session.kit, askedOf(input), settings, (host) => {
      const own = { model: stated, seat: (name: string) => host.seat(name) }
      return hostSeating(own, settings, { isAlone: input.alone ?? false, world: worldHere() })
    })
    session.progress(`${sitting.trace} is opened`)
    await attend(sitting, session, PATIENCE_MS, isHostAwaited(sitting))
    return currentAnswer(sitting)
  },
})

const councilSubmit = tool({
  name: 'council_submit',
  title: 'Hand in your answer',
  description:
    'Hand in what council_open or council_status asked of you. Returns what comes next, or the report.',
  input: z.object({
    trace,
    ticket: z.string().min(1).max(100),
    answer: z.union([z.string().max(300_000), z.looseObject({})]).describe('JSON of the shape asked for'),
    model,
  }),
  readOnly: false,
  async run({ trace: name, ticket, answer, model: stated }, session) {
    const sitting = session.kit.sittings.get(await findTrace(session.kit, name))
    if (sitting === null) return status(name, session)
    sitting.check()
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    sitting.host.submit(ticket, text.toWellFormed(), stated ?? null)
    await attend(sitting, session, PATIENCE_MS, isHostAwaited(sitting))
    return currentAnswer(sitting)
  },
})

async function status(name: string, session: Session): Promise<Answer> {
  const { kit } = session
  const id = await findTrace(kit, name)
  const sitting = kit.sittings.get(id)
  if (sitting) return currentAnswer(sitting)
  const { home: directory, postgres } = kit
  return withHome({ directory, postgres, mode: 'read' }, async (home) => {
    const { state } = await openLog(home, id)
    return state.inner.isClosed ? reportOf(state.inner) : standingOf(id, state.inner, false)
  })
}

const councilStatus = tool({
  name: 'council_status',
  title: 'Look at a council',
  description: 'How far a council is, what it asks of you, or its report.',
  input: z.object({ trace }),
  readOnly: true,
  run: ({ trace: name }, session) => status(name, session),
})

export const COUNCIL_TOOLS = [councilRun, councilOpen, councilSubmit, councilStatus, ...LATER_TOOLS]
