// An exchange told as it happens: who wrote, what the auditor made of it, what the observer said, and when the pool
// asks for a restart. What minds wrote is shown as data, with what could pass for someone else's words escaped.

import type {
  AskingFailed,
  AuditWritten,
  ExchangeOpened,
  MessagesEmbedded,
  MindWrote,
  ObserverSpoke,
  PhaseChanged,
  RoleReported,
  RoundOpened,
  SignalAnswered,
  SignalRaised,
} from '../../exchange/events.ts'
import { escaped } from '../../exchange/messages.ts'
import { asksOutright } from '../../exchange/signal/dominance.ts'
import type { Occurrence } from '../../protocol.ts'
import { count, inOneLine, line, type StoryLine } from './story-line.ts'

const oneLine = (text: string): string => inOneLine(escaped(text))

type Teller = (payload: never, by: string, ids: readonly string[]) => StoryLine | null

const TELLERS: Readonly<Record<string, Teller>> = {
  exchange_opened: ({ terms, seats }: ExchangeOpened, by) =>
    line('plain', `${by} opened the exchange: ${oneLine(terms.pool.prompt)}`, [
      `minds: ${seats.map(({ name, model }) => `${name}${model ? ` (${model})` : ''}`).join(', ')}`,
      `audit every ${terms.auditor.every} rounds: ${oneLine(terms.auditor.spec)}`,
      `observer's role: ${oneLine(terms.observer.role)}`,
    ]),
  round_opened: ({ round, kind }: RoundOpened) =>
    line('quiet', kind === 'audit' ? `round ${round}: audit` : `round ${round}`),
  mind_wrote: ({ mind, messages, private_chars }: MindWrote, _, ids) =>
    line(
      'plain',
      messages.length === 0
        ? `${mind} wrote nothing for the pool`
        : `${mind}: ${messages.map(({ text }, i) => `${ids[i] === undefined ? '' : `(${ids[i]}) `}${inOneLine(escaped(text, asksOutright(text)))}`).join(' · ')}`,
      private_chars > 0 ? [`${count(private_chars, 'private character')} kept for the observer`] : [],
    ),
  mind_failed: ({ mind, error_type, message }: AskingFailed) =>
    line('bad', `${mind} did not answer (${error_type}): ${oneLine(message)}`),
  messages_embedded: ({ clusters, alarms }: MessagesEmbedded) =>
    alarms.length === 0
      ? null
      : line('bad', alarms.map(({ text }) => text).join('; '), [
          `themes: ${clusters.map(({ id, label }) => `${id} ${label}`).join(', ')}`,
        ]),
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
  audit_failed: ({ error_type, message }: AskingFailed) =>
    line('bad', `the auditor did not answer (${error_type}): ${oneLine(message)}`),
  observer_spoke: ({ text }: ObserverSpoke, by) => line('good', `[OBSERVER] ${by}: ${oneLine(text)}`),
  injected: ({ text }: { readonly text: string }, by) => line('good', `>>> ${by}: ${oneLine(text)}`),
  pinned: ({ message }: { readonly message: string }, by) => line('plain', `${by} pinned ${message}`),
  unpinned: ({ message }: { readonly message: string }, by) => line('plain', `${by} unpinned ${message}`),
  signal_raised: ({ signal, level, top, clusters }: SignalRaised) =>
    line('bad', `signal ${signal}: the pool asks for a restart (level ${level.toFixed(2)})`, [
      `most plainly in ${top.join(', ')}`,
      ...clusters
        .filter(({ asking }) => asking > 0)
        .map(({ id, label, asking }) => `${id} ${label}: ${asking} ask`),
    ]),
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
    line('plain', `${by} granted rounds up to ${until}${mode === 'chat' ? ', answering audits' : ''}`),
  exchange_halted: ({ reason }: { readonly reason: string | null }, by) =>
    line('bad', `${by} halted the exchange`, reason === null ? [] : [reason]),
}

/** What a reader of the whole trace is told, and nobody who watches it run. */
const ASIDES: Readonly<Record<string, (payload: never) => StoryLine>> = {
  messages_embedded: ({ messages, clusters }: MessagesEmbedded) =>
    line(
      'quiet',
      `${count(messages.length, 'message')} ${messages.length === 1 ? 'was' : 'were'} placed, ${count(clusters.length, 'theme')} now`,
    ),
  role_reported: ({ role, text }: RoleReported) =>
    line('quiet', `the pool is told the role of the ${role}: ${oneLine(text)}`),
}

/** `ids`: of the messages that the event brought, where they are known by now. */
export function tell({ type, payload, actor }: Occurrence, ids: readonly string[] = []): StoryLine | null {
  const teller = Object.hasOwn(TELLERS, type) ? TELLERS[type] : undefined
  return teller && payload ? teller(payload as never, actor.agent, ids) : null
}

export function tellAll(event: Occurrence): StoryLine | null {
  const aside = Object.hasOwn(ASIDES, event.type) ? ASIDES[event.type] : undefined
  return tell(event) ?? (aside && event.payload ? aside(event.payload as never) : null)
}
