// The prompts of a session, each a pure function of folded state and available artifacts: anyone who has both
// can build the same prompt again and compare it with the recorded one.

import { canonicalize } from '../../ledger/canonical.ts'
import { promptSeed } from '../../ledger/text/fence.ts'
import { type Edition, editionOf } from '../editions.ts'
import { quoted, source } from '../quoted-sources.ts'
import { REPLIES } from '../replies.ts'
import { type Intent, intentsOf, type Proposal, type SessionState } from '../state.ts'
import type { Plan, Task } from '../task.ts'
import { boundsUnusable, missingQuotes, showsNearest } from '../unusable-answer.ts'
import { writeCompleting } from './completing.ts'
import { type Asked, type AskedRole, type Material, type Prompt, SHOWN_BYTES, Writer } from './material.ts'
import { WORDS } from './words.ts'

const lines = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')

interface PromptDraft {
  readonly writer: Writer
  readonly task: Task
  readonly words: (typeof WORDS)[Edition['words']]
  /** Adds what the asking completes, when it completes an earlier answer. */
  readonly complete: () => void
}

function beginPrompt(state: SessionState, action: string, material: Material): PromptDraft {
  const { task, trace } = state
  if (!task) throw new RangeError('a session that is not opened has no prompts')
  const { words, marks } = editionOf(task)
  const seed = marks === 'asking' ? promptSeed(task.seed, trace, action) : task.seed
  const writer = new Writer(material, seed)
  writer.words('objective', 'the task', task.objective, { kind: 'terms', id: 'objective' })
  if (task.constraints.length > 0)
    writer.words('constraints', 'constraints', lines(task.constraints), { kind: 'terms', id: 'constraints' })
  const own = WORDS[words]
  const asked = { action, subject: '' }
  return { writer, task, words: own, complete: () => writeCompleting(writer, state, asked, material, own) }
}

function finishPrompt({ writer, task, words, complete }: PromptDraft, role: AskedRole): Prompt {
  complete()
  const schema = REPLIES[editionOf(task).replies][role]
  return { system: words.system[role], parts: writer.parts, schema }
}

function tools(writer: Writer, task: Task, only: readonly string[] | null): void {
  for (const { name, definition } of task.tools) {
    if (only === null || only.includes(name)) writer.artifact('tool', definition)
  }
}

const planText = (plan: Plan): string => canonicalize({ ...plan })

function proposalPart(writer: Writer, state: SessionState, { id, plan }: Proposal): void {
  writer.words('proposal', `proposal ${id}`, planText(plan), quoted(state, source.proposal(id)))
}

export function plannerPrompt(state: SessionState, { action }: Asked, material: Material): Prompt {
  const begun = beginPrompt(state, action, material)
  const { writer, task, words } = begun
  tools(writer, task, null)
  for (const proposal of state.proposals.values()) {
    if (proposal.status !== 'rejected') continue
    proposalPart(writer, state, proposal)
    for (const { seat, reasons } of proposal.reviews.values()) {
      const quotes = quoted(state, source.review(proposal.id, seat))
      writer.words('reviews', `what ${seat} said of ${proposal.id}`, lines(reasons), quotes)
    }
  }
  writer.own('instructions', ...words.instructions.plan)
  return finishPrompt(begun, 'planner')
}

function history(writer: Writer, state: SessionState, intents: readonly Intent[]): void {
  const ended = intents.filter(({ artifacts }) => artifacts.length > 0)
  const latest = ended.at(-1)
  for (const intent of intents) {
    const { id, tool, status, reason, input } = intent
    const intentJson = canonicalize({ intent: id, tool, input, status, reason })
    writer.words('intent', `intent ${id}`, intentJson, quoted(state, source.intent(id)))
    const outputs = intent.artifacts.filter((hash) => hash !== intent.inputHash)
    for (const hash of outputs) {
      if (intent === latest) writer.artifact('result', hash)
      else writer.head('earlier-result', hash)
    }
  }
}

function lastTurn({ writer, words }: PromptDraft, state: SessionState, { id, turns }: Proposal): void {
  const turn = turns.at(-1)
  if (turn?.objection) {
    const quotes = quoted(state, source.answer(id))
    writer.words('objection', 'why your last answer was not taken', turn.objection, quotes)
    if (turn.kind === 'page' && boundsUnusable(state.task))
      writer.own('artifacts', ...words.artifacts([...state.produced.keys()]))
  }
  if (turn?.page)
    writer.artifact('page', turn.page.artifact, turn.page.start, Math.min(turn.page.length, SHOWN_BYTES))
}

function mending(state: SessionState, { action, subject }: Asked, material: Material): Prompt | null {
  const claim = state.claims.get(subject)
  if (!claim) return null
  const begun = beginPrompt(state, action, material)
  const { writer, words } = begun
  const claimJson = canonicalize({ text: claim.text, evidence: claim.evidence })
  writer.words('claim', `claim ${claim.id}`, claimJson, quoted(state, source.claim(claim.id)))
  for (const [i, { ground, reason }] of claim.challenges.entries()) {
    const quotes = quoted(state, source.challenge(claim.id, i))
    writer.words('challenges', `why ${claim.id} was challenged`, `${ground}: ${reason}`, quotes)
  }
  history(writer, state, intentsOf(state, claim.proposal))
  if (showsNearest(state, claim)) {
    for (const { artifact, quote } of missingQuotes(claim)) writer.nearest('nearest', artifact, quote)
    writer.own('nearest-words', ...words.instructions.nearest)
  }
  writer.own('instructions', ...words.instructions.mend)
  return finishPrompt(begun, 'executor')
}

/** Of a proposal that is in progress or was stopped, or of a claim that was challenged. */
export function executorPrompt(state: SessionState, asked: Asked, material: Material): Prompt {
  const mended = mending(state, asked, material)
  if (mended) return mended
  const { action, subject } = asked
  const proposal = state.proposals.get(subject)
  if (!proposal) throw new RangeError(`there is no ${subject} to carry out`)
  const begun = beginPrompt(state, action, material)
  const { writer, task, words } = begun
  proposalPart(writer, state, proposal)
  for (const { seat, verdict, conditions } of proposal.reviews.values()) {
    if (verdict !== 'conditional') continue
    const quotes = quoted(state, source.review(proposal.id, seat))
    writer.words('conditions', 'conditions of the approval', canonicalize({ ...conditions }), quotes)
  }
  tools(writer, task, proposal.plan.required_tools)
  history(writer, state, intentsOf(state, proposal.id))
  lastTurn(begun, state, proposal)
  const isOver = state.phase === 'claiming'
  const stepsLeft = task.limits.steps - state.steps
  const [id, ask] = isOver ? words.instructions.claim : words.instructions.act
  writer.own('instructions', id, ask)
  writer.own('bounds', ...words.bounds(stepsLeft, task.evidence_min))
  return finishPrompt(begun, 'executor')
}

const assessed = ({ decision, needs, risk, deciding, reasons }: NonNullable<Intent['assessment']>) => ({
  decision,
  needs,
  risk,
  deciding,
  reasons,
})

function intentParts(state: SessionState, writer: Writer, intent: Intent): void {
  const { id, tool, input, justification, assessment } = intent
  const proposal = state.proposals.get(intent.proposal)
  if (proposal) proposalPart(writer, state, proposal)
  const intentJson = canonicalize({ tool, input, justification, risk: intent.risk })
  writer.words('intent', `intent ${id}`, intentJson, quoted(state, source.intent(id)))
  writer.words(
    'policy',
    'what the policy decided',
    canonicalize(assessment && assessed(assessment)),
    quoted(state, source.assessment(id)),
  )
}

/** Of a proposal, an intent or a claim. */
export function criticPrompt(state: SessionState, { action, subject }: Asked, material: Material): Prompt {
  const begun = beginPrompt(state, action, material)
  const { writer, task, words } = begun
  const proposal = state.proposals.get(subject)
  const intent = state.intents.get(subject)
  const claim = state.claims.get(subject)
  if (proposal) {
    proposalPart(writer, state, proposal)
    tools(writer, task, proposal.plan.required_tools)
    writer.own('instructions', ...words.instructions.reviewProposal)
  } else if (intent) {
    intentParts(state, writer, intent)
    tools(writer, task, [intent.tool])
    writer.own('instructions', ...words.instructions.reviewIntent)
  } else if (claim) {
    writer.words(
      'claim',
      `claim ${claim.id}`,
      canonicalize({ text: claim.text, confidence: claim.confidence }),
      quoted(state, source.claim(claim.id)),
    )
    for (const { artifact, range, quote } of claim.evidence) {
      writer.words('quote', `quoted from ${artifact}`, quote, { kind: 'artifact', id: artifact })
      if (range) writer.artifact('around', artifact, Math.max(0, range[0] - 500), 1_000 + quote.length)
    }
    writer.own('instructions', ...words.instructions.weighClaim)
  } else throw new RangeError(`there is no ${subject} to judge`)
  return finishPrompt(begun, 'critic')
}

/**
 * What a council is asked about an intent (the objective, the intent with its arguments, the policy's decision) or
 * about a proposal (the objective, the proposal, the tools that it needs). All its seats are shown the same, each
 * between its own tags; the marks in it are in no prompt of the session.
 */
export function councilParts(
  state: SessionState,
  subject: string,
  council: string,
  material: Material,
): Prompt['parts'] {
  const intent = state.intents.get(subject)
  const proposal = state.proposals.get(subject)
  const { writer, task } = beginPrompt(state, `council/${council}`, material)
  if (proposal) {
    proposalPart(writer, state, proposal)
    tools(writer, task, proposal.plan.required_tools)
  } else if (intent) {
    intentParts(state, writer, intent)
    tools(writer, task, [intent.tool])
  } else throw new RangeError(`there is no ${subject} to judge`)
  return writer.parts
}

/** Hashes of the artifacts that a prompt about this subject may show, to be loaded before it is made. */
export function artifactsShown(state: SessionState, subject: string): readonly string[] {
  const { task } = state
  const definitions = task?.tools.map(({ definition }) => definition) ?? []
  const claim = state.claims.get(subject)
  const quoted = claim?.evidence.map(({ artifact }) => artifact) ?? []
  const own = intentsOf(state, claim?.proposal ?? subject).flatMap(({ artifacts }) => artifacts)
  const page = state.proposals.get(subject)?.turns.at(-1)?.page
  return [...new Set([...definitions, ...quoted, ...own, ...(page ? [page.artifact] : [])])]
}
