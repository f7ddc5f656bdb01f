// An exchange told as it happens: who wrote, what the auditor said, what the observer said, and when the pool
// asks for a restart. Text of minds is shown as data, with everything escaped that could pass for someone
// else's text.

import type {
  AskingFailed,
  AskingIncomplete,
  AuditWritten,
  Embedded,
  ExchangeOpened,
  MessagesEmbedded,
  MindWrote,
  ObserverSpoke,
  PhaseChanged,
  RoleReported,
  RoundOpened,
  SignalAnswered,
} from '../../exchange/events.ts'
import { escaped } from '../../exchange/messages.ts'
import { hasRestartTag } from '../../exchange/signal/dominance.ts'
import { MEANS_WORDS, type Means } from '../../ledger/means.ts'
import { SCRIPTED_DEMO } from '../../ledger/scripted.ts'
import type { Occurrence } from '../../protocol.ts'
import { tellAlarm, tellJudged, tellJudgeFailed, tellJudging, tellSignal } from './restart.ts'
import { count, inOneLine, line, type StoryLine } from './story-line.ts'

const oneLine = (text: string): string => inOneLine(escaped(text))

type Teller = (payload: never, by: string) => StoryLine | null

const TELLERS: Readonly<Record<string, Teller>> = {
  exchange_opened: ({ terms, seats, scripted }: ExchangeOpened, by) =>
    line(
      'plain',
      `${scripted ? `(${SCRIPTED_DEMO}) ` : ''}${by} opened the exchange: ${oneLine(terms.pool.prompt)}`,
      [
        `minds: ${seats.map(({ name, model }) => `${name}${model ? ` (${model})` : ''}`).join(', ')}`,
        `audit every ${terms.auditor.every} rounds: ${oneLine(terms.auditor.spec)}`,
        `observer's role: ${oneLine(terms.observer.role)}`,
      ],
    ),
  round_opened: ({ round, kind }: RoundOpened) =>
    line('quiet', kind === 'audit' ? `round ${round}: audit` : `round ${round}`),
  mind_wrote: ({ mind, messages, private_chars }: MindWrote) => {
    const texts = messages.map(({ text }) => inOneLine(escaped(text, hasRestartTag(text))))
    const privateNote =
      private_chars > 0 ? [`${count(private_chars, 'private character')} kept for the observer`] : []
    const [only] = texts
    if (only === undefined) return line('plain', `${mind} wrote nothing for the pool`, privateNote)
    if (texts.length === 1) return line('plain', `${mind}: ${only}`, privateNote)
    return line('plain', `${mind} wrote ${count(texts.length, 'message')}`, [
      ...texts.map((text) => `- ${text}`),
      ...privateNote,
    ])
  },
  mind_failed: ({ mind, error_type, message }: AskingFailed) =>
    line('bad', `${mind} did not answer (${error_type}): ${oneLine(message)}`),
  messages_embedded: ({ clusters, alarms }: MessagesEmbedded) =>
    alarms.length === 0
      ? null
      : line(
          'bad',
          alarms.map(({ text }) => text).join('; '),
          clusters
            .filter(({ id }) => alarms.some(({ cluster }) => cluster === id))
            .map(({ id, label }) => `${id} ${label}`),
        ),
  embedding_failed: ({ message }: { readonly message: string }) =>
    line('bad', `no vectors for this round: ${oneLine(message)}`),
  audit_written: ({ summary, points, rejected, left_out }: AuditWritten) =>
    line('good', `[AUDIT] ${oneLine(summary)}`, [
      ...points.map(({ text, cites }) => `- ${oneLine(text)} (${cites.join(', ')})`),
      ...(rejected.length > 0
        ? [`set aside, since they cite nothing that was shown: ${rejected.length}`]
        : []),
      ...(left_out.length > 0 ? [`themes it left out: ${left_out.join(', ')}`] : []),
    ]),
  mind_incomplete: ({ mind, reading }: AskingIncomplete) =>
    line('quiet', `${mind} is asked again: its reply lacks ${reading.missing.join(', ')}`),
  audit_incomplete: ({ reading }: AskingIncomplete) =>
    line('quiet', `the auditor is asked again: its reply lacks ${reading.missing.join(', ')}`),
  audit_failed: ({ error_type, message }: AskingFailed) =>
    line('bad', `the auditor did not answer (${error_type}): ${oneLine(message)}`),
  observer_spoke: ({ text }: ObserverSpoke, by) => line('good', `[OBSERVER] ${by}: ${oneLine(text)}`),
  injected: ({ text }: { readonly text: string }, by) => line('good', `>>> ${by}: ${oneLine(text)}`),
  pinned: ({ message }: { readonly message: string }, by) => line('plain', `${by} pinned ${message}`),
  unpinned: ({ message }: { readonly message: string }, by) => line('plain', `${by} unpinned ${message}`),
  judging_opened: tellJudging,
  restart_judged: tellJudged,
  judge_failed: tellJudgeFailed,
  judge_incomplete: ({ mind, reading }: AskingIncomplete) =>
    line('quiet', `the judge ${mind} is asked again: its answer lacks ${reading.missing.join(', ')}`),
  restart_alarmed: tellAlarm,
  signal_raised: tellSignal,
  signal_cleared: ({ signal }: { readonly signal: number }) =>
    line('quiet', `signal ${signal} has died down`),
  signal_answered: ({ signal, answer, reason, branch }: SignalAnswered, by) =>
    line('good', `${by} answered signal ${signal} by ${answer}${branch ? ` into ${branch.into}` : ''}`, [
      ...(reason === null ? [] : [reason]),
    ]),
  phase_changed: ({ answer, changed }: PhaseChanged) =>
    line('good', `a restart was honoured by ${answer}: the exchange is structured from here on`, [
      `changed: ${changed.join(', ') || 'nothing in the terms'}`,
    ]),
  terms_amended: ({ reason }: { readonly reason: string | null }, by) =>
    line('good', `${by} amended the terms`, reason === null ? [] : [reason]),
  branch_ordered: ({ branch }: { readonly branch: { into: string; round: number } }, by) =>
    line('good', `${by} branched after round ${branch.round} into ${branch.into}`),
  paused: ({ reason }: { readonly reason: string | null }, by) =>
    line('plain', `${by} paused: ${reason ?? ''}`),
  continued: ({ until, mode }: { readonly until: number; readonly mode: string }, by) =>
    line(
      'plain',
      `${by} lets the pool run up to round ${until}${mode === 'chat' ? ', and answers audits' : ''}`,
    ),
  exchange_halted: ({ reason }: { readonly reason: string | null }, by) =>
    line('bad', `${by} halted the exchange`, reason === null ? [] : [reason]),
}

/** Shown to a reader of the whole trace, but not to someone who watches it run. */
const EXTRA_TELLERS: Readonly<Record<string, (payload: never, by: string) => StoryLine>> = {
  messages_embedded: ({ messages, clusters }: MessagesEmbedded) =>
    line(
      'quiet',
      `${count(messages.length, 'message')} ${messages.length === 1 ? 'was' : 'were'} placed, ${count(clusters.length, 'theme')} now`,
    ),
  role_reported: ({ role, text }: RoleReported) =>
    line('quiet', `the pool is told the role of the ${role}: ${oneLine(text)}`),
  observer_passed: ({ audit }: { readonly audit: number }, by) =>
    line('quiet', `${by} passed over the audit of round ${audit}`),
  reembedded: ({ encoder, messages }: Embedded, by) =>
    line('quiet', `${by} had the vectors of ${count(messages.length, 'message')} made again by ${encoder}`),
  branched: ({ into }: { readonly into: string }, by) => line('quiet', `${by} made the branch ${into}`),
}

export function tell({ type, payload, actor }: Occurrence): StoryLine | null {
  const teller = Object.hasOwn(TELLERS, type) ? TELLERS[type] : undefined
  return teller && payload ? teller(payload as never, actor.agent) : null
}

/** How a person acted, where the trace states it. */
const proofText = ({ via }: { readonly via?: unknown }): string | null =>
  typeof via === 'string' && Object.hasOwn(MEANS_WORDS, via) ? `done ${MEANS_WORDS[via as Means]}` : null

export function tellAll(event: Occurrence): StoryLine | null {
  const extra = Object.hasOwn(EXTRA_TELLERS, event.type) ? EXTRA_TELLERS[event.type] : undefined
  const storyLine =
    tell(event) ?? (extra && event.payload ? extra(event.payload as never, event.actor.agent) : null)
  const means = proofText(event.payload ?? {})
  return storyLine && means !== null ? { ...storyLine, more: [...storyLine.more, means] } : storyLine
}
