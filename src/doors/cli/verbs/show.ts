// `witan show`: reads a trace to its reader, one of this home or one in a file from anyone. Whatever it says is shown,
// never obeyed, and nothing is checked: that is what `verify` is for.

import { withHome } from '../../../app/home/home.ts'
import { standingOf } from '../../../app/trace-status.ts'
import type { Reading } from '../../../app/traces/reading.ts'
import { findTrace, isFile } from '../../../app/traces/trace-name.ts'
import { redactionOf } from '../../../clerk/redaction.ts'
import { fromUtf8, toHex } from '../../../ledger/bytes.ts'
import { WitanError } from '../../../ledger/errors.ts'
import {
  artifactsOf,
  type Header,
  type Payload,
  readHeader,
  readPayload,
  type SealedEvent,
} from '../../../ledger/event.ts'
import { occurrence } from '../../../ledger/verify/inquire.ts'
import { listed } from '../../../render/event-summary.ts'
import type { Paint } from '../../../render/paint.ts'
import { block, plain, plainJson } from '../../../render/plain.ts'
import { tellOf } from '../../../render/story/story.ts'
import type { StoryLine } from '../../../render/story/story-line.ts'
import { longTime } from '../../../render/time.ts'
import { wrap } from '../../../render/wrap.ts'
import type { Call, Outcome, Verb } from '../command.ts'
import { parseCount } from '../parse.ts'

interface Shown {
  readonly seq: number
  readonly event: SealedEvent
  /** In words what is wrong, when it cannot be read. */
  readonly header: Header | string
  readonly payload: Payload | string | null
}

const shown = (event: SealedEvent, seq: number): Shown => ({
  seq,
  event,
  header: readHeader(event.header),
  payload: event.payload && readPayload(event.payload),
})

function erasure({ registry, trace, absent }: Reading, seq: number): string {
  const redaction = redactionOf(registry, { trace, seq, artifact: null })
  return redaction ? `erased for ${redaction.by}: ${redaction.reason}` : absent
}

function eventValue({ seq, event, header, payload }: Shown, { trace, registry }: Reading): object {
  const redaction = redactionOf(registry, { trace, seq, artifact: null })
  return {
    seq,
    header: typeof header === 'string' ? null : header,
    payload: typeof payload === 'string' ? null : payload,
    hash: event.hash,
    signature: toHex(event.signature),
    problem: [header, payload].find((part) => typeof part === 'string') ?? null,
    redaction: redaction ? { by: redaction.by, reason: redaction.reason, registry_seq: redaction.seq } : null,
  }
}

const tones = ({ green, red, dim }: Paint) => ({
  plain: (text: string) => text,
  good: green,
  bad: red,
  quiet: dim,
})

/** What happened stands beside when it did, and goes on below itself; reasons and quotes are nearer the margin. */
function* toldLines(
  { tone, text, more }: StoryLine,
  { number, when }: { readonly number: string; readonly when: string },
  { paint, width }: Call,
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

function* overviewLines(events: readonly Shown[], reading: Reading, call: Call): Generator<string> {
  const digits = String(events.at(-1)?.seq ?? 0).length
  for (const { seq, event, header, payload } of events) {
    const number = String(seq).padStart(digits + 2)
    const indent = ' '.repeat(digits + 4)
    if (typeof header === 'string') {
      yield `${number}  ${call.paint.red(`unreadable: ${plain(header)}`)}`
      continue
    }
    const { at, type, actor, protocol } = header
    const readable = typeof payload === 'object' ? payload : null
    const told = tellOf(protocol, occurrence(header, event.hash, readable))
    if (told) {
      yield* toldLines(told, { number, when: longTime(at) }, call)
      continue
    }
    const who = actor.agent === actor.role ? actor.agent : `${actor.agent} (${actor.role})`
    yield `${number}  ${call.paint.dim(longTime(at))}  ${who}  ${call.paint.bold(type)}`
    if (payload === null) yield `${indent}${call.paint.yellow(plain(erasure(reading, seq)))}`
    else if (typeof payload === 'string') yield `${indent}${call.paint.red(plain(payload))}`
    else yield `${indent}${listed(payload, call.width - indent.length)}`
  }
}

async function overview(reading: Reading, call: Call): Promise<Outcome> {
  const { trace } = reading
  const events: Shown[] = []
  for await (const [seq, event] of reading.events(null)) events.push(shown(event, seq))
  const headers = events.map(({ header }) => header).filter((header) => typeof header !== 'string')
  const [first, last] = [headers[0], headers.at(-1)]
  const head = events.at(-1)?.event.hash ?? null
  const name = call.args[0] ?? trace
  const standing = await reading.standing(first?.protocol ?? '')
  const failed = standing?.status === 'failed' ? call.paint.red : (text: string) => text
  const count = `${events.length} event${events.length === 1 ? '' : 's'}`
  return {
    value: {
      trace,
      protocol: first?.protocol ?? null,
      size: events.length,
      head,
      ...standing,
      events: events.map((event) => eventValue(event, reading)),
    },
    lines: [
      `${call.paint.bold(trace)}  ${first?.protocol ?? '?'}  ${count}`,
      `${longTime(first?.at ?? '')} to ${longTime(last?.at ?? '')}`,
      `head ${head}`,
      ...(standing ? [failed(plain([standing.status, standing.reason ?? []].flat().join(': ')))] : []),
      '',
      ...overviewLines(events, reading, call),
    ],
    hints: [
      '',
      `One event in full: witan show ${plain(name)} SEQ`,
      `To check it: witan verify ${plain(name)}`,
    ],
  }
}

async function artifactLines(reading: Reading, payload: Payload): Promise<string[]> {
  const lines: string[] = []
  for (const { hash, name, size, media_type } of artifactsOf(payload)) {
    const here = await reading.hasArtifact(hash)
    const gone = redactionOf(reading.registry, { trace: '', seq: null, artifact: hash })
    const state = here ? 'stored' : gone ? `erased for ${gone.by}: ${gone.reason}` : 'missing'
    lines.push(`  ${hash}`, `    ${plain(`${name} · ${media_type} · ${size} bytes · ${state}`)}`)
  }
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

const unreadable = (event: SealedEvent, why: string, call: Call): readonly string[] => [
  call.paint.red(`  unreadable: ${plain(why)}`),
  ...block(fromUtf8(event.header) ?? toHex(event.header), '  '),
]

async function single(reading: Reading, seq: number, call: Call): Promise<Outcome> {
  const { trace } = reading
  let found: Shown | null = null
  for await (const [at, event] of reading.events(seq)) found = shown(event, at)
  if (!found) {
    const size = await reading.size()
    const message = `${trace} has ${size} events, there is no ${seq}`
    throw new WitanError('EVENT_NOT_FOUND', message, `Name one from 0 to ${size - 1}.`)
  }
  const { event, header, payload } = found
  const content =
    payload === null
      ? [`  ${plain(erasure(reading, seq))}`]
      : block(typeof payload === 'string' ? payload : plainJson(payload, 2), '  ')
  return {
    value: { trace, ...eventValue(found, reading) },
    lines: [
      call.paint.bold(`${trace}/${seq}`),
      '',
      'header',
      ...(typeof header === 'string' ? unreadable(event, header, call) : headerLines(header)),
      '',
      'payload',
      ...content,
      ...(typeof payload === 'object' && payload ? await artifactLines(reading, payload) : []),
      '',
      `hash       ${event.hash}`,
      `signature  ${toHex(event.signature).slice(0, 64)}`,
      `           ${toHex(event.signature).slice(64)}`,
    ],
  }
}

const read = (reading: Reading, seq: number | null, call: Call): Promise<Outcome> =>
  seq === null ? overview(reading, call) : single(reading, seq, call)

const inHome = (call: Call, name: string, seq: number | null): Promise<Outcome> =>
  withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const { store } = home
    const trace = await findTrace(store, name)
    const reading: Reading = {
      trace,
      registry: (await home.registrar()).log.state,
      absent: 'absent, and no redaction says why',
      async *events(only) {
        let at = only ?? 0
        for await (const event of only === null ? store.read(trace) : store.read(trace, only, only + 1))
          yield [at++, event]
      },
      size: async () => (await store.hashes(trace)).length,
      hasArtifact: async (hash) => (await store.statArtifact(hash)) !== null,
      standing: (protocol) => standingOf(protocol, home, trace),
    }
    return read(reading, seq, call)
  })

export const run: Verb = async (call) => {
  const [name = '', number] = call.args
  const seq = number === undefined ? null : parseCount(number, 'SEQ')
  if (!(await isFile(name))) return inHome(call, name, seq)
  const { readingOf } = await import('../../../app/traces/bundle-reading.ts')
  return read(await readingOf(name), seq, call)
}
