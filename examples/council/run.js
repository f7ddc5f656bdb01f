// A council from a program: three seats, a question, the events as they come, the result, and the verdict on its
// trace. It brings its own models, so that it runs anywhere and needs no key; swap them for real ones, as shown below.
// Run it with: node examples/council/run.js
import assert from 'node:assert/strict'
import { council, inStore } from 'witan/council'
import { createSeat } from 'witan/models'

/** A mind is one function; this one has its mind made up. */
function settled(name, stance, recommendation) {
  const answers = {
    R1: () => ({
      stance,
      summary: recommendation,
      details: {
        understanding: 'Whether to do it now.',
        key_considerations: ['risk'],
        recommendation,
        rationale: 'Experience.',
      },
      risks: [],
      assumptions: [],
      questions: [],
      confidence: 'medium',
    }),
    R2: ({ parts }) => ({
      targets: parts
        .filter((part) => part.name === 'opinions')
        .map((part) => ({
          target: JSON.parse(part.text).opinion,
          errors: 'none found',
          omissions: 'It does not say who does it.',
          risks: 'none found',
          counter_arguments: 'none found',
          assumptions: 'none found',
          critiques: [],
          agreement_points: [],
          disagreement_points: [],
        })),
      stance_after: stance,
      recommendation_after: recommendation,
      why: 'Nothing new was said.',
      confidence: 'medium',
    }),
    R3: () => ({
      decision: 'adopt',
      conclusion: 'Do it on Monday.',
      need_info_reason: '',
      summary: 'Two of three want it; the third only wants it later.',
      confidence: 'medium',
      rationale: [{ point: 'Most agree.', supported_by: ['op-1', 'op-2'] }],
      risks: [],
      next_actions: [
        { action: 'Name who does it.', priority: 'now', success_criteria: 'A name is written down.' },
      ],
      disagreements: [
        {
          topic: 'when',
          positions: [{ held_by: ['op-3'], position: 'later' }],
          resolution: 'Monday',
          why: 'A compromise.',
        },
      ],
      uncertainties: [],
      consensus_points: [],
      answered_critiques: [],
    }),
  }
  const roundOf = ({ properties }) => (properties.targets ? 'R2' : properties.decision ? 'R3' : 'R1')
  return {
    provider: name,
    model: 'settled-1',
    transport: 'replay',
    available: async () => ({ ready: true, detail: 'always', next: null }),
    async ask(request) {
      return {
        ok: true,
        text: JSON.stringify(answers[roundOf(request.schema)](request)),
        usage: { inputTokens: null, outputTokens: null },
        cost: null,
        latencyMs: 0,
        transport: 'replay',
        model: 'settled-1',
      }
    },
  }
}

// A real one: apiMind({ kind: 'anthropic', name: 'claude', model: '…', baseUrl: null, apiKey: async () => process.env.ANTHROPIC_API_KEY })
const seat = (name, stance, words) => ({
  seat: createSeat({
    provider: name,
    model: 'settled-1',
    roles: ['participant'],
    minds: [settled(name, stance, words)],
  }),
})

const storage = await inStore() // in memory; inHome() keeps it where the command keeps it
const run = council({
  question: 'Shall we move the release to Monday?',
  seats: [
    seat('ada', 'adopt', 'Move it.'),
    seat('bob', 'adopt', 'Move it, and tell everyone.'),
    seat('cyd', 'reject', 'Move it a week later.'),
  ],
  chairs: ['ada'],
  storage,
})

for await (const { seq, type, actor } of run)
  console.log(`${String(seq).padStart(3)}  ${actor.agent.padEnd(9)} ${type}`)
const { report, metrics, trace } = await run.result

console.log(`\n${report.decision}: ${report.conclusion}`)
assert.equal(report.decision, 'adopt')
assert.deepEqual(report.majority, { stance: 'adopt', counts: { adopt: 2, reject: 1 }, departed: false })
assert.equal(metrics.calls, 7)
assert.equal((await storage.ports.store.head(trace)).header.type, 'council_closed')
console.log('as expected')
