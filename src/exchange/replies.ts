// How answers in an exchange are read: an auditor's report, whose points count by the ids that they cite, a
// judge's list of messages that ask, and a mind's contribution, which is a private note and messages.

import type { WantedMessages, WantedValue } from '../reply/wanted.ts'
import { AUDIT_SCHEMA } from './audit.ts'
import { JUDGEMENT_SCHEMA } from './judgement.ts'
import type { PoolTerms } from './terms.ts'

export const WANTED_AUDIT: WantedValue = {
  form: 'value',
  schema: AUDIT_SCHEMA,
  rules: { cites: { as: 'id' }, clusters: { as: 'id' } },
  says: ['summary'],
  bare: [],
  acts: false,
  wrappers: ['audit'],
  prose: null,
}

export const WANTED_JUDGEMENT: WantedValue = {
  form: 'value',
  schema: JUDGEMENT_SCHEMA,
  rules: { id: { as: 'id' }, asks: { key: 'id' } },
  says: [],
  bare: [{ member: 'asks', list: true, by: ['id', 'quote'] }],
  acts: false,
  wrappers: ['judgement', 'judgment'],
  prose: null,
}

export const wantedMessages = ({
  max_messages,
  max_chars,
}: Pick<PoolTerms, 'max_messages' | 'max_chars'>): WantedMessages => ({
  form: 'messages',
  max_messages,
  max_chars,
})
