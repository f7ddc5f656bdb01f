// What scripted minds say in the tests of the council: complete answers of every round and mode, in the shape that is
// asked for, each with what a test wants to be different.

import type { Json } from '../../src/ledger/canonical.ts'
import { ASKED_OPINION, type Mode } from './all-of-council.ts'

export type Answer = { readonly [name: string]: Json }

export const askedFinding = (more: Answer = {}): Answer => ({
  rule: 'CWE-89',
  severity: 'high',
  category: 'security',
  file: 'src/a.ts',
  line: 3,
  quote: 'query(name)',
  description: 'the query is put together from input',
  rationale: 'input reaches the database',
  fix: 'bind the value',
  impact: 'data leaks',
  tests: 'a name with a quote in it',
  priority: 'now',
  ...more,
})

const ARCHITECTURE: Answer = {
  alternatives: [{ name: 'a queue', pros: ['simple'], cons: ['late'], when_to_use: 'at low load' }],
  verification_plan: ['measure the load for a week'],
  in_scope: ['the writers'],
  out_of_scope: ['the readers'],
  information_needed: [],
}

export const opinionAnswer = (mode: Mode = 'ask', more: Answer = {}): Answer => ({
  stance: 'adopt',
  summary: 'Take the cache.',
  details: {
    understanding: 'whether to put a cache before the reader',
    key_considerations: ['load', 'staleness'],
    recommendation: 'Put a small cache before the reader and measure it.',
    rationale: 'Reads repeat.',
  },
  risks: [{ description: 'stale reads', severity: 'medium', mitigation: 'expire entries' }],
  assumptions: ['reads repeat'],
  questions: ['how stale may it be?'],
  confidence: 'high',
  ...(mode === 'architecture' ? ARCHITECTURE : {}),
  ...(mode === 'review' ? { findings: [askedFinding()] } : {}),
  ...more,
})

export const critique = (more: Answer = {}): Answer => ({
  kind: 'omission',
  severity: 'medium',
  description: 'says nothing of eviction',
  location: 'recommendation',
  correction: 'name a policy',
  ...more,
})

export const target = (label: string, mode: Mode = 'ask', more: Answer = {}): Answer => ({
  target: label,
  errors: 'none found',
  omissions: 'eviction',
  risks: 'none found',
  counter_arguments: 'no cache at all',
  assumptions: 'reads repeat: holds',
  critiques: [critique()],
  agreement_points: ['measuring'],
  disagreement_points: [],
  ...(mode === 'review' ? { findings: [] } : {}),
  ...more,
})

export const reviewAnswer = (labels: readonly string[], mode: Mode = 'ask', more: Answer = {}): Answer => ({
  targets: labels.map((label) => target(label, mode)),
  ...(mode === 'review' ? { missed_findings: [] } : {}),
  stance_after: 'adopt',
  recommendation_after: 'Put a small cache before the reader.',
  why: 'nothing speaks against it',
  confidence: 'high',
  ...more,
})

export const reportAnswer = (cited: readonly string[], mode: Mode = 'ask', more: Answer = {}): Answer => ({
  decision: 'adopt',
  conclusion: 'Take the cache.',
  need_info_reason: '',
  summary: 'Everybody would take it.',
  confidence: 'medium',
  rationale: [{ point: 'reads repeat', supported_by: cited }],
  risks: [
    {
      description: 'stale reads',
      severity: 'medium',
      mitigation: 'expire',
      mentioned_by: cited,
      status: 'agreed',
    },
  ],
  next_actions: [{ action: 'measure', priority: 'now', success_criteria: 'half the load' }],
  disagreements: [],
  uncertainties: [{ point: 'the load', confidence: 'low', verification: 'measure' }],
  consensus_points: ['measuring'],
  answered_critiques: [],
  ...(mode === 'architecture' ? ARCHITECTURE : {}),
  ...(mode === 'review' ? { findings: [] } : {}),
  ...more,
})

/** The members that a mode asks for, so that tests notice a member that was forgotten here. */
export const askedMembers = (mode: Mode): readonly string[] =>
  Object.keys(ASKED_OPINION[mode].properties as object).sort()
