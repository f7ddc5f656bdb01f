// Values without parts: texts, words, confidence, lines, references and the inputs of tools. Undefined means
// that no such value can be read; `fit.ts` decides what follows from that.

import { type Json, parseJson } from '../ledger/canonical.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import { confidenceOf } from './confidence.ts'
import { type Fitting, propertiesOf } from './fitting.ts'
import { isBlank, type JsonNode, sourceOf } from './json-node.ts'
import { artifactMeant, labelMeant } from './references.ts'
import type { Rule } from './wanted.ts'
import { foldName, wordMeant } from './words.ts'

/** The members that a bare text may replace, and that replace their object where a text is expected. */
const MAIN_TEXTS = ['description', 'point', 'action', 'topic', 'text', 'reason', 'name']

const LINE = /^\s*(?:lines?|ln?)?[\s.:#]*(\d{1,9})(?!\d)/i

export function fitLeaf(
  fitting: Fitting,
  schema: JsonSchema,
  rule: Rule,
  node: JsonNode,
  place: string,
): Json | undefined {
  if (rule.as === 'input') return readInput(node)
  if (rule.as === 'confidence') return readConfidence(fitting, node, place)
  if (schema.type === 'integer') return readLine(fitting, node, place)
  if (Array.isArray(schema.enum)) return readWord(fitting, schema, rule, node, place)
  if (rule.as === 'label') return readLabel(fitting, node, place)
  if (rule.as === 'artifact') return readArtifact(fitting, node, place)
  return readText(fitting, schema, rule, node, place)
}

/** Only strict JSON is accepted: a misread argument would be an action. */
function readInput(node: JsonNode): Json | undefined {
  if (node.kind !== 'object' || node.state !== 'whole') return undefined
  try {
    return parseJson(sourceOf(node))
  } catch {
    return undefined
  }
}

function readConfidence(fitting: Fitting, node: JsonNode, place: string): Json | undefined {
  const level = confidenceOf(node)
  if (level === null) return undefined
  if (!(node.kind === 'text' && node.value === level)) fitting.repairs.note('confidence', place)
  return level
}

function readLine(fitting: Fitting, node: JsonNode, place: string): Json | undefined {
  if (node.kind === 'number') return Number.isSafeInteger(node.value) ? node.value : undefined
  const first = node.kind === 'list' ? node.items[0] : node
  if (first?.kind === 'number' && Number.isSafeInteger(first.value)) {
    fitting.repairs.note('number', place)
    return first.value
  }
  const digits = first?.kind === 'text' ? LINE.exec(first.value)?.[1] : undefined
  if (digits === undefined) return undefined
  fitting.repairs.note('number', place)
  return Number(digits)
}

function readWord(
  fitting: Fitting,
  schema: JsonSchema,
  rule: Rule,
  node: JsonNode,
  place: string,
): Json | undefined {
  const allowed = Array.isArray(schema.enum) ? schema.enum.map(String) : []
  const single =
    node.kind === 'list' && node.items.length === 1 && !fitting.wanted.acts ? node.items[0] : node
  if (single?.kind !== 'text') return undefined
  if (node === single && allowed.includes(single.value)) return single.value
  const words = Object.fromEntries(allowed.map((word) => [word, rule.words?.[word] ?? []]))
  const meant = wordMeant(words, single.value)
  if (meant === null) return undefined
  fitting.repairs.note('word', place)
  return meant
}

/** The label that is meant, or null if it was not shown. */
export function labelIn({ context: { labels } }: Fitting, node: JsonNode): string | null {
  if (node.kind !== 'text' && node.kind !== 'number') return null
  const text = node.kind === 'text' ? node.value : sourceOf(node)
  return labels ? labelMeant(text, labels) : text.toWellFormed()
}

function readLabel(fitting: Fitting, node: JsonNode, place: string): Json | undefined {
  const label = labelIn(fitting, node)
  if (label === null) return undefined
  if (node.kind !== 'text' || label !== node.value) fitting.repairs.note('label', place)
  return label
}

function readArtifact(fitting: Fitting, node: JsonNode, place: string): Json | undefined {
  if (node.kind !== 'text') return undefined
  const id = artifactMeant(node.value, fitting.context.artifacts ?? [])
  if (id === null) return undefined
  if (id !== node.value) fitting.repairs.note('artifact-id', place)
  return id
}

function readText(
  fitting: Fitting,
  schema: JsonSchema,
  rule: Rule,
  node: JsonNode,
  place: string,
): Json | undefined {
  const text = rule.as === 'id' ? (node.kind === 'text' ? node.value : null) : textOf(fitting, node, place)
  if (text === null) return undefined
  if (typeof schema.minLength === 'number' && text.trim().length < schema.minLength) return undefined
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Number.POSITIVE_INFINITY
  if (text.length > most && rule.as === 'id') return undefined
  if (text.length > most) fitting.repairs.note('shortened', place)
  if (!text.isWellFormed()) fitting.repairs.note('surrogate', place)
  return shortened(text.toWellFormed(), most)
}

/** At most this long, and never half of a surrogate pair. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(most - 1))
  return text.slice(0, isHalf ? most - 1 : most)
}

function textOf(fitting: Fitting, node: JsonNode, place: string): string | null {
  if (node.kind === 'text') return node.value
  if (isBlank(node)) return null
  if (node.kind === 'list') {
    const texts = node.items.map((item) => textOf(fitting, item, place))
    if (texts.includes(null)) return null
    fitting.repairs.note('list-for-text', place)
    return texts.join('\n')
  }
  fitting.repairs.note('text-from-value', place)
  if (node.kind !== 'object') return sourceOf(node)
  const texts = node.members.filter(({ value }) => value.kind === 'text')
  const main =
    MAIN_TEXTS.map((name) => texts.find((member) => foldName(member.name) === name)).find(Boolean) ??
    (texts.length === 1 ? texts[0] : undefined)
  return main?.value.kind === 'text' ? main.value.value : null
}

/** The member of an object that a bare text replaces. */
export function mainTextOf(schema: JsonSchema, key: string | undefined): string | null {
  const properties = propertiesOf(schema)
  const isText = (name: string): boolean => {
    const property = properties[name]
    return property?.type === 'string' && property.enum === undefined
  }
  const named = MAIN_TEXTS.find((name) => Object.hasOwn(properties, name) && isText(name))
  if (named !== undefined || key === undefined) return named ?? null
  return Object.keys(properties).find((name) => name !== key && isText(name)) ?? null
}
