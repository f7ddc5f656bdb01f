// Every error that a caller may get has one code of this closed union, a message that says what was wrong and
// where, and a next step. Callers switch on `code`; nothing else about an error is an interface.

/** Every error, by one code each. */
export type ErrorCode =
  | 'CANONICAL_INVALID' // not plain JSON, or not in its canonical form
  | 'HEADER_INVALID' // an event header that Witan did not write
  | 'NOTE_INVALID' // not a signed note, or a damaged one
  | 'HEAD_MOVED' // another process appended first
  | 'EVENT_REFUSED' // the protocol refuses this event here
  | 'TRACE_NOT_FOUND'
  | 'TRACE_AMBIGUOUS'
  | 'TRACE_FINISHED'
  | 'EVENT_NOT_FOUND'
  | 'ARTIFACT_NOT_FOUND'
  | 'ARTIFACT_CORRUPT'
  | 'ARTIFACT_UNREACHABLE' // it is where this machine cannot read or write
  | 'ALREADY_REDACTED'
  | 'APPROVAL_UNPROVEN'
  | 'NOT_REDACTABLE'
  | 'HOME_MISSING'
  | 'HOME_EXISTS'
  | 'HOME_READONLY'
  | 'VAULT_FOREIGN' // a database or file of another program
  | 'VAULT_CORRUPT'
  | 'VAULT_BUSY'
  | 'VAULT_UNREACHABLE'
  | 'VAULT_REFUSED' // the store's own constraints refused
  | 'DISK_FULL'
  | 'FILE_NOT_FOUND'
  | 'FILE_UNREADABLE'
  | 'FILE_UNWRITABLE'
  | 'FILE_EXISTS'
  | 'BUNDLE_FOREIGN'
  | 'BUNDLE_TOO_LARGE'
  | 'BUNDLE_TRUNCATED'
  | 'BUNDLE_INVALID'
  | 'KEY_FILE_INVALID'
  | 'KEY_FILE_EXPOSED'
  | 'KEY_LOCKED'
  | 'KEY_NOT_FOUND'
  | 'KEY_EXISTS'
  | 'KEY_RETIRED'
  | 'CONFIG_INVALID'
  | 'FILE_UNTRUSTED'
  | 'PROTOCOL_UNKNOWN'
  | 'EDITION_UNKNOWN' // recorded under rules of a newer release
  | 'ENCODER_MISMATCH' // vectors of different encoders cannot be compared
  | 'SENSE_FAILED' // an encoder, here or at a provider, gave no vectors
  | 'HAND_UNAVAILABLE' // the tools of a server cannot be listed
  | 'GIT_MISSING' // git is not installed, or would not run
  | 'NOT_A_REPOSITORY'
  | 'RANGE_INVALID' // names no commits of this repository
  | 'NOTHING_TO_REVIEW'
  | 'QUORUM_NOT_MET' // too few answered
  | 'USAGE'
  | 'TRACE_GIVEN_UP' // set aside by the workers, or cancelled
  | 'INTERRUPTED'

/** An error with its code, what was wrong, and what to do next. */
export class WitanError extends Error {
  override readonly name = 'WitanError'
  readonly code: ErrorCode
  /** What the reader can do now, as a sentence. */
  readonly next: string

  constructor(code: ErrorCode, message: string, next: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
    this.next = next
  }
}

/** Whether this is an error of Witan, and with this code if one is given. */
export const isWitanError = (error: unknown, code?: ErrorCode): error is WitanError =>
  error instanceof WitanError && (code === undefined || error.code === code)
