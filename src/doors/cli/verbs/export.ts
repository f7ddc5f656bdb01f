// `witan export`: one file that holds all an outsider needs. Signs a checkpoint for the occasion and records nothing,
// so a home can be exported that cannot be written to.

import { artifactsIn, extract } from '../../../clerk/extract.ts'
import type { Bundle } from '../../../ledger/bundle.ts'
import { writeBundle } from '../../../vaults/bundle-file.ts'
import { refuseExisting, writeFileWhole } from '../../file.ts'
import { type Home, signingRegistrar, withHome } from '../../home.ts'
import { pinFile } from '../../registry-pin.ts'
import type { Call, Verb } from '../command.ts'
import { usage } from '../parse.ts'
import { plain } from '../plain.ts'
import { findTrace } from '../trace-name.ts'

/** A page has to be opened by a browser at once; a bundle is streamed. */
const PAGE_ARTIFACT_LIMIT = 5_000_000

async function content(
  home: Home,
  bundle: Bundle,
  call: Call,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const artifacts = artifactsIn(bundle)
  if (!call.flag('html')) return writeBundle(bundle, artifacts, home.vault)
  const { renderPage } = await import('../../html.ts')
  const artifactLimit = call.count('artifact-limit') ?? PAGE_ARTIFACT_LIMIT
  return Buffer.from(await renderPage(bundle, artifacts, home.vault, { artifactLimit }))
}

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const file = call.text('output') ?? ''
    const checkpointFile = call.text('checkpoint-out')
    const replace = call.flag('force')
    const withoutContent = call.flag('without-content')
    const limit = call.count('artifact-limit') ?? (call.flag('html') ? PAGE_ARTIFACT_LIMIT : null)
    for (const path of [file, checkpointFile]) if (path !== null) await refuseExisting(path, replace)
    const trace = await findTrace(home.vault, call.args[0] ?? '')
    const registrar = await signingRegistrar(home)
    if (withoutContent && trace === registrar.trace) {
      throw usage(
        'the registry cannot be exported without its content',
        'It holds keys, and others are judged by it.',
      )
    }
    call.progress('Signing a checkpoint…')
    const bundle = await extract({ vault: home.vault, registrar, sha256: home.office.sha256 }, trace, {
      withoutContent,
      ...(limit !== null && { artifactLimit: limit }),
    })
    const bytes = await writeFileWhole(file, await content(home, bundle, call), { replace })
    const checkpoint = bundle.main.checkpoint ?? ''
    if (checkpointFile !== null) await writeFileWhole(checkpointFile, Buffer.from(checkpoint), { replace })
    const size = bundle.main.events.length
    const { omitted, content: kept } = bundle
    return {
      value: {
        trace,
        file,
        bytes,
        size,
        content: kept,
        omitted,
        checkpoint,
        checkpoint_file: checkpointFile,
      },
      lines: [
        `Wrote ${plain(file)}: ${trace}, ${size} events, ${bytes} bytes`,
        ...(withoutContent ? ['Payloads and artifacts were left out.'] : []),
        ...(omitted.length > 0 ? [`Left out by size: ${omitted.length} artifacts`] : []),
        ...(checkpointFile !== null ? [`Saved the checkpoint in ${plain(checkpointFile)}`] : []),
      ],
      brief: [],
      hints: [
        call.flag('html')
          ? 'Anyone can open it in a browser; it needs no network.'
          : `Anyone can check it: witan verify ${plain(file)} --trust ${plain(pinFile(home.directory))}`,
      ],
    }
  })
