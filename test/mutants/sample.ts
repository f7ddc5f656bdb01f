// Which mutants of a room are tried: a seeded draw without replacement, the same for the same sources, seed and count.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mutantsOf } from './kinds.ts'
import type { Numbered } from './switching.ts'

export interface Drawn extends Numbered {
  readonly file: string
}

/** Mulberry32: small, and good enough for a draw. */
function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .sort()

/** All mutants of a room, numbered from 1 in the order of files and places. */
export const mutantsIn = (room: string): Drawn[] =>
  sources(`src/${room}`)
    .flatMap((file) => mutantsOf(readFileSync(file, 'utf8')).map((mutant) => ({ ...mutant, file })))
    .map((mutant, at) => ({ ...mutant, id: at + 1 }))

export function draw<T>(from: readonly T[], count: number, seed: number): T[] {
  const left = [...from]
  const next = chance(seed)
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const at = Math.floor(next() * left.length)
    const [taken] = left.splice(at, 1)
    return taken as T
  })
}
