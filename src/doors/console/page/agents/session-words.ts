// Names and colours of the parts of a session, used everywhere.

import type { Intent } from '../../../../agents/state.ts'
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

/** `signed` is the protocol's word for a recorded intent that is not judged by all yet. */
export const statusText = (status: string): string => (status === 'signed' ? 'waits for approval' : status)

export const toneOf = (status: string): string => TONES[status] ?? 'muted'

type Call = Pick<Intent, 'tool' | 'input' | 'quote'>

/** In one line, the file, command or address where the tool has one. */
export const callText = (call: Call): string =>
  actOf(call.tool, call.input)?.target ?? inputText(call).replaceAll(/\s+/g, ' ')

/** For an attached session only its beginning: the whole is an artifact. */
export const inputText = ({ input, quote }: Pick<Call, 'input' | 'quote'>): string =>
  input === null ? (quote ?? 'erased') : JSON.stringify(input, null, 2)
