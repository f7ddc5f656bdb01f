// The commands that ask a council: `witan ask`, `review` and `council`.

import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { beginCouncil } from '../../../app/council/council.ts'
import {
  allowCouncil,
  followUp,
  type Gate,
  planCouncil,
  previewCouncil,
  readGate,
  refuseUnseenGate,
} from '../../../app/council/plan.ts'
import { namedSeating, type Seating, withPanel, worldHere } from '../../../app/council/seating.ts'
import { openOrCreateHome, personName, runKitOf } from '../../../app/home/signers.ts'
import type { Follow } from '../../../council/events.ts'
import { MODES, type Mode } from '../../../council/replies/opinion.ts'
import { MAX_QUESTION } from '../../../council/schema.ts'
import { leftOutInWords } from '../../../council/seat-ids.ts'
import { plain } from '../../../render/plain.ts'
import { previewLines } from '../../../render/preview.ts'
import { type Call, type Outcome, usage, type Verb } from '../command.ts'
import { follow, runAndPresent } from '../council/present.ts'
import { checkOutputs, checkQueueing, queueTrace, requireQueue } from '../run-trace.ts'
import { cleanTyped, personAt, readSettings } from '../terminal.ts'

// The request in the arguments of a council command, checked as far as possible without reading anything. The
// question is an argument, or standard input when it is long or comes from a program.

export interface CouncilFlags {
  readonly mode: Mode
  readonly question: string
  readonly context: readonly string[]
  /** What is to be compared, as typed after `review`; null when nothing is. */
  readonly words: readonly string[] | null
  /** `--diff`: a range as git names it. */
  readonly range: string | null
  readonly seats: readonly string[]
  readonly chair: string | null
  readonly labelled: boolean
  readonly shortCircuit: boolean
  readonly maxCost: number | null
  readonly constraints: readonly string[]
  readonly focus: readonly string[]
  readonly preview: boolean
  readonly follow: string | null
  readonly gate: Gate | null
  /** `--parts`. */
  readonly mostParts: number | null
  /** The content of standard input in addition to the question. */
  readonly texts?: readonly { readonly name: string; readonly text: string; readonly path: string }[]
}

const MOST_DOLLARS = 1_000_000

export function readMoney(text: string | null, option = '--max-cost'): number | null {
  if (text === null) return null
  const amount = /^\$?\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text.replace('$', '')) : Number.NaN
  if (amount >= 0 && amount <= MOST_DOLLARS) return amount
  throw usage(`${option} is an amount in US dollars, not '${text}'`, 'Give it like 0.50 or 2.')
}

const MANY_PARTS = 999

function readParts(text: string | null): number | null {
  if (text === null) return null
  const parts = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (parts >= 1 && parts <= MANY_PARTS) return parts
  throw usage(
    `--parts is a number from 1 to ${MANY_PARTS}, not '${text}'`,
    'Look with --preview how many there are.',
  )
}

/** `--seats a,b --seats c` is a, b, c. */
export const readList = (lists: readonly string[]): readonly string[] =>
  lists.flatMap((text) => text.split(',')).flatMap((text) => text.trim() || [])

const flagsOf = (call: Call, subject: Pick<CouncilFlags, 'mode' | 'question' | 'words'>): CouncilFlags => ({
  ...subject,
  context: call.texts('context'),
  range: call.text('diff'),
  seats: readList(call.texts('seats')),
  chair: call.text('chair'),
  labelled: call.flag('labelled'),
  shortCircuit: call.flag('short-circuit'),
  maxCost: readMoney(call.text('max-cost')),
  constraints: call.texts('constraint'),
  focus: call.texts('focus'),
  preview: call.flag('preview'),
  follow: call.text('follow'),
  gate: readGate(call.text('fail-on')),
  mostParts: readParts(call.text('parts')),
})

/** All of standard input, up to the length limit of a question. */
async function readInput(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > 4 * MAX_QUESTION) throw tooLong()
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const tooLong = () =>
  usage(
    `the question is longer than ${MAX_QUESTION} characters`,
    'Shorten it, and give the rest with --context FILE.',
  )

async function readQuestion(
  argument: string | undefined,
  command: string,
  input: AsyncIterable<Buffer | string> & { readonly isTTY?: boolean } = process.stdin,
): Promise<string> {
  const fromInput = argument === undefined || argument === '-'
  if (fromInput && input.isTTY) {
    throw usage(`witan ${command} needs a question`, `Give it in quotes: witan ${command} "Shall we …?"`)
  }
  const text = (fromInput ? await readInput(input) : argument).toWellFormed().trim()
  if (text === '') throw usage('the question is empty', `Give it in quotes: witan ${command} "Shall we …?"`)
  if (text.length > MAX_QUESTION) throw tooLong()
  return text
}

/** A pipe that sends nothing for this long is ignored: programs start others with one they never write to. */
const SILENT_MS = 1_000
const MOST_INPUT = 8 << 20

/** Whether standard input can hold anything: a file, a pipe or a socket, not a terminal or a device. */
function mayBePiped(): boolean {
  try {
    const about = fstatSync(0)
    return !process.stdin.isTTY && (about.isFile() || about.isFIFO() || about.isSocket())
  } catch {
    // A program that closes standard input sends nothing on it.
    return false
  }
}

const inputFault = (what: string): Error =>
  usage(`standard input ${what}`, 'Give files with --context FILE, and close standard input: </dev/null')

/** Everything that is piped in; null when there is nothing, or nothing arrives soon. */
async function readPiped(call: Call): Promise<string | null> {
  if (!mayBePiped()) return null
  const { stdin } = process
  const chunks = stdin.iterator({ destroyOnReturn: false })
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<'silent'>((resolve) => {
    timer = setTimeout(() => resolve('silent'), SILENT_MS)
  })
  const read: Buffer[] = []
  let size = 0
  try {
    let next = await Promise.race([chunks.next(), silence])
    while (next !== 'silent' && !next.done) {
      if (read.length === 0) call.progress('Reading standard input…')
      const bytes = Buffer.from(next.value as Buffer)
      size += bytes.length
      if (size > MOST_INPUT) throw inputFault(`is longer than ${MOST_INPUT >> 20} MiB`)
      read.push(bytes)
      next = await chunks.next()
    }
  } finally {
    clearTimeout(timer)
    // Otherwise an open pipe would keep the command from ending.
    if (stdin instanceof Socket) stdin.unref()
  }
  const all = Buffer.concat(read)
  if (all.includes(0)) throw inputFault('is not text')
  const text = all.toString('utf8')
  return text.trim() === '' ? null : text
}

/** Where the question is an argument, what is piped in is shown to the council. */
async function pipedTexts(call: Call): Promise<Pick<CouncilFlags, 'texts'>> {
  const question = call.args[0]
  if (question === undefined || question === '-') return {}
  const text = await readPiped(call)
  return text === null ? {} : { texts: [{ name: 'stdin', text, path: 'stdin' }] }
}

// From a question at the command line to a finished council: planned, previewed or consented to, opened,
// driven. Nothing is sent or recorded before all of it is known to be possible.

/** A gate needs a seat that can judge; checks alone count only for users who chose them explicitly. */
function refuseUnfitGate({ gate, seats }: CouncilFlags, { panel }: Seating): void {
  if (gate === null || !panel || seats.includes('embedded')) return
  throw usage(
    'no model is ready, and a gate on checks alone has to be chosen',
    'Set up a provider (witan doctor), or say so with --seats embedded.',
  )
}

/** What a follow-up would be shown of the earlier council. */
async function followFor(call: Call, name: string | null): Promise<Follow | null> {
  if (name === null) return null
  const home = await openOrCreateHome({ directory: call.home, postgres: call.postgres })
  try {
    return await followUp(home, name)
  } finally {
    await home.close()
  }
}

export async function convene(call: Call, typed: CouncilFlags): Promise<Outcome> {
  await checkOutputs(call)
  checkQueueing(call)
  await requireQueue(call)
  const { question, constraints, focus } = typed
  const cleanFlags = { ...typed, ...(await cleanTyped({ question, constraints, focus }, call)) }
  call.progress('Looking who is ready…')
  const { wish: flags, settings } = withPanel(call.text('panel'), cleanFlags, await readSettings(call))
  const seating = await namedSeating(flags, settings, worldHere())
  refuseUnfitGate(flags, seating)
  call.progress('Reading what is to be laid before the council…')
  const material = { settings: settings.council, from: process.cwd(), context: flags }
  const plan = await planCouncil(flags, seating, material)
  refuseUnseenGate(flags.gate, plan)
  if (flags.preview) {
    const preview = await previewCouncil(plan, await followFor(call, flags.follow))
    const lines = previewLines(preview, call)
    return { value: preview, lines, brief: lines }
  }
  const home = await openOrCreateHome({ directory: call.home, postgres: call.postgres })
  try {
    const convening = await allowCouncil(home, plan, {
      person: personAt(call),
      consented: call.flag('yes'),
      unasked: {
        why: 'there is no terminal to ask on',
        next: 'Look with --preview; then give --yes, or name the seats with --seats.',
      },
      instead: 'Name other seats with --seats, or less with --context.',
    })
    const { seats } = seating
    const council = await beginCouncil(runKitOf(home), convening, { convener: personName(), seats })
    const outcome = await (call.flag('queue')
      ? queueTrace(home, council.trace, call, follow)
      : runAndPresent(council, call, flags.gate))
    const { leftOut } = seating
    const missing = leftOutInWords(leftOut).map(
      ({ seats: names, isOne, reason }) =>
        `${plain(names)} ${isOne ? 'was' : 'were'} left out: ${plain(reason)}`,
    )
    return { ...outcome, hints: [...missing, ...(outcome.hints ?? [])] }
  } finally {
    await home.close()
  }
}

/** An open question. */
export const ask: Verb = async (call) => {
  const question = await readQuestion(call.args[0], 'ask')
  const flags = flagsOf(call, { mode: 'ask', question, words: null })
  return convene(call, { ...flags, ...(await pipedTexts(call)) })
}

const REVIEW = 'Review this. Which faults are there, how grave are they, and may it go in as it is?'

/** Reviews a change, or files. */
export const review: Verb = (call) =>
  convene(call, flagsOf(call, { mode: 'review', question: REVIEW, words: call.args }))

/** The long form, for any mode. */
export const council: Verb = async (call) => {
  const question = await readQuestion(call.args[0], 'council')
  const mode = MODES.find((one) => one === call.text('mode')) ?? 'ask'
  const flags = flagsOf(call, { mode, question, words: null })
  return convene(call, { ...flags, ...(await pipedTexts(call)) })
}
