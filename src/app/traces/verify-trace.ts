// Verifies a trace of a home or a file from anyone. It reads, asks no one and writes nothing. A home vouches for its
// own registry only: a file that names it is held against what the home itself recorded, someone else's against what
// the reader gave, or against nothing.

import { wholeBundle } from '../../clerk/extract.ts'
import type { Bundle } from '../../ledger/bundle/bundle.ts'
import { readHeader } from '../../ledger/event.ts'
import type { OwnRecord, Trust } from '../../ledger/verify/inquire.ts'
import { type Report, reportDigest } from '../../ledger/verify/report.ts'
import { sha256 } from '../../stores/digest.ts'
import { examine } from '../../stores/verify-answers.ts'
import { attestorsOf } from '../attest/pinned.ts'
import { pinOf } from '../home/create-home.ts'
import { type HomeLocation, withStore } from '../home/home.ts'
import { ownRecord } from '../home/own-record.ts'
import { PROTOCOLS } from '../protocols.ts'
import { findTrace, isFile } from './trace-name.ts'
import { readBundleFile } from './trace-source.ts'
import { readTrust } from './trust-options.ts'

/** How a trace is verified. */
export interface VerifyOptions {
  /** Keys or checkpoints, each as it is or in a file; without any a home trusts its own registry. */
  readonly trust?: readonly string[]
  /** Hears how many events are about to be checked. */
  readonly checking?: (events: number) => void
}

/** What was found, with the digest that two readers of the same trace can compare. */
export interface Verified extends Report {
  readonly digest: string
}

/** The key that the bundle's registry says it was opened with. */
function openingKey(bundle: Bundle): string | null {
  const first = bundle.registry.events[0]
  const header = first && readHeader(first.event.header)
  return typeof header === 'object' ? header.actor.key : null
}

type Checking = VerifyOptions['checking']

/** Who attests checkpoints: whom the reader gave, and whom the reader's own home names. */
async function withAttestors(location: HomeLocation, trust: Trust): Promise<Trust> {
  const { authorities, witnesses } = await attestorsOf(location.directory)
  const all = {
    witnesses: [...(trust.witnesses ?? []), ...witnesses.map(({ key }) => key)],
    authorities: [...(trust.authorities ?? []), ...authorities.map(({ pem }) => pem)],
  }
  return { ...trust, ...all }
}

/** A reader who gave no key or checkpoint has pinned nobody's registry yet. */
const pinsRegistry = ({ keys, checkpoints }: Trust): boolean => keys.length + checkpoints.length > 0

const verifyOwn = (location: HomeLocation, name: string, given: Trust | null, checking: Checking) =>
  withStore(location, async (store) => {
    const trace = await findTrace(store, name)
    const bundle = await wholeBundle(store, trace)
    const own = (await pinOf(location.directory))?.key ?? openingKey(bundle)
    checking?.(bundle.main.events.length)
    const trust = given && pinsRegistry(given) ? given : { ...given, keys: own ? [own] : [], checkpoints: [] }
    return examine(bundle, store, await withAttestors(location, trust), PROTOCOLS)
  })

/** Null when the bundle names another registry than this home's. */
async function recordOfHome(location: HomeLocation, bundle: Bundle): Promise<OwnRecord | null> {
  const pin = await pinOf(location.directory)
  if (!pin || pin.registry !== bundle.registry.trace) return null
  return withStore(location, (store) => ownRecord(store, pin, bundle))
}

async function verifyFile(location: HomeLocation, file: string, given: Trust | null, checking: Checking) {
  const { bundle, artifacts } = await readBundleFile(file)
  const own = await recordOfHome(location, bundle)
  checking?.(bundle.main.events.length)
  const trust = { ...(given ?? { keys: [], checkpoints: [] }), ...(own && { own }) }
  return examine(bundle, artifacts, await withAttestors(location, trust), PROTOCOLS)
}

/** The trace that the home holds under this name, or the file of this name, checked in every respect. */
export async function verifyTrace(
  location: HomeLocation,
  name: string,
  { trust = [], checking }: VerifyOptions = {},
): Promise<Verified> {
  const given = trust.length > 0 ? await readTrust(trust) : null
  const check = (await isFile(name)) ? verifyFile : verifyOwn
  const report = await check(location, name, given, checking)
  return { ...report, digest: reportDigest(sha256, report) }
}
