// Secrets are removed from a tool's output before it is stored or shown. The caller that opens the toolset
// decides what counts as one; here it is only applied: to text by the decoder that reads what councils are
// sent, to other bytes byte by byte and in UTF-16, so that binary output is searched too.

import { decode, encodeLike } from '../ledger/decode.ts'
import type { ContentPart } from './toolset.ts'

/** A text without its secrets, and how many there were. */
export interface Cleaned {
  readonly text: string
  readonly removed: number
}

/** Removes secrets from a text before it is kept or shown. */
export type Clean = (text: string) => Cleaned | Promise<Cleaned>
const TAKEN_OUT = '[secret]'
/** Shorter ones would remove ordinary words. */
const SHORTEST = 8
interface CleanedBytes {
  readonly bytes: Uint8Array
  readonly removed: number
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: the zeros of letters of two bytes are looked for.
const LITTLE = /(?:[\t\n\r -~]\x00){8,}/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: likewise, with the zero first.
const BIG = /(?:\x00[\t\n\r -~]){8,}/g
const BETWEEN = '\n\0\n'
/** Runs of letters of two bytes among other bytes, each byte being one character here. */
async function cleanWide(text: string, wide: RegExp, clean: Clean): Promise<Cleaned> {
  const runs = text.match(wide)
  if (runs === null) return { text, removed: 0 }
  const { text: cleaned, removed } = await clean(runs.map((run) => run.replaceAll('\0', '')).join(BETWEEN))
  if (removed === 0) return { text, removed }
  const pieces = cleaned.split(BETWEEN)
  const widened = (piece: string): string =>
    [...piece].map((char) => (wide === LITTLE ? `${char}\0` : `\0${char}`)).join('')
  let next = 0
  // A secret over several runs leaves fewer pieces: then none of them is shown.
  const out = text.replace(wide, () => (pieces.length === runs.length ? widened(pieces[next++] ?? '') : ''))
  return { text: out, removed }
}

async function cleanBinary(bytes: Uint8Array, clean: Clean): Promise<CleanedBytes> {
  // Every byte is one character of Latin-1 and back.
  const narrow = await clean(Buffer.from(bytes).toString('latin1'))
  const little = await cleanWide(narrow.text, LITTLE, clean)
  const big = await cleanWide(little.text, BIG, clean)
  const removed = narrow.removed + little.removed + big.removed
  return { bytes: removed === 0 ? bytes : Buffer.from(big.text, 'latin1'), removed }
}

export async function cleanBytes(bytes: Uint8Array, clean: Clean): Promise<CleanedBytes> {
  const decoded = decode(bytes)
  if (decoded === null || decoded.encoding === 'latin-1') return cleanBinary(bytes, clean)
  const { text, removed } = await clean(decoded.text)
  return { bytes: removed === 0 ? bytes : encodeLike(text, decoded.encoding, bytes), removed }
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

/** Removes exactly these texts before the general rules apply: a server's own key need not look like one. */
export function cleanKnown(known: readonly string[], clean: Clean): Clean {
  const secrets = [...new Set(known)].filter((one) => one.length >= SHORTEST)
  secrets.sort((a, b) => b.length - a.length)
  return async (original) => {
    let text = original
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
