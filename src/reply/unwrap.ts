// Which values inside a value are meant as the answer. An object with a member of the shape is one. Any other
// is searched: models wrap their answer in a name, a list, a tool call or a JSON string, or omit its outer
// object.

import { branchesOf, propertiesOf } from './fitting.ts'
import type { JsonNode, ListNode, Member, ObjectNode } from './json-node.ts'
import { foreignName, type RepairKind } from './repairs.ts'
import { scanReply } from './scan.ts'
import type { Bare, WantedValue } from './wanted.ts'
import { foldName } from './words.ts'

export interface Candidate {
  /** In the shape asked for. */
  readonly node: JsonNode
  /** As it was written, possibly without its outer object. */
  readonly written: JsonNode
  readonly repairs: readonly { readonly kind: RepairKind; readonly at: string }[]
  readonly flaws: ReadonlySet<RepairKind>
  /** A tool of the session was called by its own name: there is no reason stated. */
  readonly isToolOnOffer: boolean
}

const MOST_LEVELS = 4
const WRAPPERS = (
  'response answer result output reply data json content message final finalanswer structuredoutput arguments ' +
  'parameters properties'
).split(' ')
/** Names that mark their content as not being the answer. */
const NO_ANSWER =
  /example|sample|draft|schema|template|format|previous|before|old|instead|alternative|rejected|not/
const CALL_ARGUMENTS = ['arguments', 'parameters', 'args', 'input']

/** Where one answer is searched, and what it may be. */
export class Unwrapping {
  private readonly wanted: WantedValue
  private readonly tools: readonly string[]
  private readonly known: ReadonlySet<string>
  private readonly wrappers: ReadonlySet<string>

  constructor(wanted: WantedValue, tools: readonly string[]) {
    this.wanted = wanted
    this.tools = tools
    const branches = branchesOf(wanted.schema)
    this.known = new Set(branches.flatMap((branch) => Object.keys(propertiesOf(branch)).map(foldName)))
    this.wrappers = new Set([...WRAPPERS, ...wanted.wrappers.map(foldName)])
  }

  readonly counts = (node: JsonNode): boolean => this.candidatesIn(node, new Set()).length > 0

  candidatesIn(node: JsonNode, flaws: ReadonlySet<RepairKind>): readonly Candidate[] {
    return this.within(node, MOST_LEVELS).map((candidate) => ({
      ...candidate,
      flaws: new Set([...flaws, ...candidate.flaws]),
    }))
  }

  /** The arguments of a call that came beside the text. */
  ofCall(name: string, node: JsonNode, flaws: ReadonlySet<RepairKind>): readonly Candidate[] {
    const candidates = this.tools.includes(name) ? [] : this.candidatesIn(node, flaws)
    const calls = candidates.length > 0 ? candidates : this.callByName(node)
    return calls.map((each) => via(each, 'tool-call', ''))
  }

  private within(node: JsonNode, levels: number): readonly Candidate[] {
    if (levels === 0) return []
    if (node.kind === 'object') return this.inObject(node, levels)
    if (node.kind === 'list') return this.inList(node, levels)
    if (node.kind === 'text' && levels < MOST_LEVELS) return this.inText(node.value, levels)
    return []
  }

  private inObject(node: ObjectNode, levels: number): readonly Candidate[] {
    const call = this.asCall(node)
    if (call && this.tools.includes(call.name)) return this.callByName(node)
    if (node.members.some(({ name }) => this.known.has(foldName(name)))) return [candidate(node)]
    const bare = this.wanted.bare.find(({ by }) => hasAll(node, by))
    if (bare) return [withoutWrapper(node, bare, [node])]
    if (call) {
      const inside = this.within(call.input, levels - 1)
      return inside.length > 0 ? inside.map((each) => via(each, 'tool-call', '')) : this.callByName(node)
    }
    return node.members.flatMap((member) =>
      this.mayWrap(member.name)
        ? this.within(member.value, levels - 1).map((each) =>
            via(each, 'unwrapped', foreignName(member.name)),
          )
        : [],
    )
  }

  private inList(node: ListNode, levels: number): readonly Candidate[] {
    const bare = this.wanted.bare.find(
      ({ list, by }) => list && node.items.every((item) => item.kind === 'object' && hasAll(item, by)),
    )
    if (bare && node.items.length > 0) return [withoutWrapper(node, bare, node.items)]
    return node.items.flatMap((item) =>
      item.kind === 'text' ? [] : this.within(item, levels - 1).map((each) => via(each, 'unwrapped', '')),
    )
  }

  private inText(text: string, levels: number): readonly Candidate[] {
    if (!/^\s*(?:[{["]|```)/.test(text)) return []
    const { values } = scanReply(text, (node) => this.within(node, levels - 1).length > 0)
    return values
      .filter(({ node }) => node.state === 'whole')
      .flatMap(({ node, flaws }) =>
        this.within(node, levels - 1).map((each) =>
          via({ ...each, flaws: new Set([...flaws, ...each.flaws]) }, 'json-in-text', ''),
        ),
      )
  }

  /** `{"name": …, "arguments": …}`, the text of a tool call. */
  private asCall({ members }: ObjectNode): { readonly name: string; readonly input: JsonNode } | null {
    const name = members.find((member) => foldName(member.name) === 'name')?.value
    const input = members.find((member) => CALL_ARGUMENTS.includes(foldName(member.name)))?.value
    return name?.kind === 'text' && input ? { name: name.value, input } : null
  }

  private callByName(node: JsonNode): readonly Candidate[] {
    const doesSomething = this.wanted.bare.some(({ by }) => by.includes('tool'))
    return doesSomething ? [{ ...candidate(node), isToolOnOffer: true }] : []
  }

  private mayWrap(name: string): boolean {
    const folded = foldName(name)
    return this.wrappers.has(folded) || (!this.wanted.acts && !NO_ANSWER.test(folded))
  }
}

const hasAll = (node: ObjectNode, names: readonly string[]): boolean =>
  names.every((name) => node.members.some((member) => foldName(member.name) === foldName(name)))

const candidate = (node: JsonNode): Candidate => ({
  node,
  written: node,
  repairs: [],
  flaws: new Set(),
  isToolOnOffer: false,
})

const via = (candidate: Candidate, kind: RepairKind, at: string): Candidate => ({
  ...candidate,
  repairs: [{ kind, at }, ...candidate.repairs],
})

/** Adds the outer object of an answer. */
function withoutWrapper(written: JsonNode, { member, list }: Bare, items: readonly JsonNode[]): Candidate {
  const { of, start, end, state } = written
  const placed = { of, start, end, state }
  const value: JsonNode = list ? { kind: 'list', items, ...placed } : written
  const members: readonly Member[] = [{ name: member, value }]
  const node: JsonNode = { kind: 'object', members, ...placed }
  return { ...candidate(node), written, repairs: [{ kind: 'wrapper-left-out', at: member }] }
}
