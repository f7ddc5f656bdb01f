// What a home remembers of its console, in a file that only its owner can read: its host name, so that a link
// to a trace stays valid, and how a second console finds the first. It grants no more than the keys beside
// it: any program that can read it can use the home.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readKept, writeKept } from '../home/files.ts'

export interface ConsoleNote {
  /** The first part of the host name: `witan-…`. Cookies are not bound to a port, so no other server may use this name. */
  readonly name: string
  /** The port where it listens, or listened last. */
  readonly port: number
  /** What another console of this home must present to be admitted; null when none runs. */
  readonly secret: string | null
}

const noteFile = (home: string): string => join(home, 'console.json')

function noteIn(value: unknown): ConsoleNote | null {
  const { name, port, secret } = (value ?? {}) as Partial<Record<keyof ConsoleNote, unknown>>
  if (typeof name !== 'string' || !/^witan-[a-z0-9]{16}$/.test(name)) return null
  if (!Number.isInteger(port) || Number(port) < 0 || Number(port) > 65_535) return null
  if (secret !== null && (typeof secret !== 'string' || !/^[0-9a-f]{64}$/.test(secret))) return null
  return { name, port: Number(port), secret }
}

/** 80 bits, in letters that a host name may contain. */
const newName = (): string =>
  `witan-${[...randomBytes(16)].map((byte) => 'abcdefghjkmnpqrstuvwxyz023456789'[byte % 32]).join('')}`

/** The saved note, or a new one. An unreadable file is replaced: only a link is lost. */
export async function readNote(home: string): Promise<ConsoleNote> {
  const saved = await readKept(noteFile(home), {
    read: noteIn,
    of: 'the console of this home',
    next: 'Remove it: it is written again.',
  }).catch(() => undefined)
  return saved ?? { name: newName(), port: 0, secret: null }
}

export const writeNote = (home: string, note: ConsoleNote): Promise<void> => writeKept(noteFile(home), note)
