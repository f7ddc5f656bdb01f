// Vectors kept on disk by the hash of encoder and text, one small file each, so that nothing is embedded
// twice. A cache may lose entries but is never wrong: a file is renamed into place when complete, begins with
// a digest over its name and contents, and counts as absent when that does not match. Processes share a
// directory without locks: what two of them write under one name is the same. A disk error costs time, not
// vectors.

import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { bytesOf, closedError, type Embedder, type Vector, vectorFrom } from './embedder.ts'

/** An embedder that encodes each text once. */
export interface CachedEmbedder extends Embedder {
  /** Removes the vectors of these texts: what is erased from a ledger must not remain here. */
  forget(texts: readonly string[]): Promise<void>
  /** Why the last entry could not be written; null when all is well. */
  readonly trouble: Error | null
}

/** Reading a kilobyte directly takes a tenth of the time that another thread takes. */
const AT_ONCE = 64
const DIGEST_BYTES = 32

const digest = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** A readable name for a folder, different from that of any other encoder. */
const folderOf = (encoder: string): string =>
  `${encoder.replace(/[^\w.@+-]+/g, '_').slice(0, 80)}-${digest(encoder).toString('hex').slice(0, 8)}`

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** A file of this entry that is being written, now or by a process that ended. */
function temporariesOf(path: string): readonly string[] {
  try {
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`))
    return names.map((name) => join(dirname(path), name))
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

async function forEachInSteps<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (const [i, item] of items.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await setImmediate()
    work(item)
  }
}

class DiskCache implements CachedEmbedder {
  readonly encoder: string
  readonly dimension: number
  readonly #embedder: Embedder
  readonly #root: string
  #trouble: Error | null = null
  #closed = false

  constructor(embedder: Embedder, directory: string) {
    this.#embedder = embedder
    this.encoder = embedder.encoder
    this.dimension = embedder.dimension
    this.#root = join(directory, folderOf(embedder.encoder))
  }

  get trouble(): Error | null {
    return this.#trouble
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]> {
    signal?.throwIfAborted()
    if (this.#closed) throw closedError(this.encoder)
    const vectorsByText = new Map<string, Vector>()
    const missing: string[] = []
    await forEachInSteps([...new Set(texts)], (text) => {
      signal?.throwIfAborted()
      const vector = this.#read(text)
      if (vector) vectorsByText.set(text, vector)
      else missing.push(text)
    })
    const made = missing.length > 0 ? await this.#embedder.embed(missing, signal) : []
    await forEachInSteps([...made.entries()], ([i, vector]) => {
      const text = missing[i] ?? ''
      vectorsByText.set(text, vector)
      this.#write(text, vector)
    })
    return texts.map((text) => {
      const vector = vectorsByText.get(text)
      if (!vector) throw new Error(`${this.encoder} gave fewer vectors than texts`)
      return vector
    })
  }

  async forget(texts: readonly string[]): Promise<void> {
    await forEachInSteps([...new Set(texts)], (text) => {
      const path = this.#pathOf(this.#keyOf(text))
      for (const file of [path, ...temporariesOf(path)]) rmSync(file, { force: true })
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#embedder.close()
  }

  #keyOf(text: string): string {
    return digest(JSON.stringify([this.encoder, text])).toString('hex')
  }

  #pathOf(key: string): string {
    return join(this.#root, key.slice(0, 2), key)
  }

  /** Null when there is none, or an unreadable one: it is computed again and overwritten. */
  #read(text: string): Vector | null {
    const key = this.#keyOf(text)
    try {
      const entry = readFileSync(this.#pathOf(key))
      const body = entry.subarray(DIGEST_BYTES)
      return digest(key, body).equals(entry.subarray(0, DIGEST_BYTES)) ? vectorFrom(this.encoder, body) : null
    } catch {
      return null
    }
  }

  #write(text: string, vector: Vector): void {
    const key = this.#keyOf(text)
    const body = bytesOf(vector)
    try {
      this.#place(this.#pathOf(key), Buffer.concat([digest(key, body), body]))
      this.#trouble = null
    } catch (error) {
      this.#trouble = error instanceof Error ? error : new Error(String(error))
    }
  }

  /** Not flushed: after a power cut an entry may be missing or torn, and then its digest does not match. */
  #place(path: string, entry: Uint8Array): void {
    const temporary = `${path}.${randomBytes(6).toString('hex')}`
    const options = { mode: 0o600, flag: 'wx' } as const
    try {
      try {
        writeFileSync(temporary, entry, options)
      } catch (error) {
        if (!isAbsent(error)) throw error
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        writeFileSync(temporary, entry, options)
      }
      renameSync(temporary, path)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
  }
}

/** The embedder, asked only for what `directory` does not have yet. Closing closes the embedder too. */
export const cached = (embedder: Embedder, directory: string): CachedEmbedder =>
  new DiskCache(embedder, directory)
