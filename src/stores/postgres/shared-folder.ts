// The folder that every machine mounts, for artifacts too large for the database. A mark in the folder and the same mark
// in the database say that they belong together: an empty mount point, or the folder of another ledger, is refused
// before anything is written to it or a model is asked.

import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { WitanError } from '../../ledger/errors.ts'
import { type ArtifactFiles, openArtifactFiles } from '../artifact-files.ts'
import { errnoOf } from '../disk.ts'
import { type Connections, stateOf } from './connection.ts'
import { lockKey } from './schema.ts'

/** Where large artifacts lie. */
export interface FolderSettings {
  readonly folder: string
  /** Artifacts of more bytes than this lie there. */
  readonly above: number
}

export interface SharedFolder extends FolderSettings {
  /** Resolves when the folder is there and the ledger's own; ARTIFACT_UNREACHABLE otherwise. */
  check(): Promise<void>
  readonly files: ArtifactFiles
}

const MARK_FILE = 'witan-artifacts'
/** A mount whose server is away keeps everyone waiting who touches it. */
const PATIENCE_MS = 5_000

export const unreachable = (message: string, next: string): WitanError =>
  new WitanError('ARTIFACT_UNREACHABLE', message, next)

const within = <Result>(work: Promise<Result>, folder: string): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          unreachable(`the folder for large artifacts, ${folder}, does not answer`, 'Check the mount there.'),
        ),
      PATIENCE_MS,
    )
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function markIn(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, MARK_FILE), 'utf8')).trim()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    const words = error instanceof Error ? error.message : String(error)
    throw unreachable(
      `the folder for large artifacts, ${folder}, cannot be read: ${words}`,
      'Check the mount and its permissions.',
    )
  }
}

async function readMark(client: pg.Client, schema: string): Promise<string | null> {
  try {
    const { rows } = await client.query<{ mark: string }>(`SELECT mark FROM "${schema}".artifact_folder`)
    return rows[0]?.mark ?? null
  } catch (error) {
    if (stateOf(error) === '42P01') return null
    throw error
  }
}

async function writeMark(folder: string, mark: string): Promise<void> {
  const path = join(folder, MARK_FILE)
  try {
    const handle = await open(path, 'wx', 0o600)
    try {
      await handle.writeFile(`${mark}\n`)
      await handle.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await handle.close()
    }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw unreachable(
      `the folder for large artifacts, ${folder}, cannot be written to: ${words}`,
      'Make it, mount it, and let this user write to it.',
    )
  }
}

/** A folder is taken once, by one ledger, while it is empty. */
async function take(client: pg.Client, schema: string, folder: string): Promise<string> {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${lockKey(schema, "'create'")})`)
    await client.query(`CREATE TABLE IF NOT EXISTS "${schema}".artifact_folder (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), mark uuid NOT NULL)`)
    const known = await readMark(client, schema)
    if (known === null) {
      const others = await readdir(folder).catch(() => [])
      if (others.length > 0)
        throw unreachable(
          `the folder for large artifacts, ${folder}, is in use: it holds ${others.slice(0, 3).join(', ')}`,
          'Give the ledger an empty folder of its own.',
        )
      const mark = randomUUID()
      await writeMark(folder, mark)
      await client.query(`INSERT INTO "${schema}".artifact_folder (mark) VALUES ($1)`, [mark])
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
  return (await readMark(client, schema)) ?? ''
}

export function openSharedFolder(
  connections: Connections,
  schema: string,
  { folder, above }: FolderSettings,
): SharedFolder {
  let wanted: Promise<string> | null = null

  /** The mark that the database names; asked once. */
  const mark = (): Promise<string> => {
    wanted ??= connections
      .patiently(async () => {
        const client = await connections.dedicated()
        try {
          return (await readMark(client, schema)) ?? (await take(client, schema, folder))
        } finally {
          await client.end()
        }
      })
      .catch((error: unknown) => {
        wanted = null
        throw error
      })
    return wanted
  }

  return {
    folder,
    above,
    files: openArtifactFiles(folder),
    async check() {
      const known = await mark()
      const there = await within(markIn(folder), folder)
      if (there === known) return
      throw unreachable(
        there === null
          ? `the folder for large artifacts, ${folder}, is not the one of this ledger: its mark is missing`
          : `the folder for large artifacts, ${folder}, is that of another ledger`,
        'Mount the shared folder there, or correct vault.artifacts in config.yaml on this machine.',
      )
    },
  }
}
