// How answers to an exchange are read: an auditor's account, whose points count by the ids that they cite, and a mind's
// contribution, which is a private note and messages.

import type { WantedMessages, WantedValue } from '../reply/wanted.ts'
import { AUDIT_SCHEMA } from './audit.ts'
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

export const wantedMessages = ({
  max_messages,
  max_chars,
}: Pick<PoolTerms, 'max_messages' | 'max_chars'>): WantedMessages => ({
  form: 'messages',
  max_messages,
  max_chars,
})
