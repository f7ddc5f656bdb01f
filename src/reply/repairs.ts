// The repairs that a reader may make, a closed list, and their record. A repair names the fault of form; none
// adds content. The record is limited, so that it fits into an event.

export const REPAIRS = {
  'hidden-reasoning': 'hidden reasoning was taken out',
  'byte-order-mark': 'a byte order mark was taken out',
  'line-ends': 'line ends were made alike',
  fence: 'a fence around the answer was left out',
  'text-around': 'text around the answer was left out',
  'tool-call': 'the answer was given as a tool call',
  'reasoning-field': 'the answer stood in the field for reasoning',
  'json-in-text': 'JSON was written as a JSON string',
  unwrapped: 'the answer was taken out of an object or a list around it',
  'wrapper-left-out': 'a list or an item stood without what belongs around it',
  'equal-values': 'the same answer was given more than once',
  'value-of-prompt': 'a value that stands in the prompt was passed over',
  comma: 'commas too many or too few',
  comment: 'comments were left out',
  quotes: 'other quotes than those of JSON',
  'inner-quote': 'a quote inside a text was not escaped',
  escape: 'an escape that JSON does not know',
  'raw-control': 'a raw line break or control character in a text',
  'unquoted-name': 'a name without quotes',
  'unquoted-text': 'a word without quotes',
  literal: 'None, True, False and their kin',
  number: 'a number in another notation, or a text for a number',
  'closing-bracket': 'closing brackets were left out',
  surrogate: 'a lone surrogate was replaced',
  duplicate: 'of a duplicate member the last counts',
  'member-name': 'case or separators of a name',
  'member-moved': 'a member stood beside its object',
  'unknown-member': 'an unknown member was dropped',
  'default-taken': 'something left out or unreadable took its default',
  word: 'case, separators or a synonym of a word',
  confidence: 'confidence in another measure',
  'bare-value': 'a bare value where a list is meant',
  'map-for-list': 'an object of values where a list is meant',
  'list-for-text': 'a list of texts where one text is meant',
  'object-from-text': 'a text where an object is meant',
  'text-from-value': 'an object or a number where a text is meant',
  label: 'a label written otherwise',
  'artifact-id': 'an artifact id written otherwise',
  dropped: 'something that counts for nothing was dropped',
  shortened: 'something over its limit was shortened',
  prose: 'an opinion in prose',
} as const satisfies Readonly<Record<string, string>>

export type RepairKind = keyof typeof REPAIRS

export interface Repair {
  readonly kind: RepairKind
  /** The first places where it was made; empty for the answer as a whole. */
  readonly at: readonly string[]
  /** How often, including the places that are not listed. */
  readonly times: number
}

const MOST_PLACES = 8
const FOREIGN_NAME = /^[\w.-]{1,40}$/

/** A name that a model made up, in a form that a record may contain. */
export const foreignName = (name: string): string => (FOREIGN_NAME.test(name) ? name : '?')

export const memberOf = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

export class RepairLog {
  private readonly made = new Map<RepairKind, { at: string[]; times: number }>()

  note(kind: RepairKind, place = ''): void {
    const repair = this.made.get(kind) ?? { at: [], times: 0 }
    repair.times += 1
    const isListed = place === '' || repair.at.includes(place) || repair.at.length === MOST_PLACES
    if (!isListed) repair.at.push(place)
    this.made.set(kind, repair)
  }

  noteAll(kinds: Iterable<RepairKind>): void {
    for (const kind of kinds) this.note(kind)
  }

  list(): readonly Repair[] {
    return [...this.made].map(([kind, { at, times }]) => ({ kind, at, times }))
  }
}
