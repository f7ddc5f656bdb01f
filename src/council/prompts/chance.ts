// Randomness comes from the recorded seed alone: anyone who has the trace draws the same orders and the same
// delimiters. Each use names its purpose, so that knowing one order tells nothing about another.

import { type Sha256, toHex, utf8 } from '../../ledger/bytes.ts'

const draw = (sha256: Sha256, seed: string, purpose: string, nth: number): Uint8Array =>
  sha256(utf8(`witan council/1 ${seed} ${purpose} ${nth}`))

/** Uniform below `limit`: numbers that would favour small ones are drawn again. */
function below(limit: number, next: () => Uint8Array): number {
  const span = 2 ** 32 - (2 ** 32 % limit)
  for (;;) {
    const [a = 0, b = 0, c = 0, d = 0] = next()
    const drawn = ((a * 256 + b) * 256 + c) * 256 + d
    if (drawn < span) return drawn % limit
  }
}

/** Fisher–Yates. */
export function shuffled<Item>(
  sha256: Sha256,
  seed: string,
  purpose: string,
  items: readonly Item[],
): readonly Item[] {
  const out = [...items]
  let nth = 0
  const next = (): Uint8Array => draw(sha256, seed, `order ${purpose}`, nth++)
  for (let i = out.length - 1; i > 0; i--) {
    const j = below(i + 1, next)
    const [a, b] = [out[i] as Item, out[j] as Item]
    out[i] = b
    out[j] = a
  }
  return out
}

const CODE_LENGTH = 12

/** A code that is in none of the texts, so that they cannot end what the code marks. */
export function codeOutside(sha256: Sha256, seed: string, purpose: string, texts: readonly string[]): string {
  for (let nth = 0; ; nth++) {
    const code = toHex(draw(sha256, seed, `delimiter ${purpose}`, nth)).slice(0, CODE_LENGTH)
    if (!texts.some((text) => text.includes(code))) return code
  }
}
