// A JSON value as it is in an imprecise text: with its position, duplicate members, and faults. A node says
// what was written; `fit.ts` decides what it means.

/**
 * `unclosed`: the text ends right after a whole value and only closing brackets are missing. `cut`: it ends in the
 * middle of a value. `broken`: it contains something unreadable.
 */
export type NodeState = 'whole' | 'unclosed' | 'cut' | 'broken'

interface Placed {
  /** The text that the positions refer to. */
  readonly of: string
  readonly start: number
  readonly end: number
  readonly state: NodeState
}

export interface Member {
  readonly name: string
  readonly value: JsonNode
}

export type ObjectNode = Placed & { readonly kind: 'object'; readonly members: readonly Member[] }
export type ListNode = Placed & { readonly kind: 'list'; readonly items: readonly JsonNode[] }
type TextNode = Placed & { readonly kind: 'text'; readonly value: string }
type NumberNode = Placed & { readonly kind: 'number'; readonly value: number }
type LiteralNode = Placed & { readonly kind: 'literal'; readonly value: boolean | null }
export type JsonNode = ObjectNode | ListNode | TextNode | NumberNode | LiteralNode

export const sourceOf = ({ of, start, end }: JsonNode): string => of.slice(start, end)

export const isNull = (node: JsonNode): boolean => node.kind === 'literal' && node.value === null

/** Null, an empty text, and what contains nothing else: a blank value. */
export function isBlank(node: JsonNode): boolean {
  switch (node.kind) {
    case 'object':
      return node.members.every(({ value }) => isBlank(value))
    case 'list':
      return node.items.every(isBlank)
    case 'text':
      return node.value.trim() === ''
    case 'literal':
      return node.value === null
    case 'number':
      return false
  }
}
