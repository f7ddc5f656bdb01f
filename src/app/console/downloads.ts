// Downloads of a trace for a page: the bundle or the self-verifying page of `witan export`, and the proof of
// one event of `witan prove`. A download records nothing.

import { artifactsIn, extract, proveEvent } from '../../clerk/extract.ts'
import { WitanError } from '../../ledger/errors.ts'
import { writeBundle } from '../../stores/bundle-file.ts'
import { type HomeLocation, openHome, signingRegistrar } from '../home/home.ts'

export type DownloadForm = 'bundle' | 'bare' | 'page' | 'proof'

/** Larger artifacts are left out of a page, which a browser has to open at once. */
const PAGE_ARTIFACT_LIMIT = 5_000_000

/** `seq` is the event to prove. The home stays open until the last byte is read. */
export async function* downloadBytes(
  location: HomeLocation,
  trace: string,
  form: DownloadForm,
  seq: number | null,
): AsyncGenerator<Uint8Array> {
  const home = await openHome({ ...location, mode: 'read' })
  try {
    const kit = { store: home.store, registrar: await signingRegistrar(home), sha256: home.ports.sha256 }
    if (form === 'proof') {
      if (seq === null) throw new WitanError('USAGE', 'no event is named', 'Choose the event to prove.')
      const proof = await proveEvent(kit, trace, seq)
      yield* writeBundle(proof, artifactsIn(proof), home.store)
      return
    }
    const bundle = await extract(kit, trace, {
      withoutContent: form === 'bare',
      ...(form === 'page' && { artifactLimit: PAGE_ARTIFACT_LIMIT }),
    })
    if (form !== 'page') {
      yield* writeBundle(bundle, artifactsIn(bundle), home.store)
      return
    }
    const { renderPage } = await import('../verification-page.ts')
    const page = { artifactLimit: PAGE_ARTIFACT_LIMIT }
    yield Buffer.from(await renderPage(bundle, artifactsIn(bundle), home.store, page))
  } finally {
    await home.close()
  }
}
