// The one entry: what a model wrote, read as what was asked for. Pure and total: the same text gives the same reading
// everywhere, no text makes it throw, and the time it takes grows with the length of the text. An outcome records the
// version it was read by, and a verifier reads the raw text again by that version; so a released version never
// changes, and a better reader is a new one.

import type { Json } from '../ledger/canonical.ts'
import { readMessages } from './messages.ts'
import { readValueReply } from './read-value.ts'
import type { RawReply, Reading } from './reading.ts'
import type { ReplyContext, Wanted } from './wanted.ts'

/** What is read by today. */
export const READER_VERSION = 1

export type ReaderVersion = typeof READER_VERSION

/** Whether a recorded version is one that this program can read by. */
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

/** The words for an answer that still lacks something after it was asked for it. */
export const lackingWords = (missing: readonly string[]): string =>
  missing.length === 1 && missing[0] === 'answer'
    ? 'no answer could be read, also when asked again'
    : `the answer lacks ${missing.join(', ')}, also when asked for it`

/** A value that fitted the shape that was wanted, by the type that stands for this shape. */
export const fitted = <Value>(value: Json): Value => value as unknown as Value
