// Verifies a trace of a home or a file from anyone. It reads, contacts no one and writes nothing. A home is
// evidence for its own registry only: a file that names it is compared with what the home recorded, someone
// else's with what the reader gave, or with nothing.

import { join } from 'node:path'
import { collectSections, wholeBundle } from '../../clerk/extract.ts'
import { EVAL } from '../../eval/events.ts'
import type { Bundle } from '../../ledger/bundle/bundle.ts'
import { isWitanError } from '../../ledger/errors.ts'
import { isTraceId, readHeader } from '../../ledger/event.ts'
import type { OwnRecord, Trust } from '../../ledger/verify/inquire.ts'
import { type Report, reportDigest, withFaults } from '../../ledger/verify/report.ts'
import { sha256 } from '../../stores/digest.ts'
import { examine } from '../../stores/verify-answers.ts'
import { readAttestors } from '../attest/pinned.ts'
import type { CouncilsCompared, FindCouncil } from '../eval/compare-councils.ts'
import { readPin } from '../home/create-home.ts'
import { type HomeLocation, withStore } from '../home/home.ts'
import { ownRecord } from '../home/own-record.ts'
import { loadProtocols } from '../protocols.ts'
import { findTrace, isFile } from './trace-name.ts'
import { councilsFolder, readBundleFile } from './trace-source.ts'
import { readTrust } from './trust-options.ts'

/** How a trace is verified. */
export interface VerifyOptions {
  /** Keys or checkpoints, each directly or in a file; without any a home trusts its own registry. */
  readonly trust?: readonly string[]
  /** Called with the number of events that are about to be checked. */
  readonly checking?: (events: number) => void
}

/** The verdict, with the digest that two readers of the same trace can compare. */
export interface Verified extends Report {
  readonly digest: string
  /** For an evaluation: its councils, compared with what it says about them. */
  readonly councils?: CouncilsCompared
}

type Checked = Omit<Verified, 'digest'>

/**
 * The councils of an evaluation are separate traces; where they are available, they are compared with what it says
 * about them.
 */
async function withCouncils(report: Report, bundle: Bundle, find: FindCouncil): Promise<Checked> {
  const isReplayed = bundle.content === 'full' && bundle.main.form === 'whole' && report.status !== 'fail'
  if (report.protocol !== EVAL || !isReplayed) return report
  const { compareCouncils } = await import('../eval/compare-councils.ts')
  const { councils, faults } = await compareCouncils(bundle, find)
  if (councils.named === 0) return report
  return { ...withFaults(report, 'claim_evidence', 'CLAIM_UNPROVEN', faults), councils }
}

/** The key that the bundle's registry says it was opened with. */
function openingKey(bundle: Bundle): string | null {
  const first = bundle.registry.events[0]
  const header = first && readHeader(first.event.header)
  return typeof header === 'object' ? header.actor.key : null
}

type Checking = VerifyOptions['checking']

/** The authorities and witnesses that the reader gave, and those in the settings of the reader's home. */
async function withAttestors(location: HomeLocation, trust: Trust): Promise<Trust> {
  const { authorities, witnesses } = await readAttestors(location.directory)
  const all = {
    witnesses: [...(trust.witnesses ?? []), ...witnesses.map(({ key }) => key)],
    authorities: [...(trust.authorities ?? []), ...authorities.map(({ pem }) => pem)],
  }
  return { ...trust, ...all }
}

/** A reader who gave no key or checkpoint has not pinned a registry yet. */
const pinsRegistry = ({ keys, checkpoints }: Trust): boolean => keys.length + checkpoints.length > 0

const verifyOwn = (
  location: HomeLocation,
  name: string,
  readersTrust: Trust | null,
  checking: Checking,
): Promise<Checked> =>
  withStore(location, async (store) => {
    const trace = await findTrace(store, name)
    const bundle = await wholeBundle(store, trace)
    const own = (await readPin(location.directory))?.key ?? openingKey(bundle)
    checking?.(bundle.main.events.length)
    const trust =
      readersTrust && pinsRegistry(readersTrust)
        ? readersTrust
        : { ...readersTrust, keys: own ? [own] : [], checkpoints: [] }
    const report = await examine(
      bundle,
      store,
      await withAttestors(location, trust),
      await loadProtocols(bundle),
    )
    return withCouncils(report, bundle, (council) => collectSections(store, council))
  })

/** Null when the bundle names another registry than this home's. */
async function recordOfHome(location: HomeLocation, bundle: Bundle): Promise<OwnRecord | null> {
  const pin = await readPin(location.directory)
  if (!pin || pin.registry !== bundle.registry.trace) return null
  return withStore(location, (store) => ownRecord(store, pin, bundle))
}

/** Beside the file, where an export with its councils puts them. */
const councilBeside =
  (file: string): FindCouncil =>
  async (trace) => {
    // The name comes from the file: it is used in a path only as the id of a trace.
    if (!isTraceId(trace)) return null
    try {
      return (await readBundleFile(join(councilsFolder(file), `${trace}.witan`))).bundle
    } catch (error) {
      if (isWitanError(error, 'FILE_NOT_FOUND')) return null
      throw error
    }
  }

async function verifyFile(
  location: HomeLocation,
  file: string,
  readersTrust: Trust | null,
  checking: Checking,
): Promise<Checked> {
  const { bundle, artifacts } = await readBundleFile(file)
  const own = await recordOfHome(location, bundle)
  checking?.(bundle.main.events.length)
  const trust = { ...(readersTrust ?? { keys: [], checkpoints: [] }), ...(own && { own }) }
  const report = await examine(
    bundle,
    artifacts,
    await withAttestors(location, trust),
    await loadProtocols(bundle),
  )
  return withCouncils(report, bundle, councilBeside(file))
}

/** Checks the trace that the home has under this name, or the file of this name, in every respect. */
export async function verifyTrace(
  location: HomeLocation,
  name: string,
  { trust = [], checking }: VerifyOptions = {},
): Promise<Verified> {
  const readersTrust = trust.length > 0 ? await readTrust(trust) : null
  const check = (await isFile(name)) ? verifyFile : verifyOwn
  const { councils, ...report } = await check(location, name, readersTrust, checking)
  return { ...report, digest: reportDigest(sha256, report), ...(councils && { councils }) }
}
