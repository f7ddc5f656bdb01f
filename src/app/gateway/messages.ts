// JSON-RPC as it passes through the gateway. Messages are read once and written from what was read: what is judged is what is
// sent on, no matter what a line may have said twice. Members that are not known here pass as they are.

import type { Json } from '../../ledger/canonical.ts'

export type Fields = { readonly [name: string]: Json }
export type Id = string | number

export interface Request {
  readonly jsonrpc: '2.0'
  readonly id: Id
  readonly method: string
  readonly params?: Fields
}

export interface Notification {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: Fields
}

export interface Response {
  readonly jsonrpc: '2.0'
  readonly id: Id | null
  readonly result?: Fields
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json }
}

export type Message = Request | Notification | Response

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isRequest = (message: Message): message is Request => 'method' in message && 'id' in message
export const isNotification = (message: Message): message is Notification =>
  'method' in message && !('id' in message)

const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number'

/** Null for what is no message: several at once, too, which no revision knows that is spoken today. */
export function readMessage(value: unknown): Message | null {
  if (!isFields(value) || value.jsonrpc !== '2.0') return null
  const { id, method, params, result, error } = value
  if (params !== undefined && !isFields(params)) return null
  if (method !== undefined)
    return typeof method === 'string' && (id === undefined || isId(id)) ? (value as never as Message) : null
  const isAnswer = isFields(result) !== isFields(error) && (isId(id) || id === null)
  return isAnswer ? (value as never as Response) : null
}

export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL = -32603

export const failed = (id: Id | null, code: number, message: string): Response => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

export const answered = (id: Id, result: Fields): Response => ({ jsonrpc: '2.0', id, result })

/** A call that was not made, told so that a model can read it. */
export const refusedCall = (id: Id, reason: string): Response =>
  answered(id, { content: [{ type: 'text', text: reason }], isError: true, resultType: 'complete' })

export const textIn = (fields: Fields | undefined, name: string): string | null => {
  const value = fields?.[name]
  return typeof value === 'string' ? value : null
}
