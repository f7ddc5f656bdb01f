// A trace in forms that programs without Witan check: DSSE envelopes, Sigstore bundles, an in-toto statement,
// and the public keys for checking them. Envelopes contain existing signatures; only a statement gets a new
// signature.

import { createPublicKey } from 'node:crypto'
import { join } from 'node:path'
import type { Registrar } from '../../clerk/registrar.ts'
import { TraceLog } from '../../clerk/trace-log.ts'
import {
  type Envelope,
  eventEnvelope,
  jsonLine,
  type NamedArtifact,
  namedArtifacts,
  sigstoreBundle,
  statementEnvelope,
  traceStatement,
} from '../../ledger/bundle/foreign-forms.ts'
import { fromHex, toHex } from '../../ledger/bytes.ts'
import { WitanError } from '../../ledger/errors.ts'
import { readHeader } from '../../ledger/event.ts'
import { SCRIPTED_DEMO } from '../../ledger/scripted.ts'
import { readTreeHead } from '../../ledger/tree/tree-head.ts'
import { makeDirectory, onDisk } from '../../stores/disk.ts'
import { refuseExisting, writeFileWhole } from '../home/files.ts'
import { type Home, type HomeLocation, signingRegistrar, withHome } from '../home/home.ts'
import { protocolNamed } from '../protocols.ts'
import { isScriptedTrace } from './scripted.ts'
import { findTrace } from './trace-name.ts'

/** One DSSE envelope for each event, the same as Sigstore bundles, or one signed in-toto statement about the whole. */
export type ForeignForm = 'dsse' | 'sigstore' | 'statement'

/** In which form a trace is written, and where to. */
export interface FormOptions {
  readonly form: ForeignForm
  /** The file to write: one JSON object a line. */
  readonly file: string
  /** A folder for the public keys, each as a PEM file named by its id. */
  readonly keysFolder?: string | null
  /** Whether existing files may be replaced. */
  readonly replace?: boolean
}

/** What was written. */
export interface ExportedForm {
  readonly trace: string
  readonly form: ForeignForm
  readonly file: string
  readonly bytes: number
  /** How many objects the file holds. */
  readonly objects: number
  /** Ids of the keys that signed them. */
  readonly keys: readonly string[]
  readonly keys_folder: string | null
  /** Only for a demo whose models answer from a script. */
  readonly scripted?: true
}

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

/** The key as OpenSSL reads it. */
const publicPem = (publicKey: Uint8Array): string =>
  createPublicKey({ key: Buffer.concat([SPKI_ED25519, publicKey]), format: 'der', type: 'spki' })
    .export({ format: 'pem', type: 'spki' })
    .toString()

async function writeKeys(registrar: Registrar, ids: Iterable<string>, folder: string): Promise<void> {
  await onDisk(folder, () => makeDirectory(folder))
  for (const id of ids) {
    const publicKey = fromHex(registrar.log.state.keys.get(id)?.public_key ?? '', 32)
    // A key file of that name contains that key or nothing: its name is the hash of its content.
    if (publicKey)
      await writeFileWhole(join(folder, `${id}.pem`), Buffer.from(publicPem(publicKey)), {
        replace: true,
        mode: 0o644,
      })
  }
}

async function* makeEnvelopes({ store }: Home, trace: string): AsyncGenerator<Envelope> {
  for await (const event of store.read(trace, 0)) {
    const made = eventEnvelope(event)
    if (!made)
      throw new WitanError(
        'VAULT_CORRUPT',
        `an event of ${trace} has a header that cannot be read`,
        `Run \`witan verify ${trace}\` to see which.`,
      )
    yield made
  }
}

async function refuseUnfinished(home: Home, trace: string, protocol: string): Promise<void> {
  const known = await protocolNamed(protocol)
  if (!known)
    throw new WitanError(
      'PROTOCOL_UNKNOWN',
      `${trace} is of protocol ${protocol}, which this version does not know`,
      'Update Witan, or use --dsse.',
    )
  const log = new TraceLog(home.ports, known, trace)
  await log.refresh()
  if (known.finished(log.state)) return
  throw new WitanError(
    'USAGE',
    `${trace} is not finished: a statement is made of finished traces alone`,
    `Go on with \`witan resume ${trace}\`, or export its events as they stand with --dsse.`,
  )
}

async function makeStatement(
  home: Home,
  registrar: Registrar,
  trace: string,
  mark: { readonly scripted?: true },
): Promise<Envelope> {
  const checkpoint = await registrar.sign(trace)
  const { size, root } = readTreeHead(checkpoint)
  const artifacts: NamedArtifact[] = []
  let last = { head: '', recorded: '', protocol: '' }
  let seq = 0
  for await (const event of home.store.read(trace, 0, size)) {
    artifacts.push(...namedArtifacts(event, seq++))
    const header = readHeader(event.header)
    if (typeof header === 'object')
      last = { head: event.hash, recorded: header.at, protocol: header.protocol }
  }
  await refuseUnfinished(home, trace, last.protocol)
  const facts = { registry: registrar.trace, trace, size, root: toHex(root), checkpoint, ...last, ...mark }
  const body = traceStatement(facts, artifacts)
  const { key, signature } = await registrar.signStatement(body)
  return statementEnvelope(body, key, signature)
}

async function write(home: Home, name: string, options: FormOptions): Promise<ExportedForm> {
  const { form, file, keysFolder = null, replace = false } = options
  const trace = await findTrace(home.store, name)
  await refuseExisting(file, replace)
  const registrar = form === 'statement' ? await signingRegistrar(home) : await home.registrar()
  const scripted = await isScriptedTrace(home.store, trace)
  const mark = scripted ? ({ scripted } as const) : {}
  const keys = new Set<string>()
  let objects = 0
  async function* lines(): AsyncGenerator<Uint8Array> {
    const all =
      form === 'statement' ? [await makeStatement(home, registrar, trace, mark)] : makeEnvelopes(home, trace)
    for await (const made of all) {
      objects++
      keys.add(made.signatures[0]?.keyid ?? '')
      // A Sigstore bundle has no place for this: there, only the signed names of the models say it.
      const noted = form === 'dsse' && scripted ? { ...made, note: SCRIPTED_DEMO } : made
      yield jsonLine(form === 'sigstore' ? sigstoreBundle(made) : noted)
    }
  }
  const bytes = await writeFileWhole(file, lines(), { replace })
  if (keysFolder !== null) await writeKeys(registrar, keys, keysFolder)
  return { trace, form, file, bytes, objects, keys: [...keys], keys_folder: keysFolder, ...mark }
}

/** Writes a trace in a form that other programs check. */
export const exportForm = (
  location: HomeLocation,
  name: string,
  options: FormOptions,
): Promise<ExportedForm> => withHome({ ...location, mode: 'read' }, (home) => write(home, name, options))
