// Three models at one address: opinions, reviews and a report, each as the shape that is asked for wants it.
import { fileURLToPath } from 'node:url'
import { listen, replies, withServer } from '../model-server.js'

const sentence =
  'The change is small, reversible and tested, and the cost of waiting is higher than that of acting.'
const OPINION = {
  stance: 'adopt',
  summary: sentence,
  details: {
    understanding: sentence,
    key_considerations: Array.from({ length: 6 }, (_, i) => `${i + 1}. ${sentence}`),
    recommendation: 'Do it behind a flag, measure for a week, then decide about the rest.',
    rationale: sentence,
  },
  risks: [{ description: sentence, severity: 'medium', mitigation: 'Measure it.' }],
  assumptions: [sentence],
  questions: [],
  confidence: 'medium',
}
const target = (label) => ({
  target: label,
  errors: 'none found',
  omissions: sentence,
  risks: 'none found',
  counter_arguments: sentence,
  assumptions: 'none found',
  critiques: [
    { kind: 'omission', severity: 'low', description: sentence, location: 'rationale', correction: sentence },
  ],
  agreement_points: [sentence],
  disagreement_points: [],
})
const REVIEW = {
  targets: [target('A'), target('B')],
  stance_after: 'adopt',
  recommendation_after: 'Do it behind a flag.',
  why: sentence,
  confidence: 'medium',
}
const REPORT = {
  decision: 'adopt',
  conclusion: 'Do it behind a flag.',
  need_info_reason: '',
  summary: sentence,
  confidence: 'medium',
  rationale: [{ point: sentence, supported_by: ['op-1', 'op-2', 'rv-3'] }],
  risks: [],
  next_actions: [{ action: 'Measure it.', priority: 'now', success_criteria: 'p99 below 50 ms' }],
  disagreements: [],
  uncertainties: [],
  consensus_points: [sentence],
  answered_critiques: [],
}
const script = fileURLToPath(import.meta.url)

/** `delay`: how long each call takes. */
export const withCouncilServer = (use, delay = 0) => withServer(script, use, delay)

if (process.argv[2] === '--listen') {
  const [opinion, review, report] = [OPINION, REVIEW, REPORT].map(replies)
  listen((body) => {
    if (body.includes('"stance_after"')) return review
    return body.includes('"conclusion"') ? report : opinion
  }, Number(process.argv[3]))
}
