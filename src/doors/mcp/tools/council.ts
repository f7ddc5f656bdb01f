// What a host may do with a council: have one held, or seat its own model there step by step. A council goes on
// between calls; whoever does not want to wait looks again later.

import { z } from 'zod'
import { logOf } from '../../../app/council/council.ts'
import { asStated } from '../../../app/council/host-seats.ts'
import { hostSeating, namedSeating, worldHere } from '../../../app/council/seating.ts'
import { withHome } from '../../../app/home/home.ts'
import { MODES } from '../../../council/replies/opinion.ts'
import { type Asked, convene, retry, sampledIn, settingsOf } from '../council/convene.ts'
import type { Sitting } from '../council/sitting.ts'
import { errandOf, reportOf, standingOf, stepOf } from '../council/telling.ts'
import { type Answer, type Session, tool, traceOf } from '../tool.ts'

const LOOK_MS = 10_000
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
const trace = z.string().min(1).max(64)
const line = z.string().trim().min(1).max(2_000)
/** What `witan council` takes besides, under the same names. */
const terms = {
  constraints: z.array(line).max(20).optional().describe('what must hold'),
  focus: z.array(line).max(20).optional().describe('what to look at above all'),
  labelled: z.boolean().optional().describe('reviewers are told who said what'),
  max_cost: z.number().min(0).max(1_000_000).optional().describe('US dollars'),
  short_circuit: z.boolean().optional().describe('skip rounds where the settings allow it'),
  follow: trace.optional().describe('a finished council to ask further about'),
}
const timeout = z.string().max(20).optional().describe('how long a seat may be silent: 90s, 2m')
const model = z.string().min(1).max(100).optional().describe('what model you are')

interface Input {
  readonly question: string
  readonly mode?: Asked['request']['mode'] | undefined
  readonly context?: Asked['given']['texts'] | undefined
  readonly paths?: readonly string[] | undefined
  readonly range?: string | undefined
  readonly constraints?: readonly string[] | undefined
  readonly focus?: readonly string[] | undefined
  readonly labelled?: boolean | undefined
  readonly max_cost?: number | undefined
  readonly short_circuit?: boolean | undefined
  readonly follow?: string | undefined
}

/** A review of nothing in particular is one of the work at hand. */
function rangeOf({ mode: kind, context: texts = [], paths: named = [], range: said }: Input): string | null {
  if (said !== undefined) return said
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
  given: { texts: input.context ?? [], paths: input.paths ?? [], range: rangeOf(input) },
})

/** What there is to say now: to answer, to read, or to wait for. */
function tellOf(sitting: Sitting): Answer {
  sitting.check()
  const [errand] = sitting.host.errands
  if (errand) return errandOf(sitting.trace, errand)
  const told = sitting.isOver ? reportOf(sitting.state) : standingOf(sitting.trace, sitting.state)
  const { estimate } = sitting
  return estimate === null ? told : { ...told, value: { ...told.value, estimate } }
}

/** Tells each step, and now and then that it still goes on, so that a host that counts the seconds begins anew. */
async function attend(
  sitting: Sitting,
  session: Session,
  ms: number,
  isEnough: () => boolean,
): Promise<void> {
  const deaf = sitting.listen((event) => {
    const step = stepOf(event)
    if (step !== null) session.progress(`${sitting.trace} ${step}`)
  })
  const end = performance.now() + ms
  try {
    while (!sitting.isOver && !isEnough() && !session.signal.aborted && performance.now() < end) {
      await sitting.until(isEnough, Math.min(LOOK_MS, end - performance.now()), session.signal)
      if (!sitting.isOver && !isEnough()) session.progress(`${sitting.trace} is under way`)
    }
  } finally {
    deaf()
  }
}

const isHostAwaited = (sitting: Sitting) => () => sitting.host.errands.length > 0

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
    seats: z.array(z.string().max(100)).max(8).optional().describe('provider or provider:model'),
    chair: z.string().min(1).max(100).optional().describe('the seat that writes the report'),
    timeout,
    wait: z.boolean().optional().describe('false: return the trace id at once'),
  }),
  readOnly: false,
  async run(input, session) {
    const { desk, signal, progress } = session
    const settings = await settingsOf(desk, input.timeout)
    progress('Looking who is ready…')
    const asked = askedOf(input)
    const { seats = [], chair = null } = input
    const isNamed = input.seats !== undefined || chair !== null
    const sampled = input.wait === false || isNamed ? null : sampledIn(session)
    const sitting = await convene(desk, asked, settings, async () => {
      if (sampled) return hostSeating(sampled, settings, { isAlone: false, world: worldHere() })
      const wish = { seats, chair, mode: asked.request.mode }
      const seating = await namedSeating(wish, settings, worldHere())
      // What a host names is no person's word that contents may leave.
      return { ...seating, chosen: seating.chosen && !isNamed }
    })
    progress(`${sitting.trace} is opened`)
    if (input.wait === false) return tellOf(sitting)
    await attend(sitting, session, Number.POSITIVE_INFINITY, () => false)
    if (signal.aborted) await sitting.stop()
    return tellOf(sitting)
  },
})

const councilOpen = tool({
  name: 'council_open',
  title: 'Take a seat in a council',
  description:
    'Open a council in which you sit yourself; no key is needed. Returns what you are to answer; hand it in with council_submit.',
  input: z.object({
    question,
    mode,
    context,
    paths,
    range,
    ...terms,
    model,
    alone: z.boolean().optional().describe('ask nobody else: you take three seats'),
  }),
  readOnly: false,
  async run(input, session) {
    const settings = await settingsOf(session.desk)
    const stated = asStated(input.model ?? null)
    const sitting = await convene(session.desk, askedOf(input), settings, (host) => {
      const own = { model: stated, seat: (name: string) => host.seat(name) }
      return hostSeating(own, settings, { isAlone: input.alone ?? false, world: worldHere() })
    })
    session.progress(`${sitting.trace} is opened`)
    await attend(sitting, session, PATIENCE_MS, isHostAwaited(sitting))
    return tellOf(sitting)
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
    const sitting = session.desk.sittings.get(await traceOf(session.desk, name))
    if (sitting === null) return status(name, session)
    sitting.check()
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    sitting.host.submit(ticket, text.toWellFormed(), stated ?? null)
    await attend(sitting, session, PATIENCE_MS, isHostAwaited(sitting))
    return tellOf(sitting)
  },
})

async function status(name: string, session: Session): Promise<Answer> {
  const { desk } = session
  const id = await traceOf(desk, name)
  const sitting = desk.sittings.get(id)
  if (sitting) return tellOf(sitting)
  const { home: directory, postgres } = desk
  return withHome({ directory, postgres, mode: 'read' }, async (home) => {
    const { state } = await logOf(home, id)
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

const councilRetry = tool({
  name: 'council_retry',
  title: 'Ask again who failed',
  description:
    'Ask again the seats that failed in a council that is over. Who answered is not asked again; the report is written anew.',
  input: z.object({
    trace,
    seats: z.array(z.string().max(100)).max(8).optional().describe('only these of those that failed'),
    timeout,
  }),
  readOnly: false,
  async run(input, session) {
    const { seats: failed = [], timeout: patience } = input
    const id = await traceOf(session.desk, input.trace)
    const sitting = await retry(session.desk, id, { failed, timeout: patience })
    session.progress(`${sitting.trace} is opened`)
    await attend(sitting, session, Number.POSITIVE_INFINITY, isHostAwaited(sitting))
    if (session.signal.aborted) await sitting.stop()
    return tellOf(sitting)
  },
})

export const COUNCIL_TOOLS = [councilRun, councilOpen, councilSubmit, councilStatus, councilRetry]
