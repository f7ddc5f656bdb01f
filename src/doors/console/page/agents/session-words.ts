// How the parts of a session are named and coloured, everywhere alike.

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

export const inputText = (input: unknown): string =>
  input === null ? 'erased' : JSON.stringify(input, null, 2)
