// Fits a written value into the requested schema. Form is repaired and every repair noted; content is taken
// or missing, never made up. A value that fits already is returned unchanged.

import type { Json } from '../ledger/canonical.ts'
import type { JsonSchema } from '../ledger/schema.ts'
import { fitLeaf, labelIn, mainTextOf } from './fit-leaf.ts'
import { branchesOf, type Fitting, isRequired, propertiesOf, propertyMeant } from './fitting.ts'
import { isBlank, isNull, type JsonNode, type Member, sourceOf } from './json-node.ts'
import { LenientJson } from './lenient-json.ts'
import { foreignName, memberOf } from './repairs.ts'
import type { Rule } from './wanted.ts'
import { foldName } from './words.ts'

/** The value as a whole. Where the schema says "one of these", blank members are no answer, and two are none. */
export function fitWhole(fitting: Fitting, node: JsonNode): Json | undefined {
  const branches = branchesOf(fitting.wanted.schema)
  const [only] = branches
  if (branches.length === 1 && only) return fitObject(fitting, only, node, '', false)
  if (node.kind !== 'object') return fitting.miss('answer')
  const nameOf = ({ name }: Member): string | undefined =>
    branches.map((branch) => propertyMeant(branch, name)).find((each) => each !== undefined)
  const filled = node.members.filter((member) => nameOf(member) !== undefined && !isBlank(member.value))
  const names = new Set(filled.map(nameOf))
  const [chosen] = names
  const branch = branches.find((each) => chosen !== undefined && Object.hasOwn(propertiesOf(each), chosen))
  if (names.size !== 1 || branch === undefined) return fitting.miss('answer')
  const isSibling = (member: Member): boolean => nameOf(member) !== undefined && !filled.includes(member)
  for (const { name } of node.members.filter(isSibling)) fitting.repairs.note('dropped', foreignName(name))
  const members = node.members.filter((member) => !isSibling(member))
  return fitObject(fitting, branch, { ...node, members }, '', false)
}

/** One place of an object: `nodes` are the values written there, more than one where a member occurs twice. */
function fitMember(
  fitting: Fitting,
  schema: JsonSchema,
  place: string,
  nodes: readonly JsonNode[],
  need: { readonly required: boolean; readonly exact: boolean },
): Json | undefined {
  const rule = fitting.ruleAt(place)
  const exact = need.exact || rule.as === 'exact'
  const fallback = defaultOf(fitting, schema, rule, place)
  const node = nodes.at(-1)
  if (nodes.length > 1) {
    fitting.repairs.note('duplicate', place)
    const isOne = new Set(nodes.map(sourceOf)).size === 1
    if (!isOne && (fallback === undefined || exact)) return fitting.miss(place)
  }
  const isAbsent = node === undefined || isNull(node)
  const value = isAbsent ? undefined : fitAny(fitting, schema, rule, node, place, exact)
  if (value !== undefined) return value
  if (!isAbsent && fitting.lacksWithin(place)) return undefined
  if (!need.required && (isAbsent || !exact)) {
    if (node !== undefined) fitting.repairs.note('dropped', place)
    return undefined
  }
  if (fallback === undefined) return fitting.miss(place)
  fitting.repairs.note('default-taken', place)
  return fallback
}

function fitAny(
  fitting: Fitting,
  schema: JsonSchema,
  rule: Rule,
  node: JsonNode,
  place: string,
  exact: boolean,
): Json | undefined {
  if (rule.as === 'input') return fitLeaf(fitting, schema, rule, node, place)
  if (schema.type === 'array') return fitList(fitting, schema, rule, node, place, exact)
  if (schema.type === 'object') return fitObject(fitting, schema, node, place, exact)
  return fitLeaf(fitting, schema, rule, node, place)
}

/** The default value; undefined where there is none. */
function defaultOf(fitting: Fitting, schema: JsonSchema, rule: Rule, place: string): Json | undefined {
  if (rule.default !== undefined) return rule.default
  if (rule.as === 'input' || schema.enum !== undefined) return undefined
  if (schema.type === 'array') return Number(schema.minItems ?? 0) > 0 ? undefined : []
  if (schema.type === 'string') return Number(schema.minLength ?? 0) > 0 || rule.as ? undefined : ''
  if (schema.type === 'integer') return 0
  if (schema.type !== 'object') return undefined
  const members = Object.entries(propertiesOf(schema)).map(([name, property]) => {
    const inner = memberOf(place, name)
    return [name, defaultOf(fitting, property, fitting.ruleAt(inner), inner)] as const
  })
  return members.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(members) as Json)
}

function fitObject(
  fitting: Fitting,
  schema: JsonSchema,
  node: JsonNode,
  place: string,
  exact: boolean,
): Json | undefined {
  const members = membersOf(fitting, schema, node, place, exact)
  if (members === null) return undefined
  const nodesByName = new Map<string, JsonNode[]>()
  const strangers: Member[] = []
  const properties = propertiesOf(schema)
  for (const member of members) {
    const name = propertyMeant(schema, member.name)
    if (name === undefined) strangers.push(member)
    else {
      if (name !== member.name) fitting.repairs.note('member-name', memberOf(place, name))
      const values = nodesByName.get(name)
      if (values) values.push(member.value)
      else nodesByName.set(name, [member.value])
    }
  }
  if (exact && strangers.length > 0) return fitting.miss(place)
  if (place === '' && strangers.some((stranger) => narrows(fitting, stranger)))
    fitting.miss(fitting.wanted.narrowedBy?.missing ?? 'answer')
  const moved = besideObjects(fitting, properties, place, nodesByName, strangers)
  for (const stranger of strangers.filter((each) => !moved.has(each)))
    fitting.repairs.note('unknown-member', memberOf(place, foreignName(stranger.name)))
  const fitted = Object.entries(properties).map(([name, property]) => {
    const need = { required: isRequired(schema, name), exact }
    return [
      name,
      fitMember(fitting, property, memberOf(place, name), nodesByName.get(name) ?? [], need),
    ] as const
  })
  return Object.fromEntries(fitted.filter(([, value]) => value !== undefined)) as Json
}

/** Whether dropping an unknown member would widen what is approved. */
function narrows(fitting: Fitting, { name, value }: Member): boolean {
  const names = fitting.wanted.narrowedBy?.names ?? []
  return !isBlank(value) && names.some((each) => foldName(name).includes(each))
}

/** Moves members that are beside an inner object into it; returns those that were moved. */
function besideObjects(
  fitting: Fitting,
  properties: { readonly [name: string]: JsonSchema },
  place: string,
  nodesByName: Map<string, JsonNode[]>,
  strangers: readonly Member[],
): ReadonlySet<Member> {
  const moved = new Set<Member>()
  for (const [name, property] of Object.entries(properties)) {
    if (!fitting.ruleAt(memberOf(place, name)).beside) continue
    const inside = nodesByName.get(name)?.at(-1)
    const present = inside?.kind === 'object' ? inside.members : []
    if (inside !== undefined && inside.kind !== 'object' && !isBlank(inside)) continue
    const taken = new Set(present.map((member) => foldName(member.name)))
    const own = strangers.filter(
      ({ name: stranger }) =>
        propertyMeant(property, stranger) !== undefined && !taken.has(foldName(stranger)),
    )
    const [first] = own
    if (first === undefined) continue
    for (const member of own) {
      moved.add(member)
      fitting.repairs.note('member-moved', memberOf(place, foreignName(member.name)))
    }
    nodesByName.set(name, [{ ...first.value, kind: 'object', members: [...present, ...own] }])
  }
  return moved
}

/** The members of an object; null if it is none. */
function membersOf(
  fitting: Fitting,
  schema: JsonSchema,
  node: JsonNode,
  place: string,
  exact: boolean,
): readonly Member[] | null {
  if (node.kind === 'object') return node.members
  if (exact) return null
  const opened = openText(fitting, node, place)
  if (opened?.kind === 'object') return opened.members
  if (node.kind === 'list') {
    const [only] = node.items
    if (node.items.length !== 1 || only?.kind !== 'object') return null
    fitting.repairs.note('unwrapped', place)
    return only.members
  }
  const name = fitting.ruleAt(place).text ?? mainTextOf(schema, undefined)
  if (node.kind !== 'text' || name === null) return null
  fitting.repairs.note('object-from-text', place)
  return [{ name, value: node }]
}

/** JSON that was written as a text, where no text is expected. */
function openText(fitting: Fitting, node: JsonNode, place: string): JsonNode | null {
  if (node.kind !== 'text' || fitting.wanted.acts || !/^\s*[{[]/.test(node.value)) return null
  const inner = node.value.trim()
  const { node: value } = new LenientJson(inner).valueAt(0)
  if (value.state !== 'whole' || value.end !== inner.length) return null
  fitting.repairs.note('json-in-text', place)
  return value
}

function fitList(
  fitting: Fitting,
  schema: JsonSchema,
  rule: Rule,
  node: JsonNode,
  place: string,
  exact: boolean,
): Json | undefined {
  const itemSchema = (schema.items ?? {}) as JsonSchema
  const nodes = itemsOf(fitting, itemSchema, rule, node, place)
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : Number.POSITIVE_INFINITY
  if (nodes.length > most && exact) return fitting.miss(place)
  if (nodes.length > most) fitting.repairs.note('shortened', place)
  const items: Json[] = []
  for (const [i, item] of nodes.slice(0, most).entries()) {
    const at = `${place}[${i}]`
    if (rule.shownOnly !== undefined && !isShown(fitting, rule.shownOnly, item)) {
      fitting.repairs.note('dropped', at)
      continue
    }
    const value = isNull(item) ? undefined : fitAny(fitting, itemSchema, rule, item, at, exact)
    if (value !== undefined) items.push(value)
    else if (exact || (rule.as === 'id' && !isBlank(item))) return fitting.miss(place)
    else if (!fitting.lacksWithin(at)) fitting.repairs.note('dropped', at)
  }
  const isShort =
    items.length < Number(schema.minItems ?? 0) || (rule.shownOnly !== undefined && items.length === 0)
  if (isShort) return fitting.lacksWithin(place) ? undefined : fitting.miss(place)
  return items
}

/** Whether an item names, in the member `by`, a label that was shown. */
function isShown(fitting: Fitting, by: string, item: JsonNode): boolean {
  if (item.kind !== 'object') return false
  const named = item.members.filter((member) => foldName(member.name) === foldName(by))
  const label = named.at(-1)?.value
  return label !== undefined && labelIn(fitting, label) !== null
}

/** The items of a list. */
function itemsOf(
  fitting: Fitting,
  itemSchema: JsonSchema,
  rule: Rule,
  node: JsonNode,
  place: string,
): readonly JsonNode[] {
  if (node.kind === 'list') return node.items
  const opened = openText(fitting, node, place)
  if (opened) return itemsOf(fitting, itemSchema, rule, opened, place)
  if (node.kind === 'text' && node.value.trim() === '') {
    fitting.repairs.note('default-taken', place)
    return []
  }
  const isItem = node.kind !== 'object' || node.members.some(({ name }) => propertyMeant(itemSchema, name))
  if (isItem) {
    fitting.repairs.note('bare-value', place)
    return [node]
  }
  fitting.repairs.note('map-for-list', place)
  return node.members.flatMap((member) => keyed(itemSchema, rule.key, member))
}

/** The items of an object that was written in place of a list: its key is a member of the item, or names a group. */
function keyed(
  itemSchema: JsonSchema,
  key: string | undefined,
  { name, value }: Member,
): readonly JsonNode[] {
  if (key === undefined) return value.kind === 'list' ? value.items : [value]
  const { of, start, end } = value
  const label: Member = { name: key, value: { kind: 'text', value: name, of, start, end, state: 'whole' } }
  const main = mainTextOf(itemSchema, key)
  const inner = value.kind === 'object' ? value.members : main === null ? [] : [{ name: main, value }]
  const isNamed = inner.some((member) => foldName(member.name) === foldName(key))
  return [{ kind: 'object', of, start, end, state: 'whole', members: isNamed ? inner : [label, ...inner] }]
}
