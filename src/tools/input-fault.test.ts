import { describe, expect, it } from 'vitest'
import { inputFault, takenBy } from './input-fault.ts'
import type { ToolDefinition } from './toolset.ts'

const tool = (source: string, inputSchema: ToolDefinition['inputSchema']): ToolDefinition => ({
  ...{ name: `${source}.x`, description: '', effects: ['read'], source },
  inputSchema,
})

const PATH = {
  type: 'object',
  properties: { path: { type: 'string' }, lines: { type: 'integer' } },
  required: ['path'],
  additionalProperties: false,
} as const

describe('AGT-TOOL-1 the input of a call', () => {
  it('is held against the whole schema of a built-in tool', () => {
    expect(inputFault(tool('files', PATH), { path: 'a' })).toBeNull()
    expect(inputFault(tool('files', PATH), {})).toBe('the value lacks path')
    expect(inputFault(tool('files', PATH), { path: 1 })).toBe('path is integer, not string')
    expect(inputFault(tool('files', PATH), { path: 'a', more: 1 })).toBe('the value has an unknown member')
  })

  it('is held against what the tool of a server requires, since its schema may use other words', () => {
    const server = tool('mcp.docs', { ...PATH, pattern: '^a' })
    expect(inputFault(server, { path: 1 })).toBeNull()
    expect(inputFault(server, {})).toBe('the value lacks path')
    expect(inputFault(server, ['a'])).toBe('the input is no object')
  })

  it('is described by what the tool takes', () => {
    expect(takenBy(tool('files', PATH))).toBe('path, lines (may be left out)')
    const edit = { type: 'object', properties: { find: {}, replace: {} }, required: ['find', 'replace'] }
    const properties = {
      edits: { type: 'array', items: edit },
      command: { type: 'array', items: { type: 'string' } },
    }
    expect(takenBy(tool('files', { type: 'object', properties, required: ['edits', 'command'] }))).toBe(
      'edits [{find, replace}], command [list]',
    )
    expect(takenBy(tool('mcp.docs', { type: 'object' }))).toBe('no input')
  })
})
