// `witan prove`: the proof that one event stands in a trace, or that a trace only grew since a checkpoint.

import { artifactsIn, proveEvent, proveExtension } from '../../../clerk/extract.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { readTreeHead } from '../../../ledger/tree-head.ts'
import { writeBundle } from '../../../vaults/bundle-file.ts'
import { readSmallFile, refuseExisting, writeFileWhole } from '../../file.ts'
import { signingRegistrar, withHome } from '../../home.ts'
import type { Verb } from '../command.ts'
import { parseCount, usage } from '../parse.ts'
import { plain } from '../plain.ts'
import { findTrace } from '../trace-name.ts'

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
    const trace = await findTrace(home.vault, name)
    const note = since === null ? null : await readCheckpoint(since, trace)
    const desk = { vault: home.vault, registrar: await signingRegistrar(home), sha256: home.office.sha256 }
    const bundle = note === null ? await proveEvent(desk, trace, seq ?? 0) : await proveExtension(desk, note)
    const bytes = await writeFileWhole(file, writeBundle(bundle, artifactsIn(bundle), home.vault), {
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
