// Reads the frozen data of `test/frozen`: bundles and a home that an earlier build made, and what it said of them.

import { readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Bundle } from '../../src/ledger/bundle/bundle.ts'
import type { ArtifactAnswer } from '../../src/ledger/verify/inquire.ts'
import { artifactsToReadIn } from '../../src/ledger/verify/replay.ts'
import { type Report, reportDigest } from '../../src/ledger/verify/report.ts'
import type { Protocol } from '../../src/protocol.ts'
import { readBundle } from '../../src/stores/bundle-file.ts'
import { sha256 } from '../../src/stores/digest.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { agents } from './agents-walk.ts'
import { protocol as council } from './council-sitting.ts'
import { protocol as exchange } from './exchange-run.ts'
import { projectRoot } from './sources.ts'

export interface FrozenBundle {
  readonly sha256: string
  /** Registrars of the home it came from. */
  readonly keys: readonly string[]
  /** What the build that made it said of it. */
  readonly status: Report['status']
  readonly report: string
}

export interface Manifest {
  readonly made_by: string
  readonly home: string
  /** What each trace of the home is an example of. */
  readonly traces: Readonly<Record<string, string>>
  readonly bundles: Readonly<Record<string, FrozenBundle>>
}

const FROZEN = join(projectRoot, 'test/frozen')

export const KNOWN = [council, agents, exchange] as readonly unknown[] as readonly Protocol[]

export const manifestBytes = (): Buffer => readFileSync(join(FROZEN, 'manifest.json'))
export const manifest = (): Manifest => JSON.parse(manifestBytes().toString('utf8')) as Manifest
export const archiveBytes = (): Buffer => readFileSync(join(FROZEN, 'home.json.gz'))
export const bundleBytes = (name: string): Buffer =>
  gunzipSync(readFileSync(join(FROZEN, 'bundles', `${name}.witan.gz`)))

export interface BundleCarrying {
  readonly bundle: Bundle
  readonly artifacts: ReadonlyMap<string, ArtifactAnswer>
}

export function readFrozen(bytes: Uint8Array): Promise<BundleCarrying> {
  const source = (async function* () {
    yield bytes
  })()
  return readBundle(source, (carried) => artifactsToReadIn(carried, KNOWN))
}

export async function reportOn(
  bytes: Uint8Array,
  keys: readonly string[],
): Promise<{ readonly report: Report; readonly digest: string }> {
  const { bundle, artifacts } = await readFrozen(bytes)
  const report = await examine(bundle, artifacts, { keys, checkpoints: [] }, KNOWN)
  return { report, digest: reportDigest(sha256, report) }
}

/** Lays the frozen home into a folder. What only its owner may read is readable by its owner alone again. */
export async function unpackHome(folder: string): Promise<string> {
  const home = join(folder, 'home')
  const files = JSON.parse(gunzipSync(archiveBytes()).toString('utf8')) as Record<string, string>
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, name)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, Buffer.from(content, 'base64'), { mode: 0o600 })
  }
  await chmod(home, 0o700)
  return home
}
