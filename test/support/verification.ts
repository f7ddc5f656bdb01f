// Verifies a bundle as a reader would, with the protocol of the tests known.

import { artifactsIn } from '../../src/clerk/extract.ts'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import type { ArtifactAnswer, Trust } from '../../src/ledger/verify/inquire.ts'
import { artifactsToReadIn } from '../../src/ledger/verify/replay.ts'
import type { Report } from '../../src/ledger/verify/report.ts'
import type { Protocol } from '../../src/protocol.ts'
import { type ArtifactSource, readBundle, writeBundle } from '../../src/stores/bundle-file.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { errand } from '../protocols/errand.ts'

export const NO_TRUST: Trust = { keys: [], checkpoints: [] }
const PROTOCOLS: readonly Protocol[] = [errand as Protocol]

export const check = (
  bundle: Bundle,
  artifacts: ReadonlyMap<string, ArtifactAnswer> | ArtifactSource,
  trust: Trust = NO_TRUST,
): Promise<Report> => examine(bundle, artifacts, trust, PROTOCOLS)

export async function toFile(bundle: Bundle, source: ArtifactSource): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeBundle(bundle, artifactsIn(bundle), source)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export async function checkFile(file: Uint8Array, trust: Trust = NO_TRUST): Promise<Report> {
  const { bundle, artifacts } = await readBundle(
    (async function* () {
      yield file
    })(),
    (carried) => artifactsToReadIn(carried, PROTOCOLS),
  )
  return check(bundle, artifacts, trust)
}

/** Code and place of everything that was found. */
export const faults = (report: Report): string[] =>
  report.failures.map((failure) => `${failure.code}${failure.event ? ` ${failure.event.split('/')[1]}` : ''}`)
