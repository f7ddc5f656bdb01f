// A report as a document without a form: what is said, in which order. Text, Markdown and HTML are made of the same
// blocks, so that none of them says more or less than another. All texts are raw; whoever renders neutralises.

export type Tone = 'good' | 'bad' | 'open' | 'plain'

/** One thing of a list: what it is called, what it says, and what belongs to it. */
export interface Item {
  readonly lead?: string
  readonly tone?: Tone
  readonly text: string
  readonly notes?: readonly { readonly name: string; readonly text: string }[]
}

export type Block =
  | {
      readonly kind: 'verdict'
      readonly tone: Tone
      readonly label: string
      readonly detail: string
      /** What was asked, in short. */
      readonly about: string
      /** What lay before the council; empty when nothing did. */
      readonly basis: string
    }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Item[] }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'command'; readonly text: string }

export const heading = (text: string): Block => ({ kind: 'heading', text })
export const prose = (text: string): Block[] => (text.trim() === '' ? [] : [{ kind: 'prose', text }])

/** A section with its heading; nothing at all when there is nothing to list. */
export const section = (title: string, items: readonly Item[]): Block[] =>
  items.length === 0 ? [] : [heading(title), { kind: 'list', items }]

/** A note when there is something to note. */
export const note = (name: string, text: string): { readonly name: string; readonly text: string }[] =>
  text.trim() === '' ? [] : [{ name, text }]

export const names = (list: readonly string[]): string => list.join(', ')
