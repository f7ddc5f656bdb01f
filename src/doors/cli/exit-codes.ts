// What a command's exit code means, as documented and pinned: scripts branch on these. Every error code of the
// union has exactly one; a new code does not compile until someone decides which.

import type { ErrorCode } from '../../ledger/errors.ts'

export const EXIT = {
  done: 0,
  internal: 1,
  usage: 2,
  verificationFailed: 3,
  quorumNotMet: 4,
  refused: 5,
  aborted: 6,
  notFound: 7,
  waiting: 8,
  gateClosed: 9,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const { internal, usage, quorumNotMet, refused, notFound, interrupted } = EXIT

/** `notFound` also stands for what is there but cannot be read or reached. */
export const EXIT_OF: Readonly<Record<ErrorCode, ExitCode>> = {
  CANONICAL_INVALID: internal,
  HEADER_INVALID: internal,
  NOTE_INVALID: notFound,
  HEAD_MOVED: internal,
  EVENT_REFUSED: refused,
  TRACE_NOT_FOUND: notFound,
  TRACE_AMBIGUOUS: usage,
  TRACE_FINISHED: refused,
  EVENT_NOT_FOUND: notFound,
  ARTIFACT_NOT_FOUND: notFound,
  ARTIFACT_CORRUPT: notFound,
  ALREADY_REDACTED: refused,
  APPROVAL_UNPROVEN: usage,
  NOT_REDACTABLE: refused,
  HOME_MISSING: notFound,
  HOME_EXISTS: usage,
  HOME_READONLY: notFound,
  VAULT_FOREIGN: notFound,
  VAULT_CORRUPT: notFound,
  VAULT_BUSY: notFound,
  VAULT_UNREACHABLE: notFound,
  VAULT_REFUSED: refused,
  DISK_FULL: notFound,
  FILE_NOT_FOUND: notFound,
  FILE_UNREADABLE: notFound,
  FILE_UNWRITABLE: notFound,
  FILE_EXISTS: usage,
  BUNDLE_FOREIGN: notFound,
  BUNDLE_TOO_LARGE: notFound,
  BUNDLE_TRUNCATED: notFound,
  BUNDLE_INVALID: notFound,
  KEY_FILE_INVALID: notFound,
  KEY_FILE_EXPOSED: usage,
  KEY_LOCKED: usage,
  KEY_NOT_FOUND: notFound,
  KEY_EXISTS: usage,
  KEY_RETIRED: refused,
  CONFIG_INVALID: usage,
  FILE_UNTRUSTED: usage,
  PROTOCOL_UNKNOWN: notFound,
  EDITION_UNKNOWN: notFound,
  ENCODER_MISMATCH: refused,
  SENSE_FAILED: notFound,
  HAND_UNAVAILABLE: notFound,
  GIT_MISSING: notFound,
  NOT_A_REPOSITORY: usage,
  RANGE_INVALID: usage,
  NOTHING_TO_REVIEW: usage,
  QUORUM_NOT_MET: quorumNotMet,
  USAGE: usage,
  INTERRUPTED: interrupted,
}

export const exitOf = (code: ErrorCode | 'INTERNAL'): ExitCode =>
  code === 'INTERNAL' ? internal : EXIT_OF[code]
