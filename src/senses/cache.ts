// Vectors kept on disk by the hash of encoder and text, one small file each, so that nothing is embedded twice. A
// cache may lose entries and never lies: a file is renamed into place whole, carries a digest over its name and
// contents, and counts as absent when that does not fit. Processes share a directory without locks: what two of
// them write under one name is the same. Trouble with the disk costs time, not vectors.

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { closedError, packVector, type Sense, unpackVector, type Vector } from './sense.ts'

export interface CachedSense extends Sense {
  /** Removes the vectors of these texts: what is erased from a ledger must not live on here. */
  forget(texts: readonly string[]): Promise<void>
  /** Why the last entry could not be written, null when all is well. */
  readonly trouble: Error | null
}

const HANDS = 16

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** A readable name for a folder, unlike that of any other encoder. */
const folderOf = (encoder: string): string =>
  `${encoder.replace(/[^\w.@+-]+/g, '_').slice(0, 80)}-${digest(encoder).slice(0, 8)}`

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  const hand = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(HANDS, items.length) }, hand))
}

class DiskCache implements CachedSense {
  readonly encoder: string
  readonly dimension: number
  readonly #sense: Sense
  readonly #root: string
  #trouble: Error | null = null
  #closed = false

  constructor(sense: Sense, directory: string) {
    this.#sense = sense
    this.encoder = sense.encoder
    this.dimension = sense.dimension
    this.#root = join(directory, folderOf(sense.encoder))
  }

  get trouble(): Error | null {
    return this.#trouble
  }

  async embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Vector[]> {
    signal?.throwIfAborted()
    if (this.#closed) throw closedError(this.encoder)
    const found = new Map<string, Vector>()
    await eachOf([...new Set(texts)], async (text) => {
      const vector = signal?.aborted ? null : await this.#read(text)
      if (vector) found.set(text, vector)
    })
    signal?.throwIfAborted()
    const missing = [...new Set(texts)].filter((text) => !found.has(text))
    const made = missing.length > 0 ? await this.#sense.embed(missing, signal) : []
    for (const [i, vector] of made.entries()) found.set(missing[i] ?? '', vector)
    await eachOf(missing, (text) => this.#write(text, found.get(text)))
    return texts.map((text) => {
      const vector = found.get(text)
      if (!vector) throw new Error(`${this.encoder} gave fewer vectors than texts`)
      return vector
    })
  }

  async forget(texts: readonly string[]): Promise<void> {
    await eachOf([...new Set(texts)], async (text) => {
      try {
        await unlink(this.#pathOf(this.#keyOf(text)))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#sense.close()
  }

  #keyOf(text: string): string {
    return digest(this.encoder, text)
  }

  #pathOf(key: string): string {
    return join(this.#root, key.slice(0, 2), key)
  }

  /** Null when there is none, or one that cannot be read: it is made again and written over. */
  async #read(text: string): Promise<Vector | null> {
    const key = this.#keyOf(text)
    try {
      const entry: { vector?: unknown; sum?: unknown } = JSON.parse(await readFile(this.#pathOf(key), 'utf8'))
      if (entry.sum !== digest(key, JSON.stringify(entry.vector))) return null
      const vector = unpackVector(entry.vector)
      return vector?.encoder === this.encoder ? vector : null
    } catch {
      return null
    }
  }

  /** Not flushed: after a power cut an entry may be gone or torn, and then its digest does not fit. */
  async #write(text: string, vector: Vector | undefined): Promise<void> {
    if (!vector) return
    const key = this.#keyOf(text)
    const path = this.#pathOf(key)
    const packed = packVector(vector)
    const entry = JSON.stringify({ vector: packed, sum: digest(key, JSON.stringify(packed)) })
    const temporary = `${path}.${randomBytes(6).toString('hex')}`
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(temporary, entry, { mode: 0o600, flag: 'wx' })
      await rename(temporary, path)
      this.#trouble = null
    } catch (error) {
      this.#trouble = error instanceof Error ? error : new Error(String(error))
      await unlink(temporary).catch(() => undefined)
    }
  }
}

/** The sense, asked only for what `directory` does not hold yet. Closing closes the sense too. */
export const cached = (sense: Sense, directory: string): CachedSense => new DiskCache(sense, directory)
