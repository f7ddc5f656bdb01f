// How the parts of a session are named and coloured, everywhere alike.

import type { Json } from '../../../../ledger/canonical.ts'
import { actOf } from '../../../../render/call-words.ts'

const TONES: Readonly<Record<string, string>> = {
  completed: 'good',
  succeeded: 'good',
  approved: 'good',
  issued: 'good',
  failed: 'bad',
  blocked: 'bad',
  rejected: 'bad',
  challenged: 'warning',
  indeterminate: 'warning',
  lost: 'warning',
  signed: 'warning',
  proposed: 'warning',
}

/** `signed` is the protocol's word for an intent that is on record and not yet judged by all. */
export const statusText = (status: string): string => (status === 'signed' ? 'waits for approval' : status)

export const toneOf = (status: string): string => TONES[status] ?? 'muted'

/** In one line, the file, command or address where the tool has one. */
export const callText = (tool: string, input: Json | null): string =>
  actOf(tool, input)?.target ?? inputText(input).replaceAll(/\s+/g, ' ')

export const inputText = (input: unknown): string =>
  input === null ? 'erased' : JSON.stringify(input, null, 2)
