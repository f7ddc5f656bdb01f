// The content of a task.yaml. Its shape is read here; relations between entries are checked once all are
// known, so that a reader gets all faults at once.

import { DEFAULT_LIMITS, RISKS, type WrittenClaim } from '../../agents/task.ts'
import type { Json } from '../../ledger/canonical.ts'
import { SERVER_NAME } from '../config/settings.ts'
import { oneOrMore, serverShape } from '../config/small-shapes.ts'
import {
  amount,
  choice,
  flag,
  list,
  mapping,
  object,
  type Reading,
  record,
  report,
  resolved,
  type Shape,
  text,
  type ValueOf,
} from '../config/yaml-shape.ts'

const words = text(
  'some words',
  (value) => value.trim() !== '' && value.length <= 2_000,
  'Say it in a sentence.',
)
const few = list(words, { least: 0 })
const isName = (value: string): boolean => /^[a-z0-9][\w.-]{0,63}$/i.test(value)
const name = text(
  'a name of letters, digits, dots and dashes',
  isName,
  'Use letters, digits, dots and dashes.',
)
const tool = text(
  'the name of a tool',
  (value) => /^[a-z0-9_-]+(\.[\w-]+)+$/i.test(value),
  'Name it as files.read, shell.run, http.get or mcp.SERVER.TOOL.',
)
const tools = list(tool, { least: 0, unique: true })

const PLAIN = /^[\w.-]+$/

/** The input of a tool: any YAML value that is also JSON. */
const input: Shape<{ readonly [name: string]: Json }> = (node, key, reading) =>
  mapping(node, key, reading) as { readonly [name: string]: Json } | undefined

const evidence = object(
  { step: name, quote: text('the words that prove it', (value) => value.length <= 4_000) },
  { needs: ['step', 'quote'] },
)

const claim = object(
  { text: words, confidence: choice(['low', 'medium', 'high']), evidence: list(evidence, { least: 1 }) },
  { needs: ['text', 'confidence', 'evidence'] },
) as Shape<WrittenClaim>

const step = object(
  { id: name, tool, input, justification: words, risk: choice(RISKS) },
  { needs: ['id', 'tool', 'input', 'justification'] },
)

export const proposalShape = object(
  {
    objective: words,
    assumptions: few,
    required_tools: tools,
    expected_evidence: few,
    steps: list(step, { least: 1 }),
    claims: list(claim, { least: 0 }),
    on_failure: choice(['stop', 'next proposal']),
  },
  { needs: ['objective'] },
)

/** `stop`, `next proposal`, a seat: text that is no path and no command. */
const seat = text(
  "'written', or the name of a seat",
  (value) => PLAIN.test(value),
  'Name a provider, as in witan.yaml.',
)
const critic = text(
  "'policy', 'human', 'council', or the name of a seat",
  (value) => PLAIN.test(value),
  'Name one or more of them: [policy, human].',
)

const whole = (least: number, most: number): Shape<number> => amount({ least, most, whole: true })

const fields = object(
  {
    objective: words,
    constraints: few,
    workspace: text('a folder'),
    roles: object({
      planner: seat,
      executor: seat,
      critic: oneOrMore(critic),
      auditor: choice(['verifier']),
    }),
    policy: text(
      'strict, default, lenient, or a file that ends with .cedar',
      (value) => ['strict', 'default', 'lenient'].includes(value) || value.endsWith('.cedar'),
      'Write policy: strict, or policy: ./rules.cedar.',
    ),
    council_from: choice(RISKS),
    limits: object({
      steps: whole(1, 1_000),
      revisions: whole(0, 100),
      same_intent: whole(1, 100),
      minutes: amount({ least: 0.01, most: 10_080, of: 'minutes' }),
      cost: amount({ least: 0, of: 'US dollars' }),
    }),
    evidence_min: whole(1, 20),
    tools,
    proposals: list(proposalShape, { least: 1 }),
    hosts: list(text('the name of a host'), { least: 0, unique: true }),
    commands: list(text('the name of a program'), { least: 0, unique: true }),
    roots: list(text('a folder'), { least: 0, unique: true }),
    unconfined: flag,
    mcp_servers: record(serverShape, SERVER_NAME),
  },
  { needs: ['objective'] },
)

/** A task as stated in a file. */
export type WrittenTask = ValueOf<typeof fields>

/** What is recorded of a task, from a file or a program. */
export type TaskOnRecord = Omit<WrittenTask, 'objective'> & { readonly objective: string }

/** A proposal as stated in a file. */
export type WrittenProposal = ValueOf<typeof proposalShape>

const at = ({ document }: Reading, ...path: readonly (string | number)[]): unknown =>
  document.getIn(path, true)

function checkProposal(task: WrittenTask, i: number, reading: Reading): void {
  const { steps = [], claims = [], required_tools: required = [] } = task.proposals?.[i] ?? {}
  const offered = task.tools ?? []
  const key = `proposals[${i}]`
  const next = `Add it to the list tools:, which ${offered.length > 0 ? `names ${offered.join(', ')}` : 'is empty'}.`
  for (const [n, { id = '', tool: used = '' }] of steps.entries()) {
    if (steps.findIndex((other) => other.id === id) !== n)
      report(
        reading,
        at(reading, 'proposals', i, 'steps', n),
        `${key}.steps[${n}].id`,
        `there are two steps '${id}'`,
        'Give each its own id.',
      )
    if (!offered.includes(used))
      report(
        reading,
        at(reading, 'proposals', i, 'steps', n, 'tool'),
        `${key}.steps[${n}].tool`,
        `${used} is no tool of this task`,
        next,
      )
  }
  for (const [n, used] of required.entries())
    if (!offered.includes(used))
      report(
        reading,
        at(reading, 'proposals', i, 'required_tools', n),
        `${key}.required_tools[${n}]`,
        `${used} is no tool of this task`,
        next,
      )
  const known = steps.map(({ id }) => id)
  for (const [n, { evidence: quoted }] of claims.entries())
    for (const [m, { step: named }] of quoted.entries())
      if (!known.includes(named))
        report(
          reading,
          at(reading, 'proposals', i, 'claims', n, 'evidence', m, 'step'),
          `${key}.claims[${n}].evidence[${m}].step`,
          `there is no step '${named}' in this proposal`,
          known.length > 0 ? `There are: ${known.join(', ')}.` : 'Write its steps first.',
        )
}

/** Reports forbidden combinations of entries. */
export function checkTask(task: WrittenTask, reading: Reading): void {
  const planner = task.roles?.planner ?? 'written'
  const executor = task.roles?.executor ?? 'written'
  const place = at(reading, 'roles') ?? reading.document.contents
  if (planner === 'written' && task.proposals === undefined)
    report(
      reading,
      reading.document.contents,
      'proposals',
      'the plan is written, but there are no proposals',
      'Write proposals:, or name a seat as roles.planner.',
    )
  if (planner !== 'written' && task.proposals !== undefined)
    report(
      reading,
      at(reading, 'proposals'),
      'proposals',
      `${planner} plans, so there is nothing to write here`,
      'Remove proposals, or write roles.planner: written.',
    )
  if (planner !== 'written' && executor === 'written')
    report(
      reading,
      place,
      'roles.executor',
      'a plan that is thought out has no written steps to execute',
      'Name a seat as roles.executor.',
    )
  for (const i of (task.proposals ?? []).keys()) {
    checkProposal(task, i, reading)
    if (executor === 'written' && task.proposals?.[i]?.steps === undefined)
      report(
        reading,
        at(reading, 'proposals', i),
        `proposals[${i}].steps`,
        'execution is written, but this proposal has no steps',
        'Write its steps, or name a seat as roles.executor.',
      )
  }
}

export const taskShape: Shape<WrittenTask> = (node, key, reading) =>
  resolved(node, reading) === null
    ? report(
        reading,
        node,
        key,
        'the file is empty',
        'See `witan agents run --help` for a task to begin with.',
      )
    : fields(node, key, reading)

export const limitsOf = ({ limits = {} }: WrittenTask) => ({ ...DEFAULT_LIMITS, ...limits })
