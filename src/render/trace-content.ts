// A trace for people: event by event, or one event in full; and the same for programs.

import { fromUtf8, toHex } from '../ledger/bytes.ts'
import type { Header } from '../ledger/event.ts'
import type {
  EventContent,
  RecordedArtifact,
  RecordedEvent,
  TraceContent,
  TraceStatus,
} from '../ledger/recorded.ts'
import { occurrence } from '../ledger/verify/inquire.ts'
import { fieldList } from './event-summary.ts'
import { block, type Layout, type Paint, plain, plainJson, wrap } from './plain.ts'
import { followActs, tellOf } from './story/story.ts'
import type { StoryLine } from './story/story-line.ts'
import { longTime } from './time.ts'

const erased = ({ by, reason }: { readonly by: string; readonly reason: string }): string =>
  `erased for ${by}: ${reason}`

/** Why a payload is missing. */
function absence({ redaction }: RecordedEvent, isBare: boolean): string {
  if (redaction) return erased(redaction)
  return isBare ? 'left out of this file' : 'absent, and no redaction says why'
}

const recordedJson = ({ seq, event, header, payload, redaction }: RecordedEvent) => ({
  seq,
  header: typeof header === 'string' ? null : header,
  payload: typeof payload === 'string' ? null : payload,
  hash: event.hash,
  signature: toHex(event.signature),
  problem: [header, payload].find((part) => typeof part === 'string') ?? null,
  redaction: redaction && { by: redaction.by, reason: redaction.reason, registry_seq: redaction.seq },
})

const headOf = ({ events }: TraceContent): string | null => events.at(-1)?.event.hash ?? null

export const traceJson = (content: TraceContent) => ({
  trace: content.trace,
  protocol: content.protocol,
  size: content.events.length,
  head: headOf(content),
  ...content.status,
  events: content.events.map(recordedJson),
})

export const eventJson = (content: EventContent) => ({ trace: content.trace, ...recordedJson(content) })

const tones = ({ green, red, dim }: Paint) => ({
  plain: (text: string) => text,
  good: green,
  bad: red,
  quiet: dim,
})

/** The description is beside its time, and continues below itself; reasons and quotes are nearer the margin. */
function* toldLines(
  { tone, text, more }: StoryLine,
  { number, when }: { readonly number: string; readonly when: string },
  { paint, width }: Layout,
): Generator<string> {
  const side = number.length + when.length + 4
  const [first = '', ...rest] = wrap(plain(text), side, width).split('\n')
  const inTone = tones(paint)[tone]
  yield `${number}  ${paint.dim(when)}  ${inTone(first)}`
  for (const line of rest) yield `${' '.repeat(side)}${inTone(line.trimStart())}`
  const indent = number.length + 2
  for (const line of more.flatMap((one) => block(one, '')))
    yield `${' '.repeat(indent)}${wrap(line, indent, width)}`
}

function* eventLinesInBrief({ events, isBare }: TraceContent, sheet: Layout): Generator<string> {
  const { paint, width } = sheet
  const digits = String(events.at(-1)?.seq ?? 0).length
  const acts = followActs()
  for (const recorded of events) {
    const { seq, event, header, payload } = recorded
    const number = String(seq).padStart(digits + 2)
    const indent = ' '.repeat(digits + 4)
    if (typeof header === 'string') {
      yield `${number}  ${paint.red(`unreadable: ${plain(header)}`)}`
      continue
    }
    const { at, type, actor, protocol } = header
    const readable = typeof payload === 'object' ? payload : null
    const story = tellOf(protocol, occurrence(header, event.hash, readable), acts)
    if (story) {
      yield* toldLines(story, { number, when: longTime(at) }, sheet)
      continue
    }
    const signer = actor.agent === actor.role ? actor.agent : `${actor.agent} (${actor.role})`
    yield `${number}  ${paint.dim(longTime(at))}  ${signer}  ${paint.bold(type)}`
    if (payload === null) yield `${indent}${paint.yellow(plain(absence(recorded, isBare)))}`
    else if (typeof payload === 'string') yield `${indent}${paint.red(plain(payload))}`
    else yield `${indent}${fieldList(payload, width - indent.length)}`
  }
}

const BAD_STATUSES: readonly string[] = ['failed', 'tampered', 'unknown edition']

/** `waiting (reviewing)`, or `tampered: why`. */
function statusLine({ status, phase, reason }: TraceStatus, { paint }: Layout): string {
  const inPhase = phase === null || phase === status || reason !== null ? '' : ` (${phase})`
  const line = plain(reason === null ? `${status}${inPhase}` : `${status}: ${reason}`)
  return BAD_STATUSES.includes(status) ? paint.red(line) : line
}

/** The whole trace, event by event. */
export function traceLines(content: TraceContent, sheet: Layout): readonly string[] {
  const { trace, protocol, events, status } = content
  const headers = events.map(({ header }) => header).filter((header) => typeof header !== 'string')
  const [first, last] = [headers[0], headers.at(-1)]
  const count = `${events.length} event${events.length === 1 ? '' : 's'}`
  return [
    `${sheet.paint.bold(trace)}  ${protocol ?? '?'}  ${count}`,
    `${longTime(first?.at ?? '')} to ${longTime(last?.at ?? '')}`,
    `head ${headOf(content)}`,
    ...(status ? [statusLine(status, sheet)] : []),
    '',
    ...eventLinesInBrief(content, sheet),
  ]
}

function artifactLines(artifacts: readonly RecordedArtifact[]): readonly string[] {
  const lines = artifacts.flatMap(({ hash, name, media_type, size, isStored, redaction }) => {
    const state = isStored ? 'stored' : redaction ? erased(redaction) : 'missing'
    return [`  ${hash}`, `    ${plain(`${name} · ${media_type} · ${size} bytes · ${state}`)}`]
  })
  return lines.length > 0 ? ['', 'artifacts', ...lines] : []
}

/** Eighty columns: the longest name and a hash. */
function headerLines({ actor, registry, ...rest }: Header): string[] {
  const fields = {
    trace: rest.trace,
    seq: rest.seq,
    protocol: rest.protocol,
    type: rest.type,
    at: rest.at,
    agent: actor.agent,
    role: actor.role,
    key: actor.key,
    prev: rest.prev,
    payload_hash: rest.payload_hash,
    registry: registry.hash,
    '': `at size ${registry.size}`,
  }
  return Object.entries(fields).map(([name, value]) => `  ${name.padEnd(12)}  ${value}`)
}

/** One event in full. */
export function eventLines(content: EventContent, { paint }: Layout): readonly string[] {
  const { trace, seq, event, header, payload, artifacts, isBare } = content
  const unreadable = (why: string): readonly string[] => [
    paint.red(`  unreadable: ${plain(why)}`),
    ...block(fromUtf8(event.header) ?? toHex(event.header), '  '),
  ]
  const body =
    payload === null
      ? [`  ${plain(absence(content, isBare))}`]
      : block(typeof payload === 'string' ? payload : plainJson(payload, 2), '  ')
  return [
    paint.bold(`${trace}/${seq}`),
    '',
    'header',
    ...(typeof header === 'string' ? unreadable(header) : headerLines(header)),
    '',
    'payload',
    ...body,
    ...artifactLines(artifacts),
    '',
    `hash       ${event.hash}`,
    `signature  ${toHex(event.signature).slice(0, 64)}`,
    `           ${toHex(event.signature).slice(64)}`,
  ]
}
