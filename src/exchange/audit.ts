// Compares an auditor's text with what it was shown. A point counts only by the messages it cites: ids that
// the auditor was not shown are removed, and a point without any left is set aside for the observer and not
// injected. Clusters that no point mentions are listed beside the audit, so that silence about a theme is
// visible.

import type { JsonSchema } from '../ledger/schema.ts'
import { misfit } from '../ledger/schema-fault.ts'
import type { Edition } from './editions.ts'
import type { AuditPoint, AuditWritten, ClusterNote } from './events.ts'
import type { Message } from './messages.ts'

/** What the auditor's mind is asked for. */
export const AUDIT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    summary: { type: 'string', description: 'What the pool is about now, by your specification.' },
    points: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          cites: { type: 'array', items: { type: 'string' }, description: 'Ids of messages you were shown.' },
          clusters: { type: 'array', items: { type: 'string' }, description: 'Ids of clusters it is about.' },
        },
        required: ['text', 'cites', 'clusters'],
        additionalProperties: false,
      },
    },
  },
  required: ['summary', 'points'],
  additionalProperties: false,
}

const MOST_POINTS = 20
const MOST_CHARS = 2_000

export type ReadAudit = Pick<AuditWritten, 'summary' | 'points' | 'rejected' | 'left_out'>

export interface AuditGround {
  /** What the auditor was shown, by id. */
  readonly material: ReadonlyMap<string, Message>
  readonly clusters: readonly ClusterNote[]
}

const tidy = (text: string): string => text.toWellFormed().trim().slice(0, MOST_CHARS).toWellFormed()
const distinct = (items: readonly string[]): readonly string[] => [
  ...new Set(items.map((item) => item.trim())),
]

/** The clusters of a point: those it names, and those of the messages it cites. */
function clustersOf(point: AuditPoint, { material }: AuditGround): readonly string[] {
  const cited = point.cites.flatMap((id) => material.get(id)?.cluster ?? [])
  return distinct([...point.clusters, ...cited])
}

export function leftOut(points: readonly AuditPoint[], ground: AuditGround): readonly string[] {
  const spoken = new Set(points.flatMap((point) => clustersOf(point, ground)))
  return ground.clusters.map(({ id }) => id).filter((id) => !spoken.has(id))
}

/** The audit that counts, or why there is none, as text. */
export function readAudit(answer: unknown, ground: AuditGround): ReadAudit | string {
  const fault = misfit(AUDIT_SCHEMA, answer)
  if (fault) return `the audit is misshapen: ${fault}`
  const { summary, points } = answer as { readonly summary: string; readonly points: readonly AuditPoint[] }
  if (tidy(summary) === '') return 'the audit says nothing'
  const known = new Set(ground.clusters.map(({ id }) => id))
  const read = points
    .slice(0, MOST_POINTS)
    .map(({ text, cites, clusters }) => ({
      text: tidy(text),
      cites: distinct(cites.map((id) => id.toWellFormed().slice(0, 64))),
      clusters: distinct(clusters).filter((id) => known.has(id)),
    }))
    .filter(({ text }) => text !== '')
  const sound = (point: AuditPoint): readonly string[] => point.cites.filter((id) => ground.material.has(id))
  const counting = read
    .filter((point) => sound(point).length > 0)
    .map((point) => ({ ...point, cites: sound(point) }))
  return {
    summary: tidy(summary),
    points: counting,
    rejected: read
      .filter((point) => sound(point).length === 0)
      .map((point) => ({ ...point, cites: point.cites.filter((id) => id !== '') })),
    left_out: leftOut(counting, ground),
  }
}

/** By version; a released one never changes, since verifiers read old audits again. */
export const AUDIT_READERS: Readonly<Record<Edition['audits'], typeof readAudit>> = { 1: readAudit }

/** The audit as a message of the pool, without its prefix. */
export const auditText = ({ summary, points }: Pick<AuditWritten, 'summary' | 'points'>): string =>
  [summary, ...points.map(({ text, cites }) => `- ${text} (${cites.join(', ')})`)].join('\n')
