// Files within granted roots: read, list, write, patch. A write says what it expects to replace, so that an approval
// given for one content is not used on another. Nothing is written into a hook place or a repository: it would run as
// the user, outside of every confinement.

import { lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fromUtf8, utf8 } from '../../ledger/bytes.ts'
import type { Json } from '../../ledger/canonical.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { JsonSchema } from '../../ledger/schema.ts'
import { type Forbidden, type Place, type Root, resolvePlace, segmentsOf, within } from '../allowed-paths.ts'
import { type Context, Fault, fixedToolset, type Input, type Tool, type ToolOutput } from '../call-tool.ts'
import { type Clean, cleanBytes } from '../clean-output.ts'
import { bytesPart, jsonPart } from '../content-parts.ts'
import { hookPlaceOn } from '../hook-places.ts'
import { isRepository } from '../shell/repositories.ts'
import type { Effect, Toolset } from '../toolset.ts'
import { applyEdits, type Edit } from './exact-edits.ts'
import { codeOf, type Folder, makeFolders, withFolder } from './folder.ts'
import { readContent, replaceContent, sha256, type Written } from './whole-files.ts'

// The content of a folder, and of the folders below it to the requested depth. Links are named and not
// followed; forbidden places are left out as if they did not exist.

interface Entry {
  /** Relative to the requested folder. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  /** Of files. */
  readonly bytes?: number
}

interface Listing {
  readonly entries: readonly Entry[]
  readonly truncated: boolean
}

function allowed(place: Place, path: string): boolean {
  try {
    place.check(path)
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

async function entryAt(folder: Folder, name: string, path: string): Promise<Entry | null> {
  try {
    const stats = await lstat(folder.at(name))
    if (stats.isFile()) return { path, kind: 'file', bytes: stats.size }
    if (stats.isDirectory()) return { path, kind: 'folder' }
    return { path, kind: stats.isSymbolicLink() ? 'link' : 'other' }
  } catch (error) {
    // Deleted between the listing and the check.
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

async function listFolder(place: Place, depth: number, most: number): Promise<Listing> {
  const entries: Entry[] = []
  let truncated = false
  const visit = async (path: string, prefix: string, depthLeft: number): Promise<void> => {
    const folders = await withFolder(path, async (folder) => {
      const names = (await readdir(folder.at('.'))).sort()
      const below: string[] = []
      for (const name of names) {
        if (!allowed(place, join(path, name))) continue
        if (entries.length === most) truncated = true
        if (truncated) return []
        const entry = await entryAt(folder, name, `${prefix}${name}`)
        if (entry !== null) entries.push(entry)
        if (entry?.kind === 'folder') below.push(name)
      }
      return below
    })
    if (depthLeft <= 1) return
    for (const name of folders) await visit(join(path, name), `${prefix}${name}/`, depthLeft - 1)
  }
  if (!place.exists) throw new Fault('not_found', 'there is no such folder')
  await visit(place.path, '', depth)
  return { entries, truncated }
}

/** Which folders may be accessed, and how. */
export interface FilesOptions {
  /** The first is the workspace. */
  readonly roots: readonly Root[]
  readonly forbidden: Forbidden
  readonly clean: Clean
  /** A larger file is neither read nor written. */
  readonly maxFileBytes?: number
}

const MAX_FILE_BYTES = 8 << 20
const MAX_ENTRIES = 2_000
const MAX_DEPTH = 16

const path = { type: 'string', minLength: 1, maxLength: 4096, description: 'relative to the root' }
const root = { type: 'string', description: 'a granted root; the workspace unless given' }
const whole = { type: 'integer', minimum: 0 }
const expected = { type: ['string', 'null'], description: 'SHA-256 of what is there now; null for nothing' }

const shape = (properties: JsonSchema, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties: { ...properties, path, root },
  required: ['path', ...required],
  additionalProperties: false,
})

const edits = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: {
    type: 'object',
    properties: {
      find: { type: 'string', minLength: 1, description: 'exact text that stands there once' },
      replace: { type: 'string' },
      all: { type: 'boolean', description: 'replace every occurrence' },
    },
    required: ['find', 'replace'],
    additionalProperties: false,
  },
}

/** The nearest offset at or before that does not cut a character in two. */
function boundary(bytes: Uint8Array, offset: number): number {
  let at = Math.min(offset, bytes.length)
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}

function pageOf(bytes: Uint8Array, input: Input, most: number): { page: Uint8Array; truncated: boolean } {
  const text = fromUtf8(bytes) !== null
  const edge = (offset: number) => (text ? boundary(bytes, offset) : Math.min(offset, bytes.length))
  const from = edge(Number(input.offset ?? 0))
  const to = edge(from + Math.min(Number(input.length ?? most), most))
  return { page: bytes.subarray(from, to), truncated: to < bytes.length }
}

/** A folder is a repository by its content: its settings run programs under any name. */
async function refuseRepositories({ realRoot, path }: Place): Promise<void> {
  for (let folder = dirname(path); within(realRoot, folder); folder = dirname(folder)) {
    if (!(await isRepository(folder))) continue
    throw new Fault('denied', 'nothing is written into a repository of git: your own git would run it')
  }
}

/** Tools that list, read and write files within their roots. */
export function fileTools({ roots, forbidden, clean, maxFileBytes = MAX_FILE_BYTES }: FilesOptions): Toolset {
  if (roots.some((one) => one.name === '')) {
    throw new WitanError('CONFIG_INVALID', 'a root has no name', 'Name every folder that is granted.')
  }

  const reach = (input: Input): Promise<Place> =>
    resolvePlace(roots, forbidden, {
      path: String(input.path),
      root: input.root === undefined ? undefined : String(input.root),
    })

  async function reachToWrite(input: Input): Promise<Place> {
    const place = await reach(input)
    if (!place.root.write) throw new Fault('denied', `the root ${place.root.name} is for reading only`)
    const inside = segmentsOf(place.path.slice(place.realRoot.length))
    const hook = hookPlaceOn(inside)
    if (hook !== null) {
      throw new Fault('denied', `nothing is written into ${hook}: your own tools would run it unconfined`)
    }
    await refuseRepositories(place)
    if (inside.length === 0) throw new Fault('error', 'the path is a folder')
    return place
  }

  async function read(input: Input, context: Context): Promise<ToolOutput> {
    const bytes = await readContent(await reach(input), maxFileBytes)
    // The whole is cleaned before a page is cut from it, so that the edge of a page never cuts a secret in two.
    const cleaned = await cleanBytes(bytes, context.clean)
    const { page, truncated } = pageOf(cleaned.bytes, input, context.limits.maxOutputBytes)
    return { content: [bytesPart('file', page)], truncated, removed: cleaned.removed }
  }

  async function list(input: Input): Promise<ToolOutput> {
    const depth = Math.min(Number(input.depth ?? 1), MAX_DEPTH)
    const { entries, truncated } = await listFolder(await reach(input), depth, MAX_ENTRIES)
    return {
      content: [
        jsonPart(
          'entries',
          entries.map((entry) => ({ ...entry })),
        ),
      ],
      truncated,
    }
  }

  const writtenOutput = (input: Input, written: Written): ToolOutput => ({
    content: [jsonPart('written', { path: String(input.path), ...written })],
  })

  function checkExpected(input: Input, before: Uint8Array | null): void {
    if (input.expected === undefined) return
    const actual = before === null ? null : sha256(before)
    if (actual === input.expected) return
    throw new Fault(
      'error',
      `the file is not as expected: its SHA-256 is ${actual ?? 'none, it is not there'}`,
    )
  }

  async function write(input: Input): Promise<ToolOutput> {
    const place = await reachToWrite(input)
    if (input.create_folders === true) await makeFolders(place.realRoot, dirname(place.path))
    const written = await replaceContent(place, maxFileBytes, (before) => {
      checkExpected(input, before)
      return utf8(String(input.content))
    })
    return writtenOutput(input, written)
  }

  async function patch(input: Input): Promise<ToolOutput> {
    const place = await reachToWrite(input)
    const written = await replaceContent(place, maxFileBytes, (before) => {
      if (before === null) throw new Fault('not_found', 'there is no such file')
      checkExpected(input, before)
      return applyEdits(before, input.edits as readonly (Json & Edit)[], maxFileBytes)
    })
    return writtenOutput(input, written)
  }

  const tool = (
    name: string,
    effect: Effect,
    description: string,
    inputSchema: JsonSchema,
    run: Tool['run'],
  ): Tool => ({
    definition: { name: `files.${name}`, description, inputSchema, effects: [effect], source: 'files' },
    reach: effect === 'write' ? reachToWrite : reach,
    run,
  })

  const tools = [
    tool(
      'read',
      'read',
      'Reads a file, or a page of it by bytes.',
      shape({ offset: whole, length: whole }),
      read,
    ),
    tool(
      'list',
      'read',
      'Lists a folder, and folders below it to a depth.',
      shape({ depth: { type: 'integer', minimum: 1, maximum: MAX_DEPTH } }),
      list,
    ),
    tool(
      'write',
      'write',
      'Writes a whole text file, or replaces one.',
      shape({ content: { type: 'string' }, expected, create_folders: { type: 'boolean' } }, 'content'),
      write,
    ),
    tool(
      'patch',
      'write',
      'Replaces exact texts in a file, in order; each must stand there exactly once, or all are asked for.',
      shape({ edits, expected }, 'edits'),
      patch,
    ),
  ]
  return fixedToolset(tools, clean)
}
