// How answers to a council are read: the requested shapes, with accepted synonyms, which members have
// defaults, and which have none: a stance, a decision, some content, and a target that was shown.

import type { WantedValue, Words } from '../../reply/wanted.ts'
import type { Edition } from '../editions.ts'
import { type Mode, STANCES_OF, UNSTATED } from './opinion.ts'
import { ASKED_REPORT, ASKED_REVIEW, OPINION_READ } from './schemas.ts'

const STANCE_WORDS: Words = {
  adopt: ['adopted', 'accept', 'accepted', 'approve', 'approved', 'yes'],
  reject: ['rejected', 'decline', 'declined', 'no', 'oppose'],
  answer: ['answered'],
  'need-info': [
    'needs info',
    'need more info',
    'needs more info',
    'need information',
    'needs information',
    'need more information',
    'needs more information',
    'insufficient information',
  ],
}
const REJECTED_IN_REVIEWS = ['request changes', 'changes requested']

/** The stances of a mode, each with its synonyms. */
function stanceWords(mode: Mode): Words {
  const words = STANCES_OF[mode].map((stance) => {
    const more = stance === 'reject' && mode === 'review' ? REJECTED_IN_REVIEWS : []
    return [stance, [...(STANCE_WORDS[stance] ?? []), ...more]]
  })
  return Object.fromEntries(words)
}

const SEVERITY_WORDS: Words = {
  critical: ['blocker', 'P0'],
  high: ['major', 'severe', 'P1'],
  medium: ['moderate', 'normal', 'P2'],
  low: ['minor', 'info', 'informational', 'trivial', 'nit', 'negligible', 'P3'],
}
const PRIORITY_WORDS: Words = {
  now: ['immediate', 'immediately', 'urgent', 'high', 'critical', 'P0'],
  soon: ['next', 'medium', 'P1'],
  later: ['low', 'nice to have', 'eventually', 'P2', 'P3'],
}
const CATEGORY_WORDS: Words = {
  correctness: ['bug', 'logic'],
  security: ['vulnerability'],
  performance: ['perf'],
  maintainability: ['style', 'readability'],
  testing: ['test', 'tests'],
  documentation: ['docs'],
}
const STAKES_WORDS: Words = {
  low: ['minor', 'trivial', 'negligible'],
  medium: ['moderate'],
  high: ['critical', 'severe', 'major', 'very high'],
}
const CRITIQUE_WORDS: Words = {
  error: ['mistake', 'factual error'],
  omission: ['missing'],
  alternative: ['counter argument'],
}
const FINDING_VERDICT_WORDS: Words = {
  confirmed: ['confirm', 'valid', 'true positive'],
  false_positive: ['invalid', 'not an issue'],
}

const rulesOf = (mode: Mode): WantedValue['rules'] => ({
  stance: { words: stanceWords(mode) },
  stance_after: { words: stanceWords(mode) },
  decision: { words: stanceWords(mode) },
  details: { beside: true, text: 'rationale' },
  confidence: { as: 'confidence', default: 'low' },
  stakes: { words: STAKES_WORDS, default: UNSTATED },
  severity: { words: SEVERITY_WORDS, default: 'medium' },
  category: { words: CATEGORY_WORDS, default: 'other' },
  priority: { words: PRIORITY_WORDS, default: 'soon' },
  kind: { words: CRITIQUE_WORDS, default: 'error' },
  status: { default: 'disputed' },
  verdict: { words: FINDING_VERDICT_WORDS },
  finding: { as: 'id' },
  targets: { key: 'target', shownOnly: 'target' },
  'targets[].target': { as: 'label' },
  answered_critiques: { key: 'critique' },
  critique: { as: 'id', default: '' },
  supported_by: { as: 'id' },
  mentioned_by: { as: 'id' },
  held_by: { as: 'id' },
  sources: { as: 'id' },
})

export const wantedOpinion = (mode: Mode, shapes: Edition['shapes'] = 1): WantedValue => ({
  form: 'value',
  schema: OPINION_READ[shapes][mode],
  rules: rulesOf(mode),
  says: ['summary', 'details.recommendation'],
  bare: [],
  acts: false,
  wrappers: ['opinion', 'opinions'],
  prose: stanceWords(mode),
})

export const wantedReview = (mode: Mode): WantedValue => ({
  form: 'value',
  schema: ASKED_REVIEW[mode],
  rules: rulesOf(mode),
  says: [],
  bare: [],
  acts: false,
  wrappers: ['review', 'reviews'],
  prose: null,
})

export const wantedReport = (mode: Mode): WantedValue => ({
  form: 'value',
  schema: ASKED_REPORT[mode],
  rules: rulesOf(mode),
  says: ['conclusion', 'summary'],
  reasonFor: { word: 'decision', is: 'need-info', needs: 'need_info_reason' },
  bare: [],
  acts: false,
  wrappers: ['report', 'final_report'],
  prose: null,
})
