// The port to a person: what a use case may ask the person at an entrance. Each entrance brings its own
// (questions on a terminal, elicitation of a host, callbacks of a program); where no person can be asked, it
// is NO_PERSON, and only earlier decisions count. A question is a value: the entrance chooses wording and
// layout.

import { WitanError } from '../ledger/errors.ts'
import type { SettingsError } from './config/faults.ts'
import type { CouncilPreview } from './council/preview.ts'
import { providersWithoutConsent, consent as rememberConsent, type Shown } from './home/permissions.ts'

/** What would be shown to models. */
type Material =
  | { readonly kind: 'council'; readonly preview: CouncilPreview }
  /** What the tools of a session return from its folders. */
  | { readonly kind: 'session'; readonly task: string; readonly tools: readonly string[] }
  /** What a recorded council was shown, and what its members said about it. */
  | { readonly kind: 'fork'; readonly trace: string; readonly files: number; readonly bytes: number }

/** Contents that would leave this machine for the first time. */
export interface Sending {
  readonly folders: readonly string[]
  /** The recorded council that was shown it, where no folder is known. */
  readonly trace?: string
  /** Names of the providers that would receive them. */
  readonly providers: readonly string[]
  /** The providers among them that were never shown one of these. */
  readonly newcomers: readonly string[]
  readonly material: Material
}

/** Null where the person cannot be asked this. */
export type Answer = boolean | null

/** The person at an entrance, and what they can be asked. */
export interface Person {
  /** May a file decide what runs here and who is asked? The error names the file and the keys in question. */
  trustsFile(error: SettingsError): Promise<Answer>
  /** May this be sent? */
  allowsSending(sending: Sending): Promise<Answer>
}

export const NO_PERSON: Person = {
  trustsFile: async () => null,
  allowsSending: async () => null,
}

// Before a folder's contents go to a provider for the first time, a person sees what would be sent to which
// provider and agrees. Where no person can be asked, only earlier choices count: consent given with the
// request, seats named by someone whose word counts here, or consent given before.

/** What is to be sent; made only if a person is going to see it. */
export type Proposed = Omit<Sending, 'newcomers' | 'material'> & {
  readonly material: Material | (() => Promise<Material>)
}

export interface Consent {
  readonly person: Person
  /** Consent was given with the request. */
  readonly consented: boolean
  /** The providers were named by someone whose word counts here. */
  readonly chosen: boolean
  /** Why no person can be asked, and how consent is given then. */
  readonly unasked: { readonly why: string; readonly next: string }
  /** What can be done instead after a refusal. */
  readonly instead: string
}

async function askFor(person: Person, proposed: Proposed, newcomers: readonly string[]): Promise<Answer> {
  if (person === NO_PERSON) return null
  const material = typeof proposed.material === 'function' ? await proposed.material() : proposed.material
  return person.allowsSending({ ...proposed, material, newcomers })
}

/** Returns when it may be sent, and remembers that; throws otherwise. */
export async function obtainConsent(
  home: string,
  proposed: Proposed,
  { person, consented, chosen, unasked, instead }: Consent,
): Promise<void> {
  const { folders, trace, providers } = proposed
  const all: readonly Shown[] = [
    ...folders.map((folder) => ({ folder })),
    ...(trace === undefined ? [] : [{ trace }]),
  ]
  const unknown = await Promise.all(
    all.map(async (shown) => ({ shown, to: await providersWithoutConsent(home, shown, providers) })),
  )
  const open = unknown.filter(({ to }) => to.length > 0)
  const [first] = open
  if (first === undefined) return
  if (!consented) {
    const newcomers = [...new Set(open.flatMap(({ to }) => to))]
    const answer = await askFor(person, proposed, newcomers)
    if (answer === false) throw new WitanError('USAGE', 'nothing was sent', instead)
    if (answer === null && chosen) return
    if (answer === null) {
      const what = 'trace' in first.shown ? `what was laid before ${first.shown.trace}` : first.shown.folder
      const message = `${what} was never shown to ${first.to.join(', ')}, and ${unasked.why}`
      throw new WitanError('USAGE', message, unasked.next)
    }
  }
  for (const { shown, to } of open) await rememberConsent(home, shown, to)
}

// A program has no person to ask: it states what may be shown to which provider.

/** `what`: a folder, or the id of a recorded council. */
export type ConsentGiven = true | ((what: string, provider: string) => boolean | Promise<boolean>)

/** Refused before anything is recorded. */
export async function requireConsent(
  consent: ConsentGiven | undefined,
  what: { readonly name: string; readonly words: string },
  providers: readonly string[],
): Promise<void> {
  if (consent === true) return
  for (const provider of providers) {
    if (await consent?.(what.name, provider)) continue
    const next = 'Give consent: true, or a function that says what may be shown to which provider.'
    throw new WitanError('USAGE', `no consent to show ${what.words} to ${provider}`, next)
  }
}

// Text that a person or a host typed: questions, terms, messages into a pool, reasons. Secrets in it neither
// leave this machine nor enter the ledger: each is replaced by a visible marker, and the person who typed it
// is told.

export interface Typed<Value> {
  readonly value: Value
  /** How many secrets were removed. */
  readonly removed: number
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

function replaced(value: unknown, next: () => string): unknown {
  if (typeof value === 'string') return next()
  if (Array.isArray(value)) return value.map((one) => replaced(one, next))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, next)]))
}

let cleaning: typeof import('../context/clean.ts') | null = null

/** The same value with every text in it cleaned. */
export async function withoutTypedSecrets<Value>(value: Value): Promise<Typed<Value>> {
  cleaning ??= await import('../context/clean.ts')
  const cleaned = await cleaning.allWithoutSecrets(textsIn(value).map((text) => ({ text })))
  const removed = cleaned.reduce((sum, one) => sum + one.removed.length, 0)
  if (removed === 0) return { value, removed }
  const texts = cleaned.map(({ text }) => text)[Symbol.iterator]()
  return { value: replaced(value, () => texts.next().value ?? '') as Value, removed }
}
