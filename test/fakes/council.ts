// A table of scripted models behind one loopback server on the wire of Ollama: each model answers each round as its
// script says. The round is read off the shape that is asked for, as a model would see it.

import type { ServerResponse } from 'node:http'
import type { Act } from '../contracts/scenarios.ts'
import { type Careless, sendCareless } from './careless.ts'
import { ollamaWire } from './openai-compatible.ts'
import { type FakeServer, perform, type Seen, serve, type VendorWire, wordsIn } from './scripted-server.ts'

export type Round = 'R1' | 'R2' | 'R3'

/** What a model says, as JSON. */
export type Answer = { readonly [name: string]: unknown }

/** What a model does when it is asked in a round; the last act repeats. An object is answered as JSON. */
export type Doing = Act | Answer | { readonly careless: Careless } | ((asked: Seen) => object)

export type Script = { readonly [round in Round]?: readonly Doing[] }

interface Heard {
  readonly model: string
  readonly round: Round
  readonly words: string
  readonly body: unknown
}

export interface CouncilServer extends FakeServer {
  /** Askings in the order in which they came. */
  readonly heard: readonly Heard[]
  /** `R1 a`, `R2 b`, … */
  readonly calls: () => readonly string[]
}

export const USAGE = { inputTokens: 1_000, outputTokens: 200 }

export const opinion = (more: object = {}): Answer => ({
  stance: 'adopt',
  summary: 'It is small and can be undone.',
  details: {
    understanding: 'Whether to do it.',
    key_considerations: ['cost', 'reversibility'],
    recommendation: 'Do it behind a flag.',
    rationale: 'The risk is low.',
  },
  risks: [{ description: 'It may be slow.', severity: 'medium', mitigation: 'Measure it.' }],
  assumptions: ['The load stays as it is.'],
  questions: [],
  confidence: 'medium',
  ...more,
})

export const finding = (more: object = {}): Answer => ({
  rule: 'CWE-89',
  severity: 'high',
  category: 'security',
  file: 'src/a.ts',
  line: 2,
  quote: 'query',
  description: 'The query is put together from text.',
  rationale: 'Anyone can end it.',
  fix: 'Bind the value.',
  impact: 'Data leak.',
  tests: 'A quote in the name.',
  priority: 'now',
  ...more,
})

export const target = (label: string, more: object = {}): Answer => ({
  target: label,
  errors: 'none found',
  omissions: 'none found',
  risks: 'none found',
  counter_arguments: 'none found',
  assumptions: 'none found',
  critiques: [],
  agreement_points: ['It can be undone.'],
  disagreement_points: [],
  ...more,
})

export const critique = (more: object = {}): Answer => ({
  kind: 'omission',
  severity: 'low',
  description: 'It forgets the backups.',
  location: 'recommendation',
  correction: 'Name them.',
  ...more,
})

export const review = (more: object = {}): Answer => ({
  targets: [target('A'), target('B')],
  stance_after: 'adopt',
  recommendation_after: 'Do it behind a flag.',
  why: 'The others say the same.',
  confidence: 'medium',
  ...more,
})

export const report = (more: object = {}): Answer => ({
  decision: 'adopt',
  conclusion: 'Do it behind a flag.',
  need_info_reason: '',
  summary: 'All agree that it can be undone.',
  confidence: 'medium',
  rationale: [{ point: 'It can be undone.', supported_by: ['op-1', 'op-2'] }],
  risks: [],
  next_actions: [{ action: 'Measure it.', priority: 'now', success_criteria: 'p99 below 50 ms' }],
  disagreements: [],
  uncertainties: [{ point: 'The load.', confidence: 'low', verification: 'Ask operations.' }],
  consensus_points: ['It can be undone.'],
  answered_critiques: [],
  ...more,
})

const reviewing = (script: object): object => ({ findings: [], ...script })

/** What a model says that has nothing of its own to say, fit for the mode that is asked for. */
function defaultOf(round: Round, schema: Schema): object {
  const inReview = (name: string): boolean => schema.properties?.[name] !== undefined
  const architecture = inReview('alternatives')
    ? { alternatives: [], verification_plan: [], in_scope: [], out_of_scope: [], information_needed: [] }
    : {}
  if (round === 'R1') return { ...opinion(inReview('findings') ? { findings: [] } : {}), ...architecture }
  if (round === 'R3') return { ...report(inReview('findings') ? { findings: [] } : {}), ...architecture }
  if (!inReview('missed_findings')) return review()
  return review({ targets: ['A', 'B'].map((label) => reviewing(target(label))), missed_findings: [] })
}

interface Schema {
  readonly properties?: { readonly [name: string]: unknown }
}

function schemaIn(body: unknown): Schema {
  const format = (body as { response_format?: { json_schema?: { schema?: Schema } } }).response_format
  return format?.json_schema?.schema ?? {}
}

function roundOf(schema: Schema): Round {
  if (schema.properties?.targets) return 'R2'
  return schema.properties?.decision ? 'R3' : 'R1'
}

const isCareless = (doing: object): doing is { careless: Careless } => 'careless' in doing
const isAct = (doing: object): doing is Act => 'act' in doing

const answering = (object: object): Act => ({ act: 'answer', text: JSON.stringify(object), usage: USAGE })

/** The same wire with a bill in dollars for every answer, as some sellers send it. */
const billing = (usd: number): VendorWire => ({
  ...ollamaWire,
  end: (answer, request) =>
    ollamaWire.end(answer, request).map((one) => one.replace(/"total_tokens":\d+/, `$&,"cost":${usd}`)),
})

interface Playing {
  readonly bill?: number | null
  readonly delayMs?: number
  /** Told of each asking as it comes. */
  tell?(asked: Heard): void
}

export async function playCouncil(
  scripts: Readonly<Record<string, Script>> = {},
  { bill = null, delayMs = 0, tell }: Playing = {},
): Promise<CouncilServer> {
  const wire = bill === null ? ollamaWire : billing(bill)
  const heard: Heard[] = []
  const counts = new Map<string, number>()

  function doingOf(model: string, round: Round, request: Seen): Act | { readonly careless: Careless } {
    const script = scripts[model]?.[round] ?? []
    const nth = counts.get(`${model} ${round}`) ?? 0
    counts.set(`${model} ${round}`, nth + 1)
    const doing = script[Math.min(nth, script.length - 1)] ?? defaultOf(round, schemaIn(request.body))
    const made = typeof doing === 'function' ? doing(request) : doing
    const done = 'usual' in made ? defaultOf(round, schemaIn(request.body)) : made
    return isAct(done) || isCareless(done) ? done : answering(done)
  }

  const server = await serve(async (request: Seen, response: ServerResponse) => {
    if (!ollamaWire.path.test(request.path)) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: Object.keys(scripts).map((id) => ({ id })) }))
      return
    }
    const { model } = request.body as { model: string }
    const round = roundOf(schemaIn(request.body))
    const one = { model, round, words: wordsIn(request.body), body: request.body }
    heard.push(one)
    tell?.(one)
    const doing = doingOf(model, round, request)
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    if ('careless' in doing) sendCareless(doing.careless, request, response)
    else await perform(wire, doing, request, response)
  })
  return { ...server, heard, calls: () => heard.map(({ round, model }) => `${round} ${model}`) }
}
