// What is done with a trace as a whole: `witan export`, `prove`, `redact` and `replay`. Each loads its own use case.

import { pinFile } from '../../../app/home/registry-pin.ts'
import { plain } from '../../../render/plain.ts'
import { exportLines, proofLines, redactedLines, replayLines } from '../../../render/trace-results.ts'
import { locationOf, type Verb } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { parseCount, usage } from '../parse.ts'

/** One file that holds all an outsider needs. */
export const exporting: Verb = async (call) => {
  const { exportTrace } = await import('../../../app/traces/export-trace.ts')
  const html = call.flag('html')
  call.progress('Signing a checkpoint…')
  const value = await exportTrace(locationOf(call), call.args[0] ?? '', {
    file: call.text('output') ?? '',
    html,
    withoutContent: call.flag('without-content'),
    artifactLimit: call.count('artifact-limit'),
    checkpointFile: call.text('checkpoint-out'),
    replace: call.flag('force'),
  })
  const hint = html
    ? 'Anyone can open it in a browser; it needs no network.'
    : `Anyone can check it: witan verify ${plain(value.file)} --trust ${plain(pinFile(call.home))}`
  return { value, lines: exportLines(value), brief: [], hints: [hint] }
}

/** The proof that one event stands in a trace, or that a trace only grew since a checkpoint. */
export const proving: Verb = async (call) => {
  const { proveEvent, proveSince } = await import('../../../app/traces/prove.ts')
  const [name = '', number] = call.args
  const since = call.text('since')
  if ((number === undefined) === (since === null)) {
    throw usage('either one event or --since is proved', 'Give SEQ, or --since with a checkpoint file.')
  }
  const options = { file: call.text('output') ?? '', replace: call.flag('force') }
  const value =
    since === null
      ? await proveEvent(locationOf(call), name, parseCount(number ?? '', 'SEQ'), options)
      : await proveSince(locationOf(call), name, since, options)
  const hints = [`Check it with: witan verify ${plain(value.file)}`]
  return { value, lines: proofLines(value), brief: [], hints }
}

/** Erases content for good and says so in the registry. */
export const redacting: Verb = async (call) => {
  const { redact } = await import('../../../app/traces/redact.ts')
  const [name = '', number] = call.args
  const artifact = call.text('artifact')
  if ((number === undefined) === (artifact === null)) {
    throw usage('one event or one artifact is erased at a time', 'Give SEQ, or --artifact HASH.')
  }
  const seq = number === undefined ? null : parseCount(number, 'SEQ')
  call.progress('Erasing…')
  const done = await redact(locationOf(call), name, {
    seq,
    artifact,
    reason: call.text('reason') ?? '',
    by: call.text('by'),
    everywhere: call.flag('everywhere'),
  })
  const { before, store, also_erased, artifacts_left, quoted_in, ...what } = done
  return {
    value: { ...what, already: before !== null, also_erased, artifacts_left, quoted_in },
    lines: redactedLines(done),
    brief: [],
    hints: [
      'Copies, exports and backups made before still hold it.',
      ...(store === 'postgres' ? ["The server's write-ahead log and backups may hold it for a while."] : []),
    ],
  }
}

/** Runs a trace again from its own record and compares every decision. */
export const replaying: Verb = async (call) => {
  const { replay } = await import('../../../app/traces/replay.ts')
  const value = await replay(locationOf(call), call.args[0] ?? '')
  return {
    value,
    lines: replayLines(value, call.paint),
    brief: [value.digest],
    exit: value.divergences.length === 0 ? EXIT.done : EXIT.verificationFailed,
  }
}
