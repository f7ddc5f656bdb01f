// What three scripted members say in the demo council: they disagree, a review convinces one of them, one
// stays, and the chair leaves one severe point open. Data, and the little that a member must read in its
// prompt.

import type { ScriptAnswer, ScriptAsked } from '../../models/scripted-server.ts'

export const QUESTION =
  'Two workers sometimes pick up the same order, and it ships twice. Shall we guard picking with a lock in Redis?'

/** In the order of their seats; the first takes the chair. */
export const MEMBERS = ['scripted-ada', 'scripted-ben', 'scripted-cho'] as const
type Member = (typeof MEMBERS)[number]

const OPINIONS: Readonly<Record<Member, object>> = {
  'scripted-ada': {
    details: {
      understanding: 'Whether a lock in Redis is the right guard against picking an order twice.',
      key_considerations: ['Customers receive two parcels today.', 'Redis already runs for sessions.'],
      rationale: 'A lock for each order id is a day of work, and Redis is already on call.',
      recommendation: 'Add the lock this week, with an expiry of 30 seconds.',
    },
    risks: [
      {
        description: 'When Redis is down, nothing is picked.',
        mitigation: 'Alert on it and pick by hand.',
        severity: 'medium',
      },
    ],
    assumptions: ['A worker never holds an order longer than 30 seconds.'],
    questions: [],
    summary: 'Yes. A lock for each order is a day of work and stops the double parcels this week.',
    confidence: 'medium',
    stakes: 'medium',
    stance: 'adopt',
  },
  'scripted-ben': {
    details: {
      understanding: 'Whether mutual exclusion belongs into a second system.',
      key_considerations: ['A lock that expires is no lock.', 'The orders already live in one database.'],
      rationale:
        'A worker that pauses longer than the expiry wakes up and ships an order that another one holds.',
      recommendation: 'Pick with SELECT … FOR UPDATE SKIP LOCKED, and make (order, parcel) unique.',
    },
    risks: [
      {
        description: 'A worker that pauses past the expiry ships what another worker already holds.',
        mitigation: 'Let the database refuse the second parcel.',
        severity: 'high',
      },
    ],
    assumptions: ['All workers use the same PostgreSQL.'],
    questions: [],
    summary: 'No. The lock can expire while a worker still works; the database can refuse a second parcel.',
    confidence: 'high',
    stakes: 'medium',
    stance: 'reject',
  },
  'scripted-cho': {
    details: {
      understanding: 'Whether picking is really where the duplicates come from.',
      key_considerations: ['Nobody has counted the duplicates.', 'The queue also delivers twice on restart.'],
      rationale:
        'If the queue repeats a message, neither a lock nor a row lock at picking removes the cause.',
      recommendation: 'Log worker, order and delivery count for two days, then decide.',
    },
    risks: [
      {
        description: 'We fix picking while the queue causes the duplicates.',
        mitigation: 'Measure before the change.',
        severity: 'medium',
      },
    ],
    assumptions: [],
    questions: ['How many double parcels follow a restart of the queue?'],
    summary: 'Too early. Nobody has measured whether picking or the queue makes the duplicates.',
    confidence: 'low',
    stakes: 'medium',
    stance: 'need-info',
  },
}

interface Point {
  readonly of: Member
  readonly agrees: string
  readonly critique?: { readonly kind: string; readonly severity: string; readonly description: string }
}

const REVIEWS: Readonly<Record<Member, { readonly points: readonly Point[]; readonly after: object }>> = {
  'scripted-ada': {
    points: [
      { of: 'scripted-ben', agrees: 'An expired lock protects nothing.' },
      {
        of: 'scripted-cho',
        agrees: 'The queue may repeat messages.',
        critique: {
          kind: 'omission',
          severity: 'low',
          description: 'Two days of logs cost two days of double parcels.',
        },
      },
    ],
    after: {
      why: 'I had assumed that no worker pauses for 30 seconds. Ours do, during backups.',
      recommendation_after: 'Let the database hand out orders.',
      confidence: 'high',
      stance_after: 'reject',
    },
  },
  'scripted-ben': {
    points: [
      {
        of: 'scripted-ada',
        agrees: 'It has to stop this week.',
        critique: {
          kind: 'error',
          severity: 'critical',
          description: 'The lock has no fencing token: a worker that wakes up late still ships the order.',
        },
      },
      { of: 'scripted-cho', agrees: 'Counting the duplicates is cheap and right.' },
    ],
    after: {
      why: 'Nothing said here makes an expiring lock safe.',
      recommendation_after: 'SKIP LOCKED and a unique parcel for each order; count duplicates beside it.',
      confidence: 'high',
      stance_after: 'reject',
    },
  },
  'scripted-cho': {
    points: [
      { of: 'scripted-ada', agrees: 'Waiting has a price.' },
      {
        of: 'scripted-ben',
        agrees: 'A unique index is right in any case.',
        critique: {
          kind: 'omission',
          severity: 'high',
          description: 'Orders that were already picked twice and not yet shipped are in the table today.',
        },
      },
    ],
    after: {
      why: 'A unique index hides the cause if the queue is at fault. I still want the count first.',
      recommendation_after: 'Measure for two days.',
      confidence: 'medium',
      stance_after: 'need-info',
    },
  },
}

const REPORT = {
  rationale: [
    {
      point: 'An expiring lock cannot stop a worker that wakes up late.',
      supported_by: ['op-2', 'rv-1', 'rv-2.c1'],
    },
    {
      point: 'The database already holds the orders and can refuse a second parcel.',
      supported_by: ['op-2'],
    },
    {
      point: 'Counting duplicates is cheap and tells whether the queue adds its own.',
      supported_by: ['op-3'],
    },
  ],
  risks: [
    {
      description: 'A worker that pauses past the expiry ships what another one holds.',
      mitigation: 'No expiring lock; a unique (order, parcel).',
      mentioned_by: ['op-2', 'rv-2'],
      status: 'agreed',
      severity: 'high',
    },
    {
      description: 'The queue repeats messages on restart, and duplicates go on elsewhere.',
      mitigation: 'Log the delivery count.',
      mentioned_by: ['op-3'],
      status: 'disputed',
      severity: 'medium',
    },
  ],
  next_actions: [
    {
      action: 'Pick with SELECT … FOR UPDATE SKIP LOCKED.',
      success_criteria: 'Two workers on one order in a test: one waits, one takes the next.',
      priority: 'now',
    },
    {
      action: 'Make (order, parcel) unique.',
      success_criteria: 'The second insert fails and is logged.',
      priority: 'now',
    },
    {
      action: 'Log worker, order and delivery count.',
      success_criteria: 'A number of duplicates for each day.',
      priority: 'soon',
    },
  ],
  disagreements: [
    {
      topic: 'Measure first, or fix first',
      positions: [
        { held_by: ['op-1', 'op-2'], position: 'Fix now; customers receive two parcels.' },
        { held_by: ['op-3'], position: 'Measure for two days; the queue may be the cause.' },
      ],
      why: 'The unique index is right whatever the cause is.',
      resolution: 'Fix now, and count beside it.',
    },
  ],
  uncertainties: [
    {
      point: 'How many duplicates come from the queue.',
      verification: 'Compare delivery counts before and after a restart.',
      confidence: 'low',
    },
  ],
  consensus_points: ['Waiting has a price.'],
  answered_critiques: [{ critique: 'rv-2.c1', answer: 'Accepted: it decides against the expiring lock.' }],
  summary: 'Two of three are against the lock after the reviews; one wants to measure first.',
  conclusion: 'No lock in Redis. Let the database hand out orders and refuse a second parcel.',
  need_info_reason: '',
  confidence: 'high',
  decision: 'reject',
}

/** Reviewers see opinions under letters: the content tells the author. */
function labelsIn(prompt: string): ReadonlyMap<string, string> {
  const shown = [...prompt.matchAll(/ label="?([A-Z])"?>([\s\S]*?)<\/opinion-/g)]
  return new Map(
    shown.flatMap(([, label = '', text = '']) => {
      const author = MEMBERS.find((member) => text.includes(Reflect.get(OPINIONS[member], 'summary')))
      return author ? [[author, label] as const] : []
    }),
  )
}

function reviewBy(member: Member, prompt: string): object {
  const labels = labelsIn(prompt)
  const { points, after } = REVIEWS[member]
  const none = 'none found'
  const targets = points.map(({ of, agrees, critique }) => ({
    target: labels.get(of) ?? '?',
    errors: critique?.kind === 'error' ? critique.description : none,
    omissions: critique?.kind === 'omission' ? critique.description : none,
    risks: none,
    counter_arguments: none,
    assumptions: none,
    critiques: critique
      ? [{ ...critique, location: 'recommendation', correction: 'Say how this is met.' }]
      : [],
    agreement_points: [agrees],
    disagreement_points: [],
  }))
  return { targets, ...after }
}

/** How long each takes to write, in milliseconds: together some fifteen seconds. */
const WRITING: Readonly<Record<Member, readonly [opinion: number, review: number]>> = {
  'scripted-ada': [3_200, 3_600],
  'scripted-ben': [4_600, 4_200],
  'scripted-cho': [3_900, 3_000],
}
const REPORTING = 4_500

/** `pace` 1 is the speed of a real model, 0 is immediate. */
export const councilScript =
  (pace: number) =>
  ({ model, prompt, schema }: ScriptAsked): ScriptAnswer => {
    const member = MEMBERS.find((name) => name === model)
    if (member === undefined) throw new RangeError(`nobody is scripted as ${model}`)
    const asked = (schema?.properties ?? {}) as object
    const [opinion, review] = WRITING[member]
    if ('targets' in asked) return { text: JSON.stringify(reviewBy(member, prompt)), ms: review * pace }
    if ('decision' in asked) return { text: JSON.stringify(REPORT), ms: REPORTING * pace }
    return { text: JSON.stringify(OPINIONS[member]), ms: opinion * pace }
  }
