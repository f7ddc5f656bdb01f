// The result of a session of agents, as blocks: what was proven and by which act, what was not, and
// everything that was done. Each claim leads to the act that its evidence comes from, each act to the event
// that signed it.

import { isTerminal } from '../../agents/lifecycle.ts'
import { outcomeWords, resultOf, type SessionResult } from '../../agents/result.ts'
import type { Intent, SessionState } from '../../agents/state.ts'
import { SCRIPTED_DEMO } from '../../ledger/scripted.ts'
import { actWords } from '../call-words.ts'
import { type Block, type Item, type Note, note, section, type Tone } from '../report/document.ts'
import { count } from '../story/story-line.ts'

type EventAt = (hash: string) => string | undefined

const anchorOf = (intent: string): string => `act-${intent}`

const DONE: Readonly<Record<Intent['status'], readonly [string, Tone]>> = {
  signed: ['waits', 'open'],
  blocked: ['blocked', 'bad'],
  started: ['started', 'open'],
  lost: ['cut off', 'bad'],
  indeterminate: ['whether it ran is not known', 'bad'],
  completed: ['done', 'good'],
  failed: ['failed', 'bad'],
  repeated: ['asked for again', 'plain'],
  void: ['not done', 'plain'],
}

/** For a call that was made, whether or not it ended. */
const MADE: readonly Intent['status'][] = ['started', 'lost', 'indeterminate', 'completed', 'failed']

const withStatus = ({ intents }: SessionState, among: readonly Intent['status'][]): number =>
  [...intents.values()].filter(({ status }) => among.includes(status)).length

/** As the policy assessed it; before that, as it was intended. */
const riskOf = ({ assessment, risk }: Intent) => assessment?.risk ?? risk

const isSevere = (intent: Intent): boolean => ['high', 'critical'].includes(riskOf(intent))

const actItem =
  (eventAt: EventAt) =>
  (intent: Intent): Item => {
    const { id, tool, input, status, reason, justification, hash } = intent
    const [word, tone] = DONE[status]
    const event = eventAt(hash)
    return {
      id: anchorOf(id),
      ...(event !== undefined && { event }),
      lead: `${word}: ${actWords(tool, input)}`,
      tone,
      text: reason ?? '',
      notes: [...note('for', justification), ...(isSevere(intent) ? note('risk', riskOf(intent)) : [])],
    }
  }

function evidenceNotes(evidence: SessionResult['proven'][number]['evidence'], state: SessionState): Note[] {
  return evidence.map(({ artifact, quote }): Note => {
    const from = state.produced.get(artifact)?.intent
    const intent = from === undefined ? undefined : state.intents.get(from)
    const label = intent ? actWords(intent.tool, intent.input) : `artifact ${artifact.slice(0, 12)}`
    return { name: `“${quote}”`, text: label, sources: [{ label, id: intent ? anchorOf(intent.id) : null }] }
  })
}

function verdictOf(state: SessionState, result: SessionResult): Block {
  const isOver = isTerminal(state.phase)
  const word = isOver ? outcomeWords(result) : `under way: ${state.phase}`
  const tone = !isOver ? 'open' : word === 'completed' ? 'good' : 'bad'
  const blocked = withStatus(state, ['blocked'])
  return {
    kind: 'verdict',
    tone,
    label: `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
    detail: [
      `${count(result.proven.length, 'claim')} proven, ${result.unproven.length} not proven`,
      `${count(withStatus(state, MADE), 'call')} of tools`,
      ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ].join(', '),
    about: state.task?.objective ?? '',
    basis: '',
  }
}

function noticesOf({ task, gaps }: SessionState): readonly string[] {
  return [
    ...(task?.scripted ? [`${SCRIPTED_DEMO.charAt(0).toUpperCase()}${SCRIPTED_DEMO.slice(1)}.`] : []),
    ...(task?.policy.observe ? ['Not gated: calls were recorded and none was held up.'] : []),
    ...(gaps.length > 0 ? [`Not everything is recorded: ${count(gaps.length, 'gap')}.`] : []),
  ]
}

export function sessionBlocks(trace: string, state: SessionState, eventAt: EventAt): readonly Block[] {
  const result = resultOf(trace, state)
  const proven = result.proven.map(
    ({ text, confidence, evidence }): Item => ({
      lead: `confidence ${confidence}`,
      tone: 'good',
      text,
      notes: evidenceNotes(evidence, state),
    }),
  )
  const unproven = result.unproven.map(({ text, reason }): Item => ({ text, notes: note('why', reason) }))
  const plans = result.proposals.map(
    ({ id, objective, status, outcome, reason }): Item => ({
      lead: `${id}: ${outcome ?? status}`,
      tone:
        outcome === 'succeeded' ? 'good' : outcome === 'failed' || status === 'rejected' ? 'bad' : 'plain',
      text: objective,
      notes: note('why', reason ?? ''),
    }),
  )
  return [
    verdictOf(state, result),
    ...noticesOf(state).map((text): Block => ({ kind: 'notice', text })),
    ...section('Proven', proven),
    ...section('Not proven', unproven),
    ...section('Proposals', plans),
    ...section('What was done', [...state.intents.values()].map(actItem(eventAt))),
  ]
}
