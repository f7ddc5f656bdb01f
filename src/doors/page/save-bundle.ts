// Offers the bundle of the page as the file that `witan verify` reads: a page made by someone else is not the
// best judge of its own content.

import { bundleLines } from '../../ledger/bundle/lines.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import type { PageData } from './blocks.ts'

function bundleFile({ bundle, artifacts }: PageData): Blob {
  const parts: BlobPart[] = []
  for (const line of bundleLines(bundle)) parts.push(`${line}\n`)
  for (const [artifact, content] of artifacts) {
    const line = canonicalize({ artifact, size: content.length })
    parts.push(`${line}\n`, new Uint8Array(content), '\n')
  }
  parts.push(`${canonicalize({ artifacts: artifacts.size, end: true })}\n`)
  return new Blob(parts, { type: 'application/octet-stream' })
}

/** The name comes from a trace id, which consists of letters and digits. */
export function save(cargo: PageData): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bundleFile(cargo))
  link.download = `${cargo.bundle.trace}.witan`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
}
