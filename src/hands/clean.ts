// Secrets leave a tool's output before it is stored or shown. What counts as one is decided by whoever opens the hand;
// here it is only applied, to text as text and to other bytes byte by byte, so that nothing passes for being binary.

import { fromUtf8, utf8 } from '../ledger/bytes.ts'
import type { ContentPart } from './hand.ts'

/** A text without its secrets, and how many there were. */
export interface Cleaned {
  readonly text: string
  readonly removed: number
}

/** Takes secrets out of a text before it is kept or shown. */
export type Clean = (text: string) => Cleaned | Promise<Cleaned>

const TAKEN_OUT = '[secret]'
/** Shorter ones would take ordinary words out. */
const SHORTEST = 8

export async function cleanBytes(
  bytes: Uint8Array,
  clean: Clean,
): Promise<{ readonly bytes: Uint8Array; readonly removed: number }> {
  const text = fromUtf8(bytes)
  // Every byte is one character of Latin-1 and back.
  const { text: cleaned, removed } = await clean(text ?? Buffer.from(bytes).toString('latin1'))
  if (removed === 0) return { bytes, removed }
  return { bytes: text === null ? Buffer.from(cleaned, 'latin1') : utf8(cleaned), removed }
}

export async function cleanParts(
  parts: readonly ContentPart[],
  clean: Clean,
): Promise<{ readonly parts: readonly ContentPart[]; readonly removed: number }> {
  const cleaned = await Promise.all(parts.map((part) => cleanBytes(part.bytes, clean)))
  return {
    parts: parts.map((part, at) => ({ ...part, bytes: cleaned[at]?.bytes ?? part.bytes })),
    removed: cleaned.reduce((sum, one) => sum + one.removed, 0),
  }
}

/** Takes these very texts out before the general rules look: a server's own key need not look like one. */
export function cleanKnown(known: readonly string[], clean: Clean): Clean {
  const secrets = [...new Set(known)].filter((one) => one.length >= SHORTEST)
  secrets.sort((a, b) => b.length - a.length)
  return async (given) => {
    let text = given
    let removed = 0
    for (const secret of secrets) {
      const pieces = text.split(secret)
      removed += pieces.length - 1
      text = pieces.join(TAKEN_OUT)
    }
    const rest = await clean(text)
    return { text: rest.text, removed: removed + rest.removed }
  }
}
