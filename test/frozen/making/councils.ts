// Councils that reach every status and every reason for closing, said by scripted minds and sealed with the keys of
// tests.

import { forkTrace } from '../../../src/clerk/fork.ts'
import { CLERK } from '../../../src/ledger/calls.ts'
import type { Payload } from '../../../src/ledger/event.ts'
import type { Action } from '../../../src/protocol.ts'
import * as room from '../../support/all-of-council.ts'
import { askedFinding, opinionAnswer, reportAnswer, reviewAnswer } from '../../support/council-answers.ts'
import {
  policy,
  protocol,
  type Question,
  type Script,
  type ScriptedReply,
  Sitting,
  seat,
} from '../../support/council-sitting.ts'
import { namedKey } from '../../support/ports.ts'
import { council, seal } from '../../support/sealed-council.ts'
import type { PageContext } from '../../support/tamper.ts'

type Opened = Partial<room.CouncilOpened>

let traces = 0
const newTrace = (): string => `01KEC0FR0Z${String(traces++).padStart(16, '0')}`

const held = (script: Script = {}): Sitting => new Sitting({ ...script, trace: newTrace() })
const sit = (opened: Opened = {}, script: Script = {}): Sitting => held(script).open(opened).run()

const says = (which: (question: Question) => ScriptedReply | undefined): Script => ({ says: which })

const failing = (
  round: room.Round,
  fails: (typeof room.ERROR_TYPES)[number],
  ...seats: readonly string[]
): Script =>
  says((asked) =>
    asked.round === round && (seats.length === 0 || seats.includes(asked.seat)) ? { fails } : undefined,
  )

const PACK: room.PackText = {
  parts: [{ name: 'context:src/a.ts', text: 'const name = read()\n\nquery(name)\n' }],
  condensed: [{ name: 'context', text: 'src/a.ts, 3 lines' }],
}

/** Starts what is asked for now, has something said, and lets what was started come in. */
function interrupted(sitting: Sitting, word: (sitting: Sitting) => void): Sitting {
  const asks = sitting.decide().filter(({ call }) => call === 'ask')
  for (const action of asks) sitting.start(action)
  word(sitting)
  for (const action of asks) sitting.speak(sitting.outcome(action))
  return sitting.run()
}

const roundClosed = (round: room.Round) => (sitting: Sitting) =>
  sitting.say(room.ROUND_CLOSED, CLERK, CLERK, { round, reason: 'timeout' })

const closeRequested = (sitting: Sitting): Sitting =>
  sitting.say(room.CLOSE_REQUESTED, 'olga', room.CONVENER, { reason: 'asked the wrong question' })

/** Until nobody has been asked in this round yet. */
const before = (round: room.Round) => (sitting: Sitting) =>
  sitting.decide().some(({ call, input }: Action) => call === 'ask' && input.round === round)

const ON = policy({ short_circuit: { enabled: true } })
const SKIP_R3 = {
  enabled: true,
  conditions: {
    skip_r2_if: [],
    skip_r3_if: ['r2_confirms_r1_consensus', 'budget_constraint'],
  },
} as const
const STRICT = policy({ quorum: { allow_partial: false } })

const context = {
  kind: 'full',
  files: [{ path: 'src/a.ts', lines: 3, bytes: 33 }],
  excluded: { binary: 1 },
  bytes: 33,
  tokens: 12,
  diff: null,
} as const

function reviewed(): Sitting {
  const sitting = held({
    pack: PACK,
    ...says(({ round, labels, seat: name }) =>
      round === 'R2'
        ? reviewAnswer(labels, 'review', {
            missed_findings: name === 'ben' ? [askedFinding({ line: 1 })] : [],
          })
        : undefined,
    ),
  })
  return sitting.open({ mode: 'review', context, artifacts: [sitting.keep('pack.json', PACK)] }).run()
}

function lost(): Sitting {
  const sitting = held().open()
  const asks = sitting.decide()
  for (const action of asks) sitting.start(action)
  const [first, ...others] = asks
  for (const action of others) sitting.speak(sitting.outcome(action))
  if (first) sitting.lose(first)
  return sitting.run()
}

const stances: Readonly<Record<string, string>> = { ann: 'adopt', ben: 'reject', cat: 'need-info' }

/** File name → the council. Those that end in -open are unfinished. */
const COUNCILS: Readonly<Record<string, () => Sitting>> = {
  reported: () => sit(),
  divided: () =>
    sit(
      {},
      says(({ round, seat: name }) =>
        round === 'R1'
          ? opinionAnswer('ask', { stance: stances[name] ?? 'adopt', confidence: 'low' })
          : undefined,
      ),
    ),
  labelled: () => sit({ labelled: true, constraints: ['No downtime.'], focus: ['Cost'] }),
  architecture: () => sit({ mode: 'architecture' }),
  reviewed,
  scored: () => sit({ policy: policy({ short_circuit: { embeddings: true } }) }),
  'skipped-r2': () => sit({ policy: ON }),
  'skipped-r3': () => sit({ policy: policy({ short_circuit: SKIP_R3 }) }),
  'skipped-r3-budget': () =>
    sit(
      {
        question: 'Shall we migrate the production database and its payment secrets?',
        policy: policy({ short_circuit: SKIP_R3, budget: { cost: 0.07 } }),
      },
      says(({ round, seat: name }) =>
        round === 'R1' && name === 'ben' ? opinionAnswer('ask', { stance: 'reject' }) : undefined,
      ),
    ),
  'checks-only': () =>
    sit({ seats: [seat('panel', { embedded: true, vendor: 'witan', model: null })], chairs: [] }),
  mended: () => {
    let asked = 0
    return sit(
      {},
      says(({ round, mend }) =>
        round === 'R3' && !mend && asked++ === 0 ? reportAnswer(['op-99']) : undefined,
      ),
    )
  },
  'second-chair': () =>
    sit(
      {
        chairs: ['ann', 'ben'],
        seats: [seat('ann'), seat('ben', { roles: ['participant', 'chair'] }), seat('cat')],
      },
      failing('R3', 'timeout', 'ann'),
    ),
  lost,
  'round-closed-r1': () => interrupted(held().open(), roundClosed('R1')),
  'round-closed-r2': () => interrupted(held().open().run(before('R2')), roundClosed('R2')),
  'chair-timeout': () =>
    interrupted(held(failing('R3', 'timeout')).open().run(before('R3')), roundClosed('R3')),
  degraded: () => sit({}, failing('R3', 'rate_limit')),
  'reviewer-failed': () => sit({}, failing('R2', 'parse_error', 'ben')),
  'no-opinions': () => sit({}, failing('R1', 'network')),
  'no-reviews': () => sit({}, failing('R2', 'auth')),
  'failed-r1': () => sit({ policy: STRICT }, failing('R1', 'timeout', 'cat')),
  'failed-r2': () => sit({ policy: STRICT }, failing('R2', 'parse_error', 'cat')),
  'failed-r3': () => sit({ policy: STRICT }, failing('R3', 'auth')),
  'over-budget-r1': () => sit({ policy: policy({ budget: { cost: 0.02 } }) }),
  'over-budget-r2': () => sit({ policy: policy({ budget: { cost: 0.05 } }) }),
  'over-time': () => sit({ policy: policy({ budget: { minutes: 0.05 } }) }),
  'closed-early-bare': () => {
    const sitting = closeRequested(held().open())
    return sitting.run()
  },
  'closed-early-r1': () => interrupted(held().open(), closeRequested),
  'closed-early-r2': () => interrupted(held().open().run(before('R2')), closeRequested),
  'closed-early-r3': () => interrupted(held().open().run(before('R3')), closeRequested),
  'opened-open': () => held().open(),
  'asking-open': () => {
    const sitting = held().open()
    const [first, ...others] = sitting.decide()
    for (const action of [first, ...others]) if (action) sitting.start(action)
    if (first) sitting.speak(sitting.outcome(first))
    return sitting
  },
  'deciding-open': () => held().open().run(before('R2')),
  'synthesis-open': () => held().open().run(before('R3')),
}

/** A fork that seats others after round one, taken as far as a new member of the table being asked. */
async function fork(scene: PageContext, parent: Sitting, amend: object, seq: number): Promise<string> {
  const actor = { agent: 'olga', role: room.CONVENER, key: namedKey('olga').id }
  const from = { parent: parent.trace, seq, into: newTrace() }
  const log = await forkTrace(scene.ports, protocol, from, actor, { amend } as unknown as Payload)
  return log.trace
}

export interface Made {
  readonly scene: PageContext
  /** File name → trace. */
  readonly traces: ReadonlyMap<string, string>
}

export async function makeCouncils(): Promise<Made> {
  const scene = await council()
  const traces = new Map<string, string>()
  let reported: Sitting | null = null
  for (const [name, make] of Object.entries(COUNCILS)) {
    const sitting = make()
    await seal(scene, sitting)
    traces.set(`council-${name}`, sitting.trace)
    reported ??= sitting
  }
  if (!reported) throw new Error('nothing was made')
  const lastOpinion = reported.spoken.map(({ type }) => type).lastIndexOf(room.OPINION_GIVEN)
  const chairing = seat('ben', { roles: ['participant', 'chair'] })
  const amend = { seats: [chairing, seat('cat'), seat('dan')], chairs: ['ben'] }
  traces.set('council-forked-open', await fork(scene, reported, amend, lastOpinion))
  const dearer = { policy: policy({ budget: { cost: 5 } }), chairs: ['ann'] }
  traces.set('council-forked-policy-open', await fork(scene, reported, dearer, reported.spoken.length - 2))
  return { scene, traces }
}
