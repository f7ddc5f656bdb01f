// The state of a pool, as blocks: whether it asks for a restart, the last audit, its themes, and the last
// messages. A point of an audit leads to the messages that it cites, where they are still shown.

import { type AuditWritten, payloadOf } from '../../exchange/events.ts'
import { escaped, isRestart, type Message } from '../../exchange/messages.ts'
import { exchangeValue } from '../../exchange/result.ts'
import type { ExchangeState } from '../../exchange/state.ts'
import type { Occurrence } from '../../protocol.ts'
import { type Block, heading, type Item, prose, section } from '../report/document.ts'
import { count } from '../story/story-line.ts'

const LATEST = 30

const anchorOf = (message: string): string => `message-${message}`

function labelOf(state: ExchangeState): readonly [string, 'good' | 'open' | 'plain'] {
  const { signal, movedTo, halted, stopped, closed } = state
  if (halted) return ['Halted', 'plain']
  if (movedTo !== null) return ['Continued in another trace', 'plain']
  if (signal) return ['A restart is asked for', 'open']
  return stopped === null ? [`Round ${closed}`, 'good'] : ['Stopped', 'open']
}

function verdictOf(state: ExchangeState): Block {
  const { totals, clusters, level, terms, movedTo, stopped } = state
  const [label, tone] = labelOf(state)
  const facts = [
    `${count(totals.messages, 'message')} in ${count(state.closed, 'round')}`,
    count(clusters?.notes.length ?? 0, 'theme'),
    `restart level ${level.level.toFixed(2)}`,
    ...(movedTo !== null ? [`continues in ${movedTo}`] : []),
    ...(stopped !== null ? [stopped] : []),
  ]
  return {
    kind: 'verdict',
    tone,
    label,
    detail: facts.join(', '),
    about: terms?.pool.prompt ?? '',
    basis: '',
  }
}

const lastAudit = (events: readonly Occurrence[]): AuditWritten | null => {
  const audit = events.findLast(({ type, payload }) => type === 'audit_written' && payload !== null)
  return audit ? payloadOf(audit, 'audit_written') : null
}

function auditBlocks(audit: AuditWritten | null, shown: ReadonlySet<string>): readonly Block[] {
  if (audit === null) return []
  const points = audit.points.map(({ text, cites }): Item => {
    const sources = cites.map((label) => ({ label, id: shown.has(label) ? anchorOf(label) : null }))
    return { text, notes: [{ name: 'cites', text: cites.join(', '), sources }] }
  })
  return [
    heading(`Last audit, round ${audit.round}`),
    ...prose(audit.summary),
    { kind: 'list', items: points },
  ]
}

/** Why the pool waits for an answer: the messages that ask most clearly, where they are still shown. */
function signalBlocks({ signal, pool }: ExchangeState, shown: ReadonlySet<string>): readonly Block[] {
  if (!signal) return []
  const questions = signal.asked.map((id): Item => {
    const message = pool.find((one) => one.id === id)
    const sources = [{ label: id, id: shown.has(id) ? anchorOf(id) : null }]
    return {
      ...(message && { lead: message.author }),
      text: message ? escaped(message.text, isRestart(message)) : id,
      notes: [{ name: 'message', text: id, sources }],
    }
  })
  return section(
    `Signal ${signal.number}, raised after round ${signal.round}: asked for most plainly in`,
    questions,
  )
}

const messageItem = (message: Message): Item => {
  const { id, author, kind, text, event } = message
  const asks = isRestart(message)
  return {
    id: anchorOf(id),
    event,
    lead: `${kind === 'mind' ? author : kind.replace('_', ' ')} ${id}${asks ? ', asks for a restart' : ''}`,
    ...(asks && { tone: 'bad' as const }),
    text: escaped(text, asks),
  }
}

export function poolBlocks(state: ExchangeState, events: readonly Occurrence[]): readonly Block[] {
  const { note, clusters } = exchangeValue(state)
  const latest = state.pool.slice(-LATEST).toReversed()
  const themes = [...clusters]
    .sort((a, b) => b.share - a.share)
    .map(
      ({ label, share, size }): Item => ({
        lead: `${Math.round(share * 100)} %`,
        text: `${label} (${count(size, 'message')})`,
      }),
    )
  const shown = new Set(latest.map(({ id }) => id))
  return [
    verdictOf(state),
    ...(note === null ? [] : [{ kind: 'notice', text: note } as const]),
    ...signalBlocks(state, shown),
    ...auditBlocks(lastAudit(events), shown),
    ...section('Themes', themes),
    ...section(
      state.pool.length > LATEST ? `The last ${LATEST} messages, latest first` : 'Messages, latest first',
      latest.map(messageItem),
    ),
  ]
}
