// Commands for whole traces: `witan export`, `prove`, `redact` and `replay`. Each loads its own use case.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinFile } from '../../../app/home/create-home.ts'
import { plain } from '../../../render/plain.ts'
import {
  attestedLines,
  exportLines,
  formLines,
  proofLines,
  redactedLines,
  replayLines,
} from '../../../render/trace-results.ts'
import { openInBrowser } from '../browser.ts'
import { type Call, EXIT, locationOf, parseCount, usage, type Verb } from '../command.ts'
import { isAtTerminal, saysYes } from '../terminal.ts'

const FOREIGN_FORMS = ['dsse', 'sigstore', 'statement'] as const

/** A trace in a form that other programs check. */
const exportForeign = async (call: Call, form: (typeof FOREIGN_FORMS)[number]) => {
  const { exportForm } = await import('../../../app/traces/export-forms.ts')
  const ours = ['html', 'without-content'].filter((name) => call.flag(name))
  if (call.text('checkpoint-out') !== null) ours.push('checkpoint-out')
  if (call.count('artifact-limit') !== null) ours.push('artifact-limit')
  if (ours.length > 0)
    throw usage(`--${form} does not go together with --${ours[0]}`, `Leave --${ours[0]} out.`)
  const value = await exportForm(locationOf(call), call.args[0] ?? '', {
    form,
    file: call.text('output') ?? '',
    keysFolder: call.text('keys-out'),
    replace: call.flag('force'),
  })
  const hints = ['How others check it: docs/checking-without-witan.md']
  return { value, lines: formLines(value), brief: [], hints }
}

/** Councils as lines for other tools. */
const exportFlatFile: Verb = async (call) => {
  const { exportFlat } = await import('../../../app/traces/export-flat.ts')
  const ours = ['html', 'without-content', 'dsse', 'sigstore', 'statement'].find((name) => call.flag(name))
  if (ours) throw usage(`--flat does not go together with --${ours}`, 'Write one form at a time.')
  const file = call.text('output') ?? ''
  const value = await exportFlat(locationOf(call), call.args[0] ?? '', { file, replace: call.flag('force') })
  const lines = [
    `Wrote ${plain(value.file)}: ${value.councils} ${value.councils === 1 ? 'council' : 'councils'}, ${value.bytes} bytes`,
  ]
  return { value, lines, brief: [], hints: ['It proves nothing: for that, export a bundle.'] }
}

/** One file with everything an outsider needs. */
export const exportFile: Verb = async (call) => {
  if (call.flag('flat')) return exportFlatFile(call)
  if (call.args[0] === 'all')
    throw usage(
      'all traces at once are written by --flat alone',
      'Try: witan export all --flat -o councils.jsonl',
    )
  const [form, ...more] = FOREIGN_FORMS.filter((name) => call.flag(name))
  if (form && more.length > 0)
    throw usage(`--${form} does not go together with --${more[0]}`, 'Write one form at a time.')
  if (form) return exportForeign(call, form)
  if (call.text('keys-out') !== null)
    throw usage('--keys-out belongs to --dsse, --sigstore or --statement', 'A bundle holds its keys already.')
  const { exportTrace } = await import('../../../app/traces/export-trace.ts')
  const file = call.text('output') ?? ''
  const html = call.flag('html') || /\.html?$/i.test(file)
  call.progress('Signing a checkpoint…')
  const value = await exportTrace(locationOf(call), call.args[0] ?? '', {
    file,
    html,
    withoutContent: call.flag('without-content'),
    artifactLimit: call.count('artifact-limit'),
    checkpointFile: call.text('checkpoint-out'),
    councils: call.flag('councils'),
    replace: call.flag('force'),
  })
  const hint = html
    ? 'Anyone can open it in a browser; it needs no network.'
    : `Anyone can check it: witan verify ${plain(value.file)} --trust ${plain(pinFile(call.home))}`
  return { value, lines: exportLines(value), brief: [], hints: [hint] }
}

/** A trace as a page in the browser, which verifies it there. */
export const open: Verb = async (call) => {
  const { exportTrace } = await import('../../../app/traces/export-trace.ts')
  const folder = await mkdtemp(join(tmpdir(), 'witan-page-'))
  const file = join(folder, 'trace.html')
  const { trace } = await exportTrace(locationOf(call), call.args[0] ?? '', { file, html: true })
  const { command, opened } = await openInBrowser(file)
  const how = opened ? `Opened ${trace} with ${plain(command)}` : 'No browser could be started'
  return { value: { trace, file, opened }, lines: [`${how}: ${plain(file)}`], brief: [plain(file)] }
}

/** The proof that one event is in a trace, or that a trace only grew since a checkpoint. */
export const prove: Verb = async (call) => {
  const { proveEvent, proveSince } = await import('../../../app/traces/prove.ts')
  const [name = '', number] = call.args
  const since = call.text('since')
  if ((number === undefined) === (since === null)) {
    throw usage('either one event or --since is proved', 'Give SEQ, or --since with a checkpoint file.')
  }
  const tlogProof = call.flag('tlog-proof')
  if (tlogProof && since !== null)
    throw usage('--tlog-proof is the proof of one event', 'Give SEQ instead of --since.')
  const options = { file: call.text('output') ?? '', replace: call.flag('force'), tlogProof }
  const value =
    since === null
      ? await proveEvent(locationOf(call), name, parseCount(number ?? '', 'SEQ'), options)
      : await proveSince(locationOf(call), name, since, options)
  const hints = [
    tlogProof
      ? 'How others check it: docs/checking-without-witan.md'
      : `Check it with: witan verify ${plain(value.file)}`,
  ]
  return { value, lines: proofLines(value), brief: [], hints }
}

/**
 * This cannot be undone: the person at the terminal is asked, with the id of the trace and the type of event,
 * since `last` may have become another one. A script has decided already.
 */
async function confirmErasure(call: Call, name: string, what: number | string): Promise<void> {
  if (!isAtTerminal() || call.flag('json') || call.flag('quiet')) return
  const also = call.flag('everywhere') ? ', and all that quotes it' : ''
  const { readEvent } = await import('../../../app/traces/read-trace.ts')
  const { trace, header } = await readEvent(locationOf(call), name, typeof what === 'number' ? what : 0)
  const kind = typeof header === 'string' ? 'unreadable' : header.type
  const named = typeof what === 'number' ? `event ${what} (${kind})` : `artifact ${what}`
  if (await saysYes(`Erase ${plain(named)} of ${trace}${also} for good? [y/N] `)) return
  throw usage('nothing was erased', 'Answer yes to erase it.')
}

/** Erases content permanently and records that in the registry. */
export const redact: Verb = async (call) => {
  const { redact: erase } = await import('../../../app/traces/redact.ts')
  const [name = '', number] = call.args
  const artifact = call.text('artifact')
  if ((number === undefined) === (artifact === null)) {
    throw usage('one event or one artifact is erased at a time', 'Give SEQ, or --artifact HASH.')
  }
  const seq = number === undefined ? null : parseCount(number, 'SEQ')
  await confirmErasure(call, name, seq ?? artifact ?? '')
  call.progress('Erasing…')
  const done = await erase(locationOf(call), name, {
    seq,
    artifact,
    reason: call.text('reason') ?? '',
    by: call.text('by'),
    everywhere: call.flag('everywhere'),
  })
  const { before, store, ...what } = done
  return {
    value: { ...what, already: before !== null },
    lines: redactedLines(done),
    brief: [],
    hints: [
      'Copies, exports and backups made before still hold it.',
      ...(store === 'postgres' ? ["The server's write-ahead log and backups may hold it for a while."] : []),
    ],
  }
}

/** Runs a trace again from its own record and compares every decision. */
export const replay: Verb = async (call) => {
  const { replay: runAgain } = await import('../../../app/traces/replay.ts')
  const value = await runAgain(locationOf(call), call.args[0] ?? '')
  return {
    value,
    lines: replayLines(value, call.paint),
    brief: [value.digest],
    exit: value.divergences.length === 0 ? EXIT.done : EXIT.verificationFailed,
  }
}

/** Has a checkpoint timestamped and cosigned by the authorities and witnesses in the home's settings. */
export const attest: Verb = async (call) => {
  const { attestTrace } = await import('../../../app/attest/attest-trace.ts')
  call.progress('Asking authorities and witnesses…')
  const value = await attestTrace(locationOf(call), call.args[0] ?? '')
  return {
    value,
    lines: attestedLines(value),
    brief: [],
    hints: [`See what they attest with: witan verify ${value.trace}`],
    exit: value.failed.length > 0 ? EXIT.notFound : EXIT.done,
  }
}

/** A trace as OpenTelemetry spans. */
export const otel: Verb = async (call) => {
  const { exportSpans } = await import('../../../app/otel/export-spans.ts')
  const [url, file] = [call.text('url'), call.text('output')]
  if (url !== null && file !== null) throw usage('--url does not go together with -o', 'Send it or write it.')
  if (url !== null && !(URL.canParse(url) && /^https?:/.test(url)))
    throw usage(
      `${plain(url)} is not the address of a collector`,
      'Write it as http://127.0.0.1:4318/v1/traces.',
    )
  const options = { url, file, content: call.flag('content'), replace: call.flag('force') }
  const value = await exportSpans(locationOf(call), call.args[0] ?? '', options)
  const what = value.content ? 'with what was said' : 'without what was said'
  return {
    value,
    lines: [
      `${value.trace}: ${value.spans} spans, ${what}, to ${plain(value.to)}`,
      `  trace id  ${value.trace_id}`,
    ],
    brief: [value.trace_id],
  }
}
