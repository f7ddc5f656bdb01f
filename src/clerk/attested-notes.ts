// What others added below checkpoints of this home, as its registry recorded it. A checkpoint that is signed
// for an export has the same text as the recorded one of that size, so their lines are valid below it too.

import { each, type RegistryState } from '../ledger/registry/registry.ts'
import { withLines } from '../ledger/tree/attestations.ts'
import type { NoteSignature } from '../ledger/tree/checkpoint.ts'
import { readTreeHead, type TraceCheckpoint } from '../ledger/tree/tree-head.ts'

const linesOfOthers = ({ signatures, registry }: TraceCheckpoint): readonly NoteSignature[] =>
  signatures.filter(({ name }) => name !== registry)

/** The note with every line of others that was recorded below the same text. */
export function withRecordedLines({ checkpoints }: RegistryState, note: string): string {
  const { trace, size, text } = readTreeHead(note)
  const lines: NoteSignature[] = []
  for (const recorded of each(checkpoints)) {
    if (recorded.trace !== trace || recorded.size !== size) continue
    const checkpoint = readTreeHead(recorded.note)
    if (checkpoint.text === text) lines.push(...linesOfOthers(checkpoint))
  }
  return lines.length > 0 ? withLines(note, lines) : note
}

/** The newest checkpoint of the registry, up to this size, to which others added lines; null when there is none. */
export function attestedRegistryNote({ registry, checkpoints }: RegistryState, size: number): string | null {
  for (const recorded of each(checkpoints)) {
    if (recorded.trace !== registry || recorded.size > size) continue
    if (linesOfOthers(readTreeHead(recorded.note)).length > 0) return recorded.note
  }
  return null
}
