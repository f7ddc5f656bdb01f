// `witan export`: one file that holds all an outsider needs. Signs a checkpoint for the occasion and records nothing,
// so a home can be exported that cannot be written to.

import { refuseExisting, writeFileWhole } from '../../../app/home/files.ts'
import { type Home, signingRegistrar, withHome } from '../../../app/home/home.ts'
import { pinFile } from '../../../app/home/registry-pin.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { artifactsIn, extract } from '../../../clerk/extract.ts'
import type { Bundle } from '../../../ledger/bundle/bundle.ts'
import { plain } from '../../../render/plain.ts'
import { writeBundle } from '../../../stores/bundle-file.ts'
import type { Call, Verb } from '../command.ts'
import { usage } from '../parse.ts'

/** A page has to be opened by a browser at once; a bundle is streamed. */
const PAGE_ARTIFACT_LIMIT = 5_000_000

async function content(
  home: Home,
  bundle: Bundle,
  call: Call,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const artifacts = artifactsIn(bundle)
  if (!call.flag('html')) return writeBundle(bundle, artifacts, home.store)
  const { renderPage } = await import('../../../app/verification-page.ts')
  const artifactLimit = call.count('artifact-limit') ?? PAGE_ARTIFACT_LIMIT
  return Buffer.from(await renderPage(bundle, artifacts, home.store, { artifactLimit }))
}

/** What an outsider needs besides, each as a file of its own next to the first. */
async function companionsOf(home: Home, trace: string, file: string, call: Call) {
  const protocol = (await home.store.head(trace))?.header.protocol
  if (protocol !== 'agents/1') return []
  const { councilsOf } = await import('../../../app/agents/councils-heard.ts')
  const ending = call.flag('html') ? 'html' : 'witan'
  const councils = await councilsOf(home.store, trace)
  return councils.map((council) => ({ trace: council, file: `${file}.council-${council}.${ending}` }))
}

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const file = call.text('output') ?? ''
    const checkpointFile = call.text('checkpoint-out')
    const replace = call.flag('force')
    const withoutContent = call.flag('without-content')
    const limit = call.count('artifact-limit') ?? (call.flag('html') ? PAGE_ARTIFACT_LIMIT : null)
    const trace = await findTrace(home.store, call.args[0] ?? '')
    const companions = await companionsOf(home, trace, file, call)
    for (const path of [file, checkpointFile, ...companions.map((one) => one.file)])
      if (path !== null) await refuseExisting(path, replace)
    const registrar = await signingRegistrar(home)
    if (withoutContent && trace === registrar.trace) {
      throw usage(
        'the registry cannot be exported without its content',
        'It holds keys, and others are judged by it.',
      )
    }
    call.progress('Signing a checkpoint…')
    const write = async (one: string, path: string) => {
      const bundle = await extract({ store: home.store, registrar, sha256: home.ports.sha256 }, one, {
        withoutContent,
        ...(limit !== null && { artifactLimit: limit }),
      })
      return { bundle, bytes: await writeFileWhole(path, await content(home, bundle, call), { replace }) }
    }
    const { bundle, bytes } = await write(trace, file)
    for (const one of companions) await write(one.trace, one.file)
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
        ...(companions.length > 0 && { councils: companions }),
      },
      lines: [
        `Wrote ${plain(file)}: ${trace}, ${size} events, ${bytes} bytes`,
        ...companions.map((one) => `Wrote ${plain(one.file)}: the council ${one.trace} that it heard`),
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
