// A table is a value: the one who holds an older one sees what it held, no matter how many follow from it.

import { describe, expect, it } from 'vitest'
import { sha256 } from '../../stores/digest.ts'
import { toHex, utf8 } from '../bytes.ts'
import { KeyTable } from './key-table.ts'

const key = (registered: number, rotated: number | null = null) => ({
  id: toHex(sha256(utf8(`key ${registered}`))),
  registered,
  rotated,
})

describe('the keys of a registry', () => {
  it('LED-10 are found by id and listed in the order of their registration, each state by itself', () => {
    const many = Array.from({ length: 1000 }, (_, i) => key(i))
    const empty = KeyTable.empty<ReturnType<typeof key>>()
    const table = many.reduce((known, one) => known.with(one), empty)
    expect(table.values()).toEqual(many)
    const later = table.with(key(7, 1001))
    expect(later.get(key(7).id)).toEqual(key(7, 1001))
    expect(later.values().map(({ id }) => id)).toEqual(many.map(({ id }) => id))
    expect(table.get(key(7).id)).toEqual(key(7))
    expect([empty.has(key(7).id), table.has(key(7).id), table.has('')]).toEqual([false, true, false])
  })
})
