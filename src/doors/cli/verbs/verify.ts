// `witan verify`: of a trace in this home or of a file from anyone. It reads, asks nobody and writes nothing. A home
// vouches for its own registry only: a file that names it is held against what the home itself recorded, someone
// else's against what the reader gave, or against nothing.

import { createReadStream } from 'node:fs'
import { readingFault } from '../../../app/home/files.ts'
import { openStore } from '../../../app/home/home.ts'
import { ownRecord } from '../../../app/home/own-record.ts'
import { pinOf } from '../../../app/home/registry-pin.ts'
import { PROTOCOLS } from '../../../app/protocols.ts'
import { findTrace, isFile } from '../../../app/traces/trace-name.ts'
import { readTrust } from '../../../app/traces/trust-options.ts'
import { wholeBundle } from '../../../clerk/extract.ts'
import type { Bundle } from '../../../ledger/bundle/bundle.ts'
import { isWitanError, WitanError } from '../../../ledger/errors.ts'
import { readHeader } from '../../../ledger/event.ts'
import { contentsWanted } from '../../../ledger/verify/contents.ts'
import type { OwnRecord, Trust } from '../../../ledger/verify/inquire.ts'
import { type Report, reportDigest } from '../../../ledger/verify/report.ts'
import { truncationLine, verdictLine, verdictLines } from '../../../render/verdict.ts'
import { type ReadBundle, readBundle } from '../../../stores/bundle-file.ts'
import { sha256 } from '../../../stores/digest.ts'
import { examine } from '../../../stores/verify-answers.ts'
import type { Call, Verb } from '../command.ts'
import { EXIT } from '../exit-codes.ts'

/** The key that the bundle's registry says it was opened with. */
function openingKey(bundle: Bundle): string | null {
  const first = bundle.registry.events[0]
  const header = first && readHeader(first.event.header)
  return typeof header === 'object' ? header.actor.key : null
}

async function verifyTrace(call: Call, given: Trust | null): Promise<Report> {
  const store = await openStore({ directory: call.home, mode: 'read', postgres: call.postgres })
  try {
    const trace = await findTrace(store, call.args[0] ?? '')
    const bundle = await wholeBundle(store, trace)
    const own = (await pinOf(call.home))?.key ?? openingKey(bundle)
    call.progress(`Checking ${bundle.main.events.length} events…`)
    return await examine(bundle, store, given ?? { keys: own ? [own] : [], checkpoints: [] }, PROTOCOLS)
  } finally {
    await store.close()
  }
}

export async function readBundleFile(file: string): Promise<ReadBundle> {
  try {
    const source = createReadStream(file, { highWaterMark: 1 << 18 })
    return await readBundle(source, (bundle) => contentsWanted(bundle, PROTOCOLS))
  } catch (error) {
    if (!isWitanError(error, 'BUNDLE_FOREIGN') || !/\.html?$/i.test(file)) throw readingFault(error, file)
    const next = 'Open it in a browser: it verifies itself, and the bundle can be saved from there.'
    throw new WitanError('BUNDLE_FOREIGN', `${file} is a page, not a bundle`, next)
  }
}

async function verifyFile(call: Call, file: string, given: Trust | null): Promise<Report> {
  call.progress('Reading…')
  const { bundle, artifacts } = await readBundleFile(file)
  const own = await recordOfThisHome(call, bundle)
  call.progress(`Checking ${bundle.main.events.length} events…`)
  const trust = { ...(given ?? { keys: [], checkpoints: [] }), ...(own && { own }) }
  return examine(bundle, artifacts, trust, PROTOCOLS)
}

/** Null when the bundle names another registry than this home's. */
async function recordOfThisHome(call: Call, bundle: Bundle): Promise<OwnRecord | null> {
  const pin = await pinOf(call.home)
  if (!pin || pin.registry !== bundle.registry.trace) return null
  const store = await openStore({ directory: call.home, mode: 'read', postgres: call.postgres })
  try {
    return await ownRecord(store, pin, bundle)
  } finally {
    await store.close()
  }
}

export const run: Verb = async (call) => {
  const name = call.args[0] ?? ''
  const trusted = call.texts('trust')
  const given = trusted.length > 0 ? await readTrust(trusted) : null
  const report = (await isFile(name)) ? await verifyFile(call, name, given) : await verifyTrace(call, given)
  return {
    value: { ...report, digest: reportDigest(sha256, report) },
    lines: verdictLines(report, { paint: call.paint, width: call.width, given: given !== null }),
    brief: [`${verdictLine(report, call.paint)}  ${truncationLine(report)}`],
    exit: report.status === 'fail' ? EXIT.verificationFailed : EXIT.done,
  }
}
