import { describe, expect, it } from 'vitest'
import { utf8 } from './bytes.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts'

describe('a snapshot as it lies in a store', () => {
  const signed = { key: 'a'.repeat(64), signature: new Uint8Array(64).fill(7), body: utf8('{"v":1}\n{}') }

  it('LED-16 is read as it was written, whatever the body holds', () => {
    expect(decodeSnapshot(encodeSnapshot(signed))).toEqual(signed)
    expect(decodeSnapshot(encodeSnapshot({ ...signed, body: new Uint8Array() }))?.body).toHaveLength(0)
  })

  it('LED-16 is none without one line of key and signature before the body', () => {
    const line = `${signed.key} ${Buffer.from(signed.signature).toString('base64')}`
    expect(decodeSnapshot(utf8(`${line}\n{}`))).not.toBe(null)
    for (const text of [
      '',
      line,
      `${line} more\n{}`,
      `${signed.key} no base64\n{}`,
      `${signed.key} !!!!\n{}`,
    ])
      expect(decodeSnapshot(utf8(text)), text).toBe(null)
    const broken = Uint8Array.of(0xff, 0xfe, ...utf8(` ${line}\n{}`))
    expect(decodeSnapshot(broken)?.key ?? '').not.toBe(signed.key)
  })
})
