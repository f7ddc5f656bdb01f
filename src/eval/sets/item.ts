// One item of a set: the question, the right answer, and how that is checked. Items are plain values; each
// format has its own reader.

export const ITEM_MODES = ['ask', 'architecture', 'review'] as const
type ItemMode = (typeof ITEM_MODES)[number]

/** How an answer is graded. `model:SEAT` is asked by name. */
const PLAIN_GRADERS = ['exact', 'choice', 'numeric', 'contains', 'regex', 'findings'] as const

export interface Item {
  readonly id: string
  readonly input: string
  /** Any of these is right; for `findings`, all of these have to be found. */
  readonly target: readonly string[]
  /** For a choice: the texts behind A, B, C and so on; otherwise empty. */
  readonly choices: readonly string[]
  /** One of `PLAIN_GRADERS`, or `model:SEAT`. */
  readonly grader: string
  /** Items that belong together and are not independent; null for a single one. */
  readonly cluster: string | null
  readonly mode: ItemMode
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

/** The seat that grades; null for a grader that asks no model. */
export const gradingSeat = (grader: string): string | null =>
  grader.startsWith('model:') ? grader.slice('model:'.length) : null

export const letterOf = (place: number): string => String.fromCharCode(65 + place)

const MOST = {
  id: 200,
  input: 100_000,
  target: 4_000,
  targets: 64,
  choices: 26,
  cluster: 200,
  path: 400,
  pattern: 300,
}

/** The parsed members, before they are known to be an item. */
export interface GivenItem {
  readonly id?: unknown
  readonly input?: unknown
  readonly target?: unknown
  readonly choices?: unknown
  readonly grader?: unknown
  readonly cluster?: unknown
  readonly mode?: unknown
  readonly files?: unknown
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.toWellFormed()
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null
}

/** A chat as some sets have it: the text of its last message. */
function inputOf(value: unknown): string | null {
  if (!Array.isArray(value)) return textOf(value)
  const words = value.map((message: unknown) =>
    typeof message === 'object' && message !== null
      ? textOf((message as { content?: unknown }).content)
      : null,
  )
  return words.every((one) => one !== null) && words.length > 0 ? words.join('\n\n') : null
}

function listOf(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return []
  const texts = (Array.isArray(value) ? value : [value]).map(textOf)
  return texts.every((one) => one !== null) ? texts : null
}

function filesOf(value: unknown): Item['files'] | null {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object' || Array.isArray(value)) return null
  const files = Object.entries(value).map(([path, text]) => ({
    path: path.toWellFormed(),
    text: textOf(text),
  }))
  return files.every(
    (file): file is { path: string; text: string } => file.text !== null && isText(file.path, MOST.path),
  )
    ? files
    : null
}

/**
 * A pattern comes from a file and is run on a model's text. Repeated groups that repeat or branch inside can take
 * years to fail, so they are refused, and so are back references.
 */
export function patternFault(pattern: string): string | null {
  if (pattern.length > MOST.pattern) return `the pattern is longer than ${MOST.pattern} characters`
  if (/\\[1-9]|\\k</.test(pattern)) return 'the pattern refers back to a group'
  const bare = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x')
  if (/\([^()]*[*+{|][^()]*\)[*+{]/.test(bare) || /\)[^()]*\)[*+{]/.test(bare))
    return 'the pattern repeats a group that repeats or branches itself'
  try {
    new RegExp(pattern, 'iu')
    return null
  } catch {
    return 'the pattern is no regular expression'
  }
}

const isNumber = (text: string): boolean => /^[-+]?\$?[\d,]*\.?\d+(?:e[-+]?\d+)?%?$/i.test(text.trim())

/** Chosen by the target where none is given: a letter of a choice, a number, otherwise exact words. */
function usualGrader(target: readonly string[], choices: readonly string[]): string {
  if (choices.length > 0) return 'choice'
  return target.length > 0 && target.every(isNumber) ? 'numeric' : 'exact'
}

function graderOf(grader: unknown, usual: string): string | null {
  if (grader === undefined || grader === null || grader === '') return usual
  if (typeof grader !== 'string') return null
  if (PLAIN_GRADERS.some((name) => name === grader)) return grader
  return /^model:[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(grader) ? grader : null
}

/** The choice that the target names: by its letter, or by its text. */
function chosen(target: readonly string[], choices: readonly string[]): readonly string[] | null {
  const letters = target.map((stated) => {
    const letter = stated.trim().replaceAll(/[().]/g, '').toUpperCase()
    if (/^[A-Z]$/.test(letter) && letter.charCodeAt(0) - 65 < choices.length) return letter
    const place = choices.findIndex((choice) => choice.trim() === stated.trim())
    return place < 0 ? null : letterOf(place)
  })
  return letters.every((letter) => letter !== null) ? letters : null
}

/** The item, or what is wrong with it. `nth` counts from 1 and names an item without an id. */
export function readItem(
  row: GivenItem,
  nth: number,
  defaults: { readonly grader?: string | null },
): Item | string {
  const input = inputOf(row.input)
  const target = listOf(row.target)
  const choices = listOf(row.choices)
  const files = filesOf(row.files)
  if (input === null || !isText(input, MOST.input)) return 'input is missing, empty or too long'
  if (target === null || target.length === 0 || target.length > MOST.targets)
    return 'target is missing or no text'
  if (!target.every((one) => isText(one, MOST.target))) return 'a target is empty or too long'
  if (choices === null || choices.length > MOST.choices || choices.length === 1)
    return 'choices is no list of two or more texts'
  if (files === null) return 'files is no object of texts by path'
  const grader = graderOf(row.grader ?? defaults.grader, usualGrader(target, choices))
  if (grader === null) return `grader must be one of ${PLAIN_GRADERS.join(', ')}, model:SEAT`
  const mode = row.mode ?? (grader === 'findings' ? 'review' : 'ask')
  const known = ITEM_MODES.find((one) => one === mode)
  if (!known) return `mode must be one of ${ITEM_MODES.join(', ')}`
  if (grader === 'choice' && choices.length === 0) return 'the grader is choice and there are no choices'
  const right = grader === 'choice' ? chosen(target, choices) : target
  if (right === null) return 'target names none of the choices'
  if (grader === 'numeric' && !right.every(isNumber))
    return 'the grader is numeric and the target is no number'
  if (grader === 'regex') {
    const fault = right.map(patternFault).find((one) => one !== null)
    if (fault) return fault
  }
  if (grader === 'findings' && !right.every((one) => /^.+:\d+$/.test(one)))
    return 'a target of findings is no FILE:LINE'
  const id = textOf(row.id) ?? String(nth)
  if (!isText(id, MOST.id)) return 'id is empty or too long'
  const cluster = row.cluster === undefined || row.cluster === null ? null : textOf(row.cluster)
  if (row.cluster !== undefined && row.cluster !== null && !isText(cluster, MOST.cluster))
    return 'cluster is empty or no text'
  return { id: id.trim(), input, target: right, choices, grader, cluster, mode: known, files }
}
