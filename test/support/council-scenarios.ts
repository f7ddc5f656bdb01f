// Councils to their ends, one for each turn that a council can take: for pins of what an edition records and refuses.

import { retryableFailures } from '../../src/council/retry.ts'
import { FORKED } from '../../src/ledger/fork.ts'
import * as council from './all-of-council.ts'
import {
  askedFinding,
  critique,
  opinionAnswer,
  reportAnswer,
  reviewAnswer,
  target,
} from './council-answers.ts'
import { about, openInParts, partOf } from './council-parts.ts'
import { policy, type Question, type ScriptedReply, Sitting, seat, sit } from './council-sitting.ts'

type Says = (question: Question) => ScriptedReply | undefined
const EMPTY_REPLY: ScriptedReply = { raw: { text: '{}' } }
const PROSE: ScriptedReply = {
  raw: { text: 'As Claude, I would add a cache.\n\nIt hides how slow the reader is.' },
}
const TOO_LONG: ScriptedReply = { fails: 'parse_error', cause: 'context_too_long' }
const isCompleting = ({ prompt }: Question) => prompt.parts.some(({ name }) => name === 'complete')
const first =
  (round: council.Round, name: string, said: ScriptedReply): Says =>
  (question) =>
    question.round === round && question.seat === name && !isCompleting(question) ? said : undefined

const lines = (name: string, n: number) =>
  Array.from({ length: n }, (_, i) => `${name} line ${i + 1}`).join('\n')
const PACK: council.PackText = {
  parts: [
    { name: 'context', text: lines('account', 30) },
    {
      name: 'diff',
      text: `diff --git a/src/a.ts b/src/a.ts\n+${'x'.repeat(900)}\ndiff --git a/b.ts b/b.ts\n+y\n`,
    },
    ...['src/a.ts', 'b.ts', 'c.ts'].map((path) => ({ name: `context:${path}`, text: lines(path, 400) })),
  ],
  condensed: [{ name: 'context', text: 'three files' }],
}
const CONTEXT: council.ContextRecord = {
  kind: 'full',
  files: ['src/a.ts', 'b.ts', 'c.ts'].map((path) => ({ path, lines: 400, bytes: 6_000 })),
  excluded: { secret: 1 },
  bytes: 18_000,
  tokens: 4_000,
  diff: 'main..HEAD',
}

/** Findings, critiques of every kind and severity, disagreements: much to shorten. */
const longAnswers: Says = ({ round, seat: name, labels }) => {
  const severities = ['critical', 'high', 'medium', 'low']
  if (round === 'R1')
    return opinionAnswer('review', {
      stance: name === 'cat' ? 'adopt' : 'reject',
      findings: severities.map((severity, i) =>
        askedFinding({
          severity,
          line: 100 * i,
          file: i === 3 ? 'b.ts' : './src/a.ts',
          description: `${name} `.repeat(60),
        }),
      ),
      assumptions: ['an assumption of no weight '.repeat(30)],
    })
  if (round === 'R3') return reportAnswer(['op-1', 'rv-2'], 'review', { decision: 'reject' })
  const critiques = council.CRITIQUES.map((kind, i) =>
    critique({ kind, severity: severities[i % 4] ?? 'low' }),
  )
  return reviewAnswer(labels, 'review', {
    stance_after: 'reject',
    targets: labels.map((label) =>
      target(label, 'review', {
        critiques,
        findings: [
          { finding: `${label}.f1`, verdict: 'confirmed', severity: 'high', note: 'seen '.repeat(40) },
        ],
        disagreement_points: [{ topic: 't', their_position: 'a', own_position: 'b', why: 'c' }],
      }),
    ),
    missed_findings: [askedFinding({ file: 'c.ts', line: 7, severity: 'medium' })],
  })
}

function withPack(says: Says, more: Partial<council.CouncilOpened> = {}): Sitting {
  const sitting = new Sitting({ says, pack: PACK })
  return sitting
    .open({ mode: 'review', context: CONTEXT, artifacts: [sitting.keep('pack.json', PACK)], ...more })
    .run()
}
const windows = (chars: number) => ({
  seats: ['ann', 'ben', 'cat'].map((name) => seat(name, { prompt_chars: chars })),
})
const SHORT_CIRCUIT = policy({ short_circuit: { enabled: true } })
const FORK = { trace: 'T', seq: 1, hash: 'ab'.repeat(32) }

/** A fork of a council that is about to be closed, to its end. */
function forked(parent: Sitting, amend: council.Amendment): Sitting {
  const child = new Sitting({ trace: '01KEC000000000000000000001' })
  child.state = parent.state
  return child.wait(60_000).say(FORKED, 'olga', council.CONVENER, { parent: FORK, amend }).run()
}
const ending = (says: Says, more: Partial<council.CouncilOpened> = {}) =>
  new Sitting({ says }).open(more).run((one) => one.decide().some(({ id }) => id.startsWith('close')))

export const COUNCILS: Readonly<Record<string, () => Sitting>> = {
  plain: () => sit(),
  architecture: () => sit({ mode: 'architecture', constraints: ['No downtime.'], focus: ['Cost'] }),
  labelled: () => sit({ labelled: true }),
  'told to take a part': () => sit({ seats: [seat('ann'), seat('ben', { stance: 'against' }), seat('cat')] }),
  'skipped rounds': () =>
    sit(
      { policy: SHORT_CIRCUIT },
      {
        says: ({ round }) =>
          round === 'R1' ? opinionAnswer('ask', { stakes: 'low', risks: [] }) : undefined,
      },
    ),
  'an opinion that lacks something': () => sit({}, { says: first('R1', 'ben', EMPTY_REPLY) }),
  'an opinion in prose': () => sit({}, { says: first('R1', 'ben', PROSE) }),
  'prose that stands': () =>
    sit({}, { says: (one) => (one.round === 'R1' && one.seat === 'ben' ? PROSE : undefined) }),
  'a review that lacks something': () => sit({}, { says: first('R2', 'cat', EMPTY_REPLY) }),
  'a report that lacks something': () => sit({}, { says: first('R3', 'ann', EMPTY_REPLY) }),
  'a mended report': () =>
    sit({}, { says: ({ round, mend }) => (round === 'R3' && !mend ? reportAnswer(['op-9']) : undefined) }),
  'no chair': () => sit({}, { says: ({ round }) => (round === 'R3' ? { fails: 'auth' } : undefined) }),
  'a review of code': () => withPack(longAnswers),
  'small windows': () => withPack(longAnswers, windows(26_000)),
  'smaller windows': () => withPack(longAnswers, windows(17_000)),
  'no chair over code': () =>
    withPack((one) => (one.round === 'R3' ? { fails: 'auth' } : longAnswers(one)), windows(26_000)),
  'a refused length': () =>
    withPack((one) =>
      one.round === 'R1' && one.seat === 'ben' && !one.action.includes('short') ? TOO_LONG : longAnswers(one),
    ),
  'a chair that refused a length': () =>
    withPack((one) => (one.round === 'R3' && one.n === 1 ? TOO_LONG : longAnswers(one))),
  'in parts': () => openInParts(about).run(),
  'in parts, one of which fails': () =>
    openInParts((one) =>
      one.seat === 'ben' && partOf(one) === '2' ? { fails: 'timeout' } : about(one),
    ).run(),
  'in parts, one of which lacks something': () =>
    openInParts((one) =>
      one.seat === 'ben' && partOf(one) === '2' && !isCompleting(one) ? EMPTY_REPLY : about(one),
    ).run(),
  'who failed asked again': () => {
    const parent = ending(({ round, seat: name }) =>
      round === 'R1' && name === 'cat' ? { fails: 'timeout' } : undefined,
    )
    return forked(parent, { retry: retryableFailures(parent.inner).map(({ event }) => event) })
  },
  'another table after a fork': () =>
    forked(
      ending(() => undefined),
      { seats: [seat('ben', { roles: ['participant', 'chair'] }), seat('dan')], chairs: ['ben'] },
    ),
}
