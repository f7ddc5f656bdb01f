// The results of commands on a trace, as text: exported, proved, erased, replayed.

import { type Paint, plain } from './plain.ts'

interface Exported {
  readonly trace: string
  readonly file: string
  readonly bytes: number
  readonly size: number
  readonly content: string
  readonly omitted: readonly unknown[]
  readonly checkpoint_file: string | null
  readonly councils?: readonly { readonly trace: string; readonly file: string }[]
}

const FEW = 5

/** A few by name; the hundreds of an evaluation by their folder. */
function councilLines(councils: NonNullable<Exported['councils']>): readonly string[] {
  const [first] = councils
  if (!first || councils.length <= FEW)
    return councils.map((one) => `Wrote ${plain(one.file)}: its council ${one.trace}`)
  const folder = first.file.slice(0, first.file.lastIndexOf(first.trace))
  return [`Wrote ${councils.length} councils into ${plain(folder)}`]
}

export const exportLines = (done: Exported): readonly string[] => [
  `Wrote ${plain(done.file)}: ${done.trace}, ${done.size} events, ${done.bytes} bytes`,
  ...councilLines(done.councils ?? []),
  ...(done.content === 'none' ? ['Payloads and artifacts were left out.'] : []),
  ...(done.omitted.length > 0 ? [`Left out by size: ${done.omitted.length} artifacts`] : []),
  ...(done.checkpoint_file !== null ? [`Saved the checkpoint in ${plain(done.checkpoint_file)}`] : []),
]

interface ExportedForm {
  readonly trace: string
  readonly form: 'dsse' | 'sigstore' | 'statement'
  readonly file: string
  readonly objects: number
  readonly bytes: number
  readonly keys: readonly string[]
  readonly keys_folder: string | null
  readonly scripted?: true
}

const FORMS = {
  dsse: 'DSSE envelopes',
  sigstore: 'Sigstore bundles',
  statement: 'in-toto statement, signed by the registrar',
} as const

export const formLines = (done: ExportedForm): readonly string[] => [
  `Wrote ${plain(done.file)}: ${done.trace} as ${done.objects} ${FORMS[done.form]}, ${done.bytes} bytes`,
  ...(done.scripted ? ['It is a scripted demo, and no model was asked.'] : []),
  ...(done.keys_folder !== null
    ? [
        `Wrote ${done.keys.length} public ${done.keys.length === 1 ? 'key as a PEM file' : 'keys as PEM files'} into ${plain(done.keys_folder)}`,
      ]
    : []),
]

interface AttestedTrace {
  readonly trace: string
  readonly size: number
  readonly timestamps: readonly { readonly by: string; readonly time: string }[]
  readonly witnesses: readonly { readonly by: string; readonly time: string }[]
  readonly failed: readonly { readonly by: string; readonly why: string }[]
}

export const attestedLines = (done: AttestedTrace): readonly string[] => [
  `${done.trace}: checkpoint at ${done.size} events`,
  ...done.timestamps.map(({ by, time }) => `  timestamped by ${plain(by)} at ${time}`),
  ...done.witnesses.map(({ by, time }) => `  history seen by ${plain(by)} at ${time}`),
  ...done.failed.map(({ by, why }) => `  not by ${plain(by)}: ${plain(why)}`),
  ...(done.timestamps.length + done.witnesses.length + done.failed.length === 0
    ? ['  nothing new to attest']
    : []),
]

interface Proof {
  readonly trace: string
  readonly seq: number | null
  readonly since: number | null
  readonly size: number
  readonly file: string
}

export const proofLines = ({ trace, seq, since, size, file }: Proof): readonly string[] => [
  `Wrote ${plain(file)}: proof that ${
    seq === null
      ? `${trace} at size ${size} extends size ${since}`
      : `event ${trace}/${seq} is one of ${size}`
  }`,
]

interface Redacted {
  readonly trace: string
  readonly seq: number | null
  readonly artifact: string | null
  readonly before: { readonly by: string; readonly reason: string } | null
  readonly also_erased: readonly string[]
  readonly artifacts_left: readonly string[]
  readonly quoted_in: readonly { readonly trace: string; readonly artifact: string }[]
  readonly also_erased_events: readonly Repeating[]
  readonly repeated_in: readonly Repeating[]
}

interface Repeating {
  readonly trace: string
  readonly seq: number
  readonly type: string
}

const named = ({ trace, seq, type }: Repeating): string => `${trace}/${seq} (${type})`

const commandFor = (trace: string, hash: string): string =>
  `  witan redact ${trace} --artifact ${hash} --reason TEXT`

/** What was erased, and what still contains text of it, with the commands that erase that too. */
export function redactedLines(done: Redacted): readonly string[] {
  const { trace, seq, artifact, before, also_erased, artifacts_left: remaining } = done
  const { quoted_in: quoting, repeated_in: repeated } = done
  const what = seq === null ? `artifact ${artifact}` : `the payload of ${trace}/${seq}`
  return [
    before
      ? `${what} was erased before, for ${plain(before.by)}: ${plain(before.reason)}`
      : `Erased ${what}. Header, signature and chain stay; the registry says who and why.`,
    ...(also_erased.length > 0
      ? [`Erased ${also_erased.length} artifacts too: its own, and the prompts that quoted it.`]
      : []),
    ...done.also_erased_events.map((one) => `Erased ${named(one)} too, which repeated it.`),
    ...(remaining.length > 0 ? ['Its artifacts are still stored. Erase them too with:'] : []),
    ...remaining.map((hash) => commandFor(trace, hash)),
    ...(quoting.length > 0 ? ['Prompts that quote it are still stored. Erase them too with:'] : []),
    ...quoting.map((one) => commandFor(one.trace, one.artifact)),
    ...(repeated.length > 0 ? ['Events that repeat it still hold its words. Erase them too with:'] : []),
    ...repeated.map(({ trace: of, seq: at, type }) => `  witan redact ${of} ${at} --reason TEXT   # ${type}`),
  ]
}

interface Replayed {
  readonly trace: string
  readonly events: number
  readonly decisions: number
  readonly digest: string
  readonly divergences: readonly { readonly event: string; readonly action: string; readonly what: string }[]
  readonly next: readonly string[]
}

export const replayLines = (done: Replayed, paint: Paint): readonly string[] => [
  `${done.divergences.length === 0 ? paint.green('SAME') : paint.red('DIFFERENT')}  ${done.trace}`,
  `  events     ${done.events}`,
  `  decisions  ${done.decisions} calls decided again, no model asked`,
  `  digest     ${done.digest}`,
  ...done.divergences.map(({ event, action, what }) => `  ${event}  ${plain(action)}: ${what}`),
  ...done.next.map((action) => `  next       ${plain(action)}`),
]
