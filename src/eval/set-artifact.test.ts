import { describe, expect, it } from 'vitest'
import { item, numbered } from '../../test/support/scripted-eval-parts.ts'
import { utf8 } from '../ledger/bytes.ts'
import { readItems, writeItems } from './set-artifact.ts'

describe('the set as an evaluation keeps it', () => {
  it('COU-X-4 is read back as it was written', () => {
    const items = [...numbered(2), item({ input: 'Why?', target: 'x', cluster: 'c', mode: 'architecture' })]
    const bytes = writeItems(items)
    expect(readItems(bytes)).toEqual(items)
    expect(readItems(bytes)).toBe(readItems(bytes))
  })

  it('COU-X-4 is not read from bytes that are not a set', () => {
    expect(readItems(new Uint8Array([0xff, 0xfe]))).toBeNull()
    expect(readItems(utf8('[{]'))).toBeNull()
    expect(readItems(utf8('[{"id":"a"}]'))).toBeNull()
    const [first] = numbered(1)
    expect(readItems(utf8(JSON.stringify([{ ...first, surplus: 1 }])))).toBeNull()
    expect(readItems(utf8(JSON.stringify([{ ...first, mode: 'poem' }])))).toBeNull()
    expect(readItems(utf8(JSON.stringify([first])))).toEqual([first])
  })
})
