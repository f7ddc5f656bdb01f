// Shapes read the nodes of a YAML file as typed values and report faults with their position. A shape returns
// undefined for what it reported, so that reading continues and all faults of a file are found at once.

import type { Document, LineCounter, Node, Pair } from 'yaml'
import { nearest } from '../../ledger/text/nearest-word.ts'
import { redact } from '../../models/hide-secrets.ts'
import type { SettingFault } from './faults.ts'

// A description of what a shape accepts, kept beside the shapes, so that the reference of settings is made
// from the same values that check a file.

export interface Form {
  /** `a whole number from 1 on`, `true or false`, `one of: a, b`. */
  readonly says: string
  /** The shapes of what stands below, by name. */
  readonly fields?: Readonly<Record<string, object>>
  /** The shape of every entry, in a list or under names of your own. */
  readonly each?: object
  readonly needs?: readonly string[]
}

const FORMS = new WeakMap<object, Form>()

/** The same shape, with its form known. */
export function formed<Shape extends object>(shape: Shape, form: Form): Shape {
  FORMS.set(shape, form)
  return shape
}

export const formOf = (shape: object): Form => FORMS.get(shape) ?? { says: 'text' }

/** A file being read. */
export interface Reading {
  readonly yaml: typeof import('yaml')
  readonly document: Document
  readonly lines: LineCounter
  readonly faults: SettingFault[]
}

export type Shape<Value> = (node: unknown, key: string, reading: Reading) => Value | undefined
export type ValueOf<S> = S extends Shape<infer Value> ? Value : never

type Fields = Readonly<Record<string, Shape<unknown>>>
type Given<F extends Fields> = { readonly [Name in keyof F]?: ValueOf<F[Name]> }

const offsetOf = (node: unknown): number => (node as Node | null | undefined)?.range?.[0] ?? 0

export function report(
  reading: Reading,
  node: unknown,
  key: string,
  message: string,
  next: string,
): undefined {
  const { line, col } = reading.lines.linePos(offsetOf(node))
  reading.faults.push({ line: Math.max(line, 1), column: Math.max(col, 1), key, message, next })
  return undefined
}

/** An alias is read as its anchor. */
export const resolved = (node: unknown, { yaml, document }: Reading): unknown =>
  yaml.isAlias(node) ? node.resolve(document) : node

/** A name that looks like a key is probably a key in the wrong place. */
export const below = (key: string, name: string): string =>
  key === '' ? redact(name) : `${key}.${redact(name)}`

const scalarOf = (node: unknown, reading: Reading): unknown => {
  const resolvedNode = resolved(node, reading)
  return reading.yaml.isScalar(resolvedNode) ? resolvedNode.value : resolvedNode === null ? null : undefined
}

const oneOfThese = (word: string, allowed: readonly string[]): string => {
  const meant = nearest(word, allowed)
  return `${meant ? `Did you mean '${meant}'? ` : ''}It is one of: ${allowed.join(', ')}.`
}

export const choice = <const Values extends readonly string[]>(allowed: Values): Shape<Values[number]> =>
  formed(
    (node, key, reading) => {
      const value = scalarOf(node, reading)
      const known = allowed.find((candidate) => candidate === value)
      if (known !== undefined) return known
      if (typeof value !== 'string')
        return report(reading, node, key, `${key} must be a word`, oneOfThese('', allowed))
      return report(reading, node, key, `${key} cannot be '${redact(value)}'`, oneOfThese(value, allowed))
    },
    { says: allowed.map((word) => `\`${word}\``).join(', ') },
  )

interface NumberLimits {
  readonly least: number
  readonly most?: number
  readonly whole?: true
  /** The unit that it counts: `milliseconds`. */
  readonly of?: string
}

export const amount = ({ least, most, whole, of }: NumberLimits): Shape<number> => {
  const kind = `a ${whole ? 'whole ' : ''}number${of ? ` of ${of}` : ''}`
  const range = most === undefined ? `from ${least} on` : `from ${least} to ${most}`
  return formed(
    (node, key, reading) => {
      const value = scalarOf(node, reading)
      const sound = typeof value === 'number' && Number.isFinite(value) && (!whole || Number.isInteger(value))
      if (sound && value >= least && value <= (most ?? Number.MAX_SAFE_INTEGER)) return value
      const actual = typeof value === 'number' ? `, not ${value}` : ''
      return report(
        reading,
        node,
        key,
        `${key} must be ${kind} ${range}${actual}`,
        'Write it in digits, without quotes.',
      )
    },
    { says: `${kind} ${range}` },
  )
}

export const flag: Shape<boolean> = formed(
  (node, key, reading) => {
    const value = scalarOf(node, reading)
    return typeof value === 'boolean'
      ? value
      : report(reading, node, key, `${key} must be true or false`, 'Write true or false, without quotes.')
  },
  { says: '`true` or `false`' },
)

/** Text; `wanted` says what it should be; a wrong value is not repeated. */
export const text = (
  wanted = 'text',
  fits: (value: string) => boolean = () => true,
  next = 'Correct it.',
): Shape<string> =>
  formed(
    (node, key, reading) => {
      const value = scalarOf(node, reading)
      if (typeof value === 'string' && value !== '' && !value.includes('\0') && fits(value)) return value
      return report(reading, node, key, `${key} must be ${wanted}`, next)
    },
    { says: wanted },
  )

export const list = <Value>(
  of: Shape<Value>,
  limits: { readonly least: number; readonly unique?: true },
): Shape<readonly Value[]> =>
  formed(
    (node, key, reading) => {
      const sequence = resolved(node, reading)
      if (!reading.yaml.isSeq(sequence))
        return report(reading, node, key, `${key} must be a list`, `Write ${key}: [ … ].`)
      if (sequence.items.length < limits.least)
        return report(reading, node, key, `${key} is empty`, 'Name at least one, or leave it out.')
      const values = sequence.items.flatMap((item, i) => of(item, `${key}[${i}]`, reading) ?? [])
      const again = limits.unique ? values.findIndex((value, i) => values.indexOf(value) !== i) : -1
      if (again >= 0 && values.length === sequence.items.length)
        report(
          reading,
          sequence.items[again],
          `${key}[${again}]`,
          `${key} names this a second time`,
          'Remove one of the two.',
        )
      return values
    },
    { says: `a list: ${formOf(of).says}`, each: of },
  )

/** The pairs of a mapping with their names. */
function pairsOf(node: unknown, key: string, reading: Reading): readonly (readonly [string, Pair])[] | null {
  const resolvedNode = resolved(node, reading)
  if (!reading.yaml.isMap(resolvedNode)) {
    const what = key === '' ? 'the file' : key
    report(
      reading,
      node,
      key,
      `${what} must be a mapping of names to values`,
      `Write ${key || 'names'}: and the entries indented below.`,
    )
    return null
  }
  return resolvedNode.items.map(
    (pair) => [reading.yaml.isScalar(pair.key) ? String(pair.key.value) : '', pair] as const,
  )
}

/** Values of one shape, under names of the reader's choice. */
export const record = <Value>(
  of: Shape<Value>,
  names: { readonly fit: RegExp; readonly next: string },
): Shape<Readonly<Record<string, Value>>> =>
  formed(
    (node, key, reading) => {
      const entries = pairsOf(node, key, reading)?.flatMap(([name, pair]) => {
        if (!names.fit.test(name))
          report(reading, pair.key, below(key, name), `'${redact(name)}' cannot be a name here`, names.next)
        const value = of(pair.value, below(key, name), reading)
        return value === undefined ? [] : [[name, value] as const]
      })
      return entries && Object.fromEntries(entries)
    },
    { says: 'entries under names of your own', each: of },
  )

interface ObjectRules {
  readonly needs?: readonly string[]
  /** What to say about an unknown name, where there is something better to say. */
  readonly stranger?: (name: string) => { readonly message: string; readonly next: string } | null
}

export const object = <F extends Fields>(fields: F, rules: ObjectRules = {}): Shape<Given<F>> =>
  formed(
    (node, key, reading) => {
      const pairs = pairsOf(node, key, reading)
      if (pairs === null) return undefined
      const allowed = Object.keys(fields)
      const values = pairs.flatMap(([name, pair]) => {
        const shape = Object.hasOwn(fields, name) ? fields[name] : undefined
        if (shape === undefined) {
          const meant = nearest(name, allowed)
          const { message, next } = rules.stranger?.(name) ?? {
            message: `unknown key '${redact(name)}'`,
            next: `${meant ? `Did you mean '${meant}'? ` : ''}Allowed here: ${allowed.join(', ')}.`,
          }
          report(reading, pair.key, below(key, name), message, next)
          return []
        }
        if (pair.value === null || pair.value === undefined) {
          report(
            reading,
            pair.key,
            below(key, name),
            `${below(key, name)} has no value`,
            'Give it one, or remove it.',
          )
          return []
        }
        const value = shape(pair.value, below(key, name), reading)
        return value === undefined ? [] : [[name, value] as const]
      })
      for (const name of rules.needs ?? [])
        if (!pairs.some(([present]) => present === name))
          report(reading, node, key, `${key || 'the file'} needs ${name}`, `Add ${name}: to it.`)
      return Object.fromEntries(values) as Given<F>
    },
    { says: 'a section', fields, needs: rules.needs ?? [] },
  )

/** For sections whose protocols read them themselves. */
export const mapping: Shape<Readonly<Record<string, unknown>>> = formed(
  (node, key, reading) => {
    if (pairsOf(node, key, reading) === null) return undefined
    try {
      return (resolved(node, reading) as Node).toJS(reading.document) as Readonly<Record<string, unknown>>
    } catch (error) {
      // Aliases without an anchor, or that expand without end.
      const words = error instanceof Error ? error.message : String(error)
      return report(reading, node, key, `${key} cannot be read: ${words}`, 'Write it out without aliases.')
    }
  },
  { says: 'a section' },
)
