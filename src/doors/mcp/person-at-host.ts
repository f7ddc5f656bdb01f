// The person at the host, asked through the host where it supports that. What was shown and what is then done
// are bound together by a sealed note that counts once: a host that changes its arguments after the answer,
// or answers unasked, has no consent. The result is recorded as given via the host, and only where the home
// allows that.

import { randomBytes, randomUUID } from 'node:crypto'
import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { plain } from '../../render/plain.ts'

interface Note {
  /** Everything that the person was shown. */
  readonly about: string
  readonly once: string
}

/** The host through which a person can be asked, if it can. */
export interface Asker {
  readonly context: ServerContext
  declares(capability: 'elicitation'): boolean
}

export type Word =
  | { readonly is: 'yes' | 'no'; readonly reason: string }
  /** Closed without an answer. */
  | { readonly is: 'silent' }
  /** The host offers no way to ask. */
  | { readonly is: 'unasked' }

const KEY = 'decision'
const MOST_REASON = 500

const isNote = (value: unknown): value is Note =>
  typeof (value as Note | null)?.about === 'string' && typeof (value as Note).once === 'string'

const SHAPE = {
  type: 'object' as const,
  properties: {
    allow: { type: 'boolean' as const, title: 'Allow it' },
    reason: { type: 'string' as const, title: 'Reason (recorded permanently)', maxLength: MOST_REASON },
  },
  required: ['allow'],
}

export class People {
  readonly #codec = createRequestStateCodec<Note>({ key: randomBytes(32) })
  readonly #spent = new Set<string>()

  readonly verify = this.#codec.verify

  /** The person's answer to exactly this, or the question to ask them first. */
  async ask({ context, declares }: Asker, lines: readonly string[]): Promise<Word | InputRequiredResult> {
    if (!declares('elicitation')) return { is: 'unasked' }
    const about = lines.map(plain).join('\n')
    const note: unknown = context.mcpReq.requestState()
    const isOurs = isNote(note) && note.about === about && !this.#spent.has(note.once)
    const response = inputResponse(context.mcpReq.inputResponses, KEY)
    if (!isOurs || response.kind !== 'elicit') return this.#question(about)
    this.#spent.add(note.once)
    if (response.action !== 'accept') return { is: 'silent' }
    const { allow, reason } = response.content ?? {}
    const why = typeof reason === 'string' ? reason.toWellFormed().slice(0, MOST_REASON) : ''
    return { is: allow === true ? 'yes' : 'no', reason: why }
  }

  async #question(about: string): Promise<InputRequiredResult> {
    const requestState = await this.#codec.mint({ about, once: randomUUID() })
    const elicit = inputRequired.elicit({ message: about, requestedSchema: SHAPE })
    return inputRequired({ inputRequests: { [KEY]: elicit }, requestState })
  }
}

export const isQuestion = (word: Word | InputRequiredResult): word is InputRequiredResult => !('is' in word)
