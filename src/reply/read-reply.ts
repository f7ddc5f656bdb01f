// The one entry: a model's text, read as the requested shape. Pure and total: the same text gives the same
// reading everywhere, no text makes it throw, and its time grows with the length of the text. An outcome
// records the version it was read by, and a verifier reads the raw text again by that version; so a released
// version never changes, and a better reader is a new one.

import type { Json } from '../ledger/canonical.ts'
import { readMessages } from './messages.ts'
import { readValueReply } from './read-value.ts'
import type { RawReply, Reading } from './reading.ts'
import type { ReplyContext, Wanted } from './wanted.ts'

/** The current version. */
export const READER_VERSION = 1

export type ReaderVersion = typeof READER_VERSION

/** Whether this program can read by a recorded version. */
export const isReaderVersion = (version: unknown): version is ReaderVersion => version === READER_VERSION

const READERS: Readonly<Record<ReaderVersion, typeof readByVersion1>> = { 1: readByVersion1 }

function readByVersion1(wanted: Wanted, raw: RawReply, context: ReplyContext): Reading {
  return wanted.form === 'messages' ? readMessages(wanted, raw) : readValueReply(wanted, raw, context)
}

export const readReply = (
  version: ReaderVersion,
  wanted: Wanted,
  raw: RawReply,
  context: ReplyContext,
): Reading => READERS[version](wanted, raw, context)

/** The text about an answer that is still incomplete after it was asked for again. */
export const lackingWords = (missing: readonly string[]): string =>
  missing.length === 1 && missing[0] === 'answer'
    ? 'no answer could be read, also when asked again'
    : `the answer lacks ${missing.join(', ')}, also when asked for it`

/** A value that fitted the requested shape, with the type of this shape. */
export const fitted = <Value>(value: Json): Value => value as unknown as Value
