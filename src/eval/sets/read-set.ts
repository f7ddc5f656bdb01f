// Sets in common formats: JSON Lines with the fields that Inspect uses, CSV, and the files of GSM8K and
// BIG-Bench Hard as published. Content of a file is data; what cannot be read is refused with its line, and
// nothing is guessed.

import { readCsv } from './csv.ts'
import { type GivenItem, type Item, readItem } from './item.ts'

type SetFormat = 'jsonl' | 'csv' | 'gsm8k' | 'bbh'

export interface ItemSet {
  readonly format: SetFormat
  readonly items: readonly Item[]
}

/** What is wrong, and where. */
export interface SetFault {
  readonly fault: string
}

export interface Reading {
  /** Used where an item names none. */
  readonly grader?: string | null
}

/** A row of a file with its first line number. */
interface Placed {
  readonly place: string
  readonly given: GivenItem
}

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** GSM8K keeps the reasoning in the answer, and the number after four hashes. */
function fromGsm8k({ question, answer }: { readonly [name: string]: unknown }): GivenItem {
  const target = typeof answer === 'string' ? (/####\s*(.+?)\s*$/.exec(answer)?.[1] ?? answer) : answer
  return { input: question, target, grader: 'numeric' }
}

const isGsm8k = (row: { readonly [name: string]: unknown }): boolean =>
  typeof row.question === 'string' && typeof row.answer === 'string' && row.answer.includes('####')

/** BIG-Bench Hard writes options into the text, with the letter of the right one as target. */
function fromBbh(row: { readonly [name: string]: unknown }): GivenItem {
  const { input, target } = row
  const options =
    typeof input === 'string' ? [...input.matchAll(/^\(([A-Z])\) /gm)].map(([, letter]) => letter) : []
  const isOption = typeof target === 'string' && /^\([A-Z]\)$/.test(target) && options.length > 1
  // The letters are in the text already; only they are graded.
  return { input, target: isOption ? String(target).slice(1, 2) : target, grader: 'exact' }
}

function jsonLines(
  text: string,
): { readonly format: SetFormat; readonly rows: readonly Placed[] } | SetFault {
  const rows: Placed[] = []
  let format: SetFormat = 'jsonl'
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = parsed(line)
    if (!isRecord(value)) return { fault: `line ${i + 1} is no JSON object` }
    if (isGsm8k(value)) format = 'gsm8k'
    rows.push({ place: `line ${i + 1}`, given: isGsm8k(value) ? fromGsm8k(value) : value })
  }
  return { format, rows }
}

function csvRows(text: string): { readonly format: SetFormat; readonly rows: readonly Placed[] } | SetFault {
  const table = readCsv(text)
  if (typeof table === 'string') return { fault: table }
  const [head, ...body] = table
  if (!head) return { fault: 'the file is empty' }
  const names = head.cells.map((name) => name.trim().toLowerCase())
  for (const needed of ['input', 'target'])
    if (!names.includes(needed)) return { fault: `the first line names no column ${needed}` }
  return {
    format: 'csv',
    rows: body.map(({ line, cells }) => {
      const row = Object.fromEntries(
        names.flatMap((name, i) => ((cells[i] ?? '') === '' ? [] : [[name, cells[i]]])),
      )
      // Several choices in one cell, as lists usually are in tables.
      const choices =
        typeof row.choices === 'string' ? row.choices.split('|').map((one) => one.trim()) : undefined
      const { files: _, ...plain } = row
      return { place: `line ${line}`, given: { ...plain, ...(choices && { choices }) } }
    }),
  }
}

function rowsIn(text: string): { readonly format: SetFormat; readonly rows: readonly Placed[] } | SetFault {
  const start = text.trimStart()[0]
  const whole = start === '{' || start === '[' ? parsed(text) : undefined
  if (isRecord(whole) && Array.isArray(whole.examples)) {
    const rows = whole.examples.map((row: unknown, i) => ({
      place: `example ${i + 1}`,
      given: isRecord(row) ? fromBbh(row) : {},
    }))
    return { format: 'bbh', rows }
  }
  if (Array.isArray(whole)) {
    const rows = whole.map((row: unknown, i) => ({ place: `item ${i + 1}`, given: isRecord(row) ? row : {} }))
    return { format: 'jsonl', rows }
  }
  return start === '{' ? jsonLines(text) : csvRows(text)
}

/** The items of a file, or what is wrong with it and where. */
export function readSet(source: string, reading: Reading = {}): ItemSet | SetFault {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  if (text.trim() === '') return { fault: 'the file is empty' }
  const table = rowsIn(text)
  if ('fault' in table) return table
  const items: Item[] = []
  const known = new Map<string, string>()
  for (const [i, { place, given: row }] of table.rows.entries()) {
    const item = readItem(row, i + 1, reading)
    if (typeof item === 'string') return { fault: `${place}: ${item}` }
    const other = known.get(item.id)
    if (other !== undefined) return { fault: `${place} has the id of ${other}` }
    known.set(item.id, place)
    items.push(item)
  }
  return items.length === 0 ? { fault: 'there is no item in it' } : { format: table.format, items }
}
