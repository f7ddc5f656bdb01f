// One file with everything an outsider needs. Signs a checkpoint for the export and records nothing, so a
// home can be exported that cannot be written to.

import { join } from 'node:path'
import { artifactsIn, extract } from '../../clerk/extract.ts'
import { EVAL } from '../../eval/events.ts'
import type { Bundle } from '../../ledger/bundle/bundle.ts'
import { WitanError } from '../../ledger/errors.ts'
import { writeBundle } from '../../stores/bundle-file.ts'
import { makeDirectory, onDisk } from '../../stores/disk.ts'
import { refuseExisting, writeFileWhole } from '../home/files.ts'
import { type Home, type HomeLocation, signingRegistrar, withHome } from '../home/home.ts'
import { findTrace } from './trace-name.ts'
import { councilsFolder } from './trace-source.ts'

/** What is exported, and where to. */
export interface ExportOptions {
  /** The file to write. */
  readonly file: string
  /** A page that verifies itself in a browser, instead of a bundle. */
  readonly html?: boolean
  /** Leaves payloads and artifacts out. */
  readonly withoutContent?: boolean
  /** Artifacts over this many bytes are left out. */
  readonly artifactLimit?: number | null
  /** Where the checkpoint is also saved. */
  readonly checkpointFile?: string | null
  /** For an evaluation: its councils too, in a folder beside the file. */
  readonly councils?: boolean
  /** Whether existing files may be replaced. */
  readonly replace?: boolean
}

/** What was written. */
export interface Exported {
  readonly trace: string
  readonly file: string
  readonly bytes: number
  readonly size: number
  readonly content: Bundle['content']
  readonly omitted: Bundle['omitted']
  readonly checkpoint: string
  readonly checkpoint_file: string | null
  /** The councils of a session or an evaluation, each in its own file. */
  readonly councils?: readonly { readonly trace: string; readonly file: string }[]
}

/** A page has to be opened by a browser at once; a bundle is streamed. */
const PAGE_ARTIFACT_LIMIT = 5_000_000

async function content(
  home: Home,
  bundle: Bundle,
  page: { readonly artifactLimit: number } | null,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const artifacts = artifactsIn(bundle)
  if (page === null) return writeBundle(bundle, artifacts, home.store)
  const { renderPage } = await import('../verification-page.ts')
  return Buffer.from(await renderPage(bundle, artifacts, home.store, page))
}

async function councilsBeside(home: Home, trace: string, options: ExportOptions) {
  const { file, html = false } = options
  const protocol = (await home.store.head(trace))?.header.protocol
  const ending = html ? 'html' : 'witan'
  if (options.councils) {
    if (protocol !== EVAL)
      throw new WitanError(
        'USAGE',
        `${trace} is no evaluation`,
        'Only an evaluation is exported with --councils.',
      )
    const { councilsHeld } = await import('../eval/read-eval.ts')
    const folder = councilsFolder(file)
    await onDisk(folder, () => makeDirectory(folder))
    const heldCouncils = await councilsHeld(home, trace)
    return heldCouncils.map((council) => ({ trace: council, file: join(folder, `${council}.${ending}`) }))
  }
  if (protocol !== 'agents/1') return []
  const { findCriticCouncils } = await import('../agents/council-critic.ts')
  const councils = await findCriticCouncils(home.store, trace)
  return councils.map((council) => ({ trace: council, file: `${file}.council-${council}.${ending}` }))
}

async function write(home: Home, name: string, options: ExportOptions): Promise<Exported> {
  const { file, html = false, withoutContent = false, checkpointFile = null, replace = false } = options
  const limit = options.artifactLimit ?? (html ? PAGE_ARTIFACT_LIMIT : null)
  const trace = await findTrace(home.store, name)
  const councils = await councilsBeside(home, trace, options)
  for (const path of [file, checkpointFile, ...councils.map((one) => one.file)])
    if (path !== null) await refuseExisting(path, replace)
  const registrar = await signingRegistrar(home)
  if (withoutContent && trace === registrar.trace) {
    const next = 'It holds keys, and others are judged by it.'
    throw new WitanError('USAGE', 'the registry cannot be exported without its content', next)
  }
  const page = html ? { artifactLimit: limit ?? PAGE_ARTIFACT_LIMIT } : null
  const writeOne = async (name: string, path: string) => {
    const bundle = await extract({ store: home.store, registrar, sha256: home.ports.sha256 }, name, {
      withoutContent,
      ...(limit !== null && { artifactLimit: limit }),
    })
    return { bundle, bytes: await writeFileWhole(path, await content(home, bundle, page), { replace }) }
  }
  const { bundle, bytes } = await writeOne(trace, file)
  for (const council of councils) await writeOne(council.trace, council.file)
  const checkpoint = bundle.main.checkpoint ?? ''
  if (checkpointFile !== null) await writeFileWhole(checkpointFile, Buffer.from(checkpoint), { replace })
  return {
    trace,
    file,
    bytes,
    size: bundle.main.events.length,
    content: bundle.content,
    omitted: bundle.omitted,
    checkpoint,
    checkpoint_file: checkpointFile,
    ...(councils.length > 0 && { councils }),
  }
}

/** Writes a trace of a home into a file that anyone can verify. */
export const exportTrace = (
  location: HomeLocation,
  name: string,
  options: ExportOptions,
): Promise<Exported> => withHome({ ...location, mode: 'read' }, (home) => write(home, name, options))
