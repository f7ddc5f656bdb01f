// The proof that one event is in a trace, or that a trace only grew since a checkpoint.

import { artifactsIn, proveExtension, proveEvent as proveInclusion } from '../../clerk/extract.ts'
import type { Bundle } from '../../ledger/bundle/bundle.ts'
import { tlogProof } from '../../ledger/bundle/foreign-forms.ts'
import { fromHex, utf8 } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { readTreeHead } from '../../ledger/tree/tree-head.ts'
import { writeBundle } from '../../stores/bundle-file.ts'
import { readSmallFile, refuseExisting, writeFileWhole } from '../home/files.ts'
import { type Home, type HomeLocation, signingRegistrar, withHome } from '../home/home.ts'
import { findTrace } from './trace-name.ts'

/** Where a proof is written. */
export interface ProofOptions {
  readonly file: string
  /** For one event: as a C2SP tlog-proof, which other programs check, instead of a file for `witan verify`. */
  readonly tlogProof?: boolean
  /** Whether an existing file may be replaced. */
  readonly replace?: boolean
}

/** What was proved. */
export interface Proof {
  readonly trace: string
  /** The event; null where growth was proved. */
  readonly seq: number | null
  /** The size at the earlier checkpoint; null where an event was proved. */
  readonly since: number | null
  readonly size: number
  readonly file: string
  readonly bytes: number
}

async function readCheckpoint(file: string, trace: string): Promise<string> {
  const note = `${(await readSmallFile(file)).toString('utf8').replaceAll('\r\n', '\n').trim()}\n`
  const { trace: about } = readTreeHead(note)
  if (about === trace) return note
  throw new WitanError(
    'NOTE_INVALID',
    `${file} is a checkpoint of ${about}, not of ${trace}`,
    `Name ${about}.`,
  )
}

const makeKit = async (home: Home) => ({
  store: home.store,
  registrar: await signingRegistrar(home),
  sha256: home.ports.sha256,
})

async function write(home: Home, bundle: Bundle, { file, replace = false }: ProofOptions) {
  const bytes = await writeFileWhole(file, writeBundle(bundle, artifactsIn(bundle), home.store), { replace })
  return { size: readTreeHead(bundle.main.checkpoint ?? '').size, file, bytes }
}

async function writeTlogProof({ main }: Bundle, seq: number, { file, replace = false }: ProofOptions) {
  const [proven] = main.events
  const note = main.checkpoint ?? ''
  const path = (proven?.proof ?? []).map((hash) => fromHex(hash, 32) ?? new Uint8Array())
  const text = tlogProof(proven?.event.header ?? new Uint8Array(), seq, path, note)
  return { size: readTreeHead(note).size, file, bytes: await writeFileWhole(file, utf8(text), { replace }) }
}

/** Writes the proof that this event is in the trace. */
export const proveEvent = (
  location: HomeLocation,
  name: string,
  seq: number,
  options: ProofOptions,
): Promise<Proof> =>
  withHome({ ...location, mode: 'read' }, async (home) => {
    await refuseExisting(options.file, options.replace ?? false)
    const trace = await findTrace(home.store, name)
    const bundle = await proveInclusion(await makeKit(home), trace, seq)
    const written = options.tlogProof
      ? await writeTlogProof(bundle, seq, options)
      : await write(home, bundle, options)
    return { trace, seq, since: null, ...written }
  })

/** Writes the proof that the trace only grew since the checkpoint in this file. */
export const proveSince = (
  location: HomeLocation,
  name: string,
  checkpointFile: string,
  options: ProofOptions,
): Promise<Proof> =>
  withHome({ ...location, mode: 'read' }, async (home) => {
    await refuseExisting(options.file, options.replace ?? false)
    const trace = await findTrace(home.store, name)
    const note = await readCheckpoint(checkpointFile, trace)
    const bundle = await proveExtension(await makeKit(home), note)
    const since = readTreeHead(note).size
    return { trace, seq: null, since, ...(await write(home, bundle, options)) }
  })
