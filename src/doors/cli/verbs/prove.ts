// `witan prove`: the proof that one event stands in a trace, or that a trace only grew since a checkpoint.

import { readSmallFile, refuseExisting, writeFileWhole } from '../../../app/home/files.ts'
import { signingRegistrar, withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { artifactsIn, proveEvent, proveExtension } from '../../../clerk/extract.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { readTreeHead } from '../../../ledger/tree/tree-head.ts'
import { plain } from '../../../render/plain.ts'
import { writeBundle } from '../../../stores/bundle-file.ts'
import type { Verb } from '../command.ts'
import { parseCount, usage } from '../parse.ts'

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

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const [name = '', number] = call.args
    const [since, file, replace] = [call.text('since'), call.text('output') ?? '', call.flag('force')]
    if ((number === undefined) === (since === null)) {
      throw usage('either one event or --since is proved', 'Give SEQ, or --since with a checkpoint file.')
    }
    const seq = number === undefined ? null : parseCount(number, 'SEQ')
    await refuseExisting(file, replace)
    const trace = await findTrace(home.store, name)
    const note = since === null ? null : await readCheckpoint(since, trace)
    const desk = { store: home.store, registrar: await signingRegistrar(home), sha256: home.ports.sha256 }
    const bundle = note === null ? await proveEvent(desk, trace, seq ?? 0) : await proveExtension(desk, note)
    const bytes = await writeFileWhole(file, writeBundle(bundle, artifactsIn(bundle), home.store), {
      replace,
    })
    const from = note === null ? null : readTreeHead(note).size
    const { size } = readTreeHead(bundle.main.checkpoint ?? '')
    const what = seq === null ? `${trace} at size ${size} extends size ${from}` : `event ${trace}/${seq}`
    return {
      value: { trace, seq, since: from, size, file, bytes },
      lines: [`Wrote ${plain(file)}: proof that ${what}${seq === null ? '' : ` stands among ${size}`}`],
      brief: [],
      hints: [`Check it with: witan verify ${plain(file)}`],
    }
  })
