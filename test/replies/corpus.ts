// The corpus of careless replies: what models write, and what must be read from it. Every `.jsonl` file of this folder
// holds one reply a line; the README says how they were made and what the expectations rest on.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mode, Stance } from '../../src/council/replies/opinion.ts'
import type { Json } from '../../src/ledger/canonical.ts'
import { projectRoot } from '../support/sources.ts'

export const SHAPES = [
  'opinion',
  'review',
  'report',
  'plan',
  'turn',
  'critic',
  'audit',
  'judgement',
  'exchange',
] as const
export type Shape = (typeof SHAPES)[number]

/** What a wire carried in addition to the text, in the words of the OpenAI-compatible wire. */
interface ReplyWire {
  readonly reasoning_content?: string
  /** The arguments are text, exactly as the model wrote it. */
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish_reason?: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  readonly refusal?: string
  /** The whole body of an answer that came at once where a stream was asked for; `raw` is the text inside it. */
  readonly plain_body?: string
  /** The stream ended before it was finished. */
  readonly cut?: true
  /** The vendor answered with errors, in this order, and there is no text. */
  readonly answers?: readonly {
    readonly status: number
    readonly body: string
    /** In seconds. */
    readonly retry_after?: number
  }[]
}

interface ReplyContext {
  /** A text of the prompt, where what is in it matters. */
  readonly prompt?: string
  /** Of a review: the labels shown, in the order shown. */
  readonly labels?: readonly string[]
  /** Of an executor's turn: the ids of the artifacts that evidence may name. */
  readonly artifacts?: readonly string[]
  /** Of an audit: the ids of the messages and clusters shown; of a judgement the messages alone. */
  readonly messages?: readonly string[]
  readonly clusters?: readonly string[]
  /** Of an exchange reply: the limits of the terms. */
  readonly max_messages?: number
  readonly max_chars?: number
}

type Expectation =
  /** This value, in the shape that was asked for; of an exchange reply, taken apart. */
  | { readonly outcome: 'kept'; readonly value: Json }
  /** Places of the shape, `answer` for no usable value at all, `rest` for one that is cut off. One further call. */
  | { readonly outcome: 'missing'; readonly missing: readonly string[] }
  /** An opinion in prose: this text, with this stance. */
  | { readonly outcome: 'prose'; readonly stance: Stance | 'unstated'; readonly text: string }
  | { readonly outcome: 'refused' }

export interface CarelessReply {
  readonly id: string
  readonly shape: Shape
  /** Of opinions, reviews and reports. */
  readonly mode?: Mode
  readonly family: string
  readonly habits: readonly string[]
  readonly raw: string
  readonly wire?: ReplyWire
  readonly context?: ReplyContext
  readonly expect: Expectation
  /** In plain words, for people: not compared. Empty when the reply is read as it is. */
  readonly repairs: readonly string[]
  readonly note?: string
}

const FOLDER = join(projectRoot, 'test/replies')

const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8')

export const corpusFiles = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()

export const sha256OfFile = (file: string): string => createHash('sha256').update(read(file)).digest('hex')

export const repliesOf = (file: string): readonly CarelessReply[] =>
  read(file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

export const readCorpus = (): readonly CarelessReply[] => corpusFiles().flatMap(repliesOf)

/** False where the vendor answered with errors only: there is nothing to read, and the caller must ask again. */
export const isReadable = ({ wire }: CarelessReply): boolean => wire?.answers === undefined
