import { describe, expect, it } from 'vitest'
import { utf8 } from './bytes.ts'
import { decodeSnapshot, encodeSnapshot, peaksOf, readSnapshot, snapshotBody, tallyOf } from './snapshot.ts'

it('LED-16 a snapshot comes back with the trees over events and signatures as they stood', () => {
  const peaks = ['a', 'b'].map((digit) => digit.repeat(64))
  const snapshot = {
    ...{ v: 1 as const, protocol: 'errand/1', form: 'f', trace: 't', state: { a: [1] } },
    tip: { size: 3, hash: 'c'.repeat(64), at: '2026-01-01T00:00:00.000Z', registrySize: 1 } as never,
    registry: { size: 1, hash: 'd'.repeat(64) },
    ...{ events: peaks, signatures: peaks.toReversed() },
  }
  expect(readSnapshot(snapshotBody(snapshot))).toEqual(snapshot)
  const { events, signatures, keyEvents } = tallyOf(snapshot)
  expect([events.size, signatures.size, keyEvents.size]).toEqual([3, 3, 0])
  expect([peaksOf(events), peaksOf(signatures)]).toEqual([peaks, peaks.toReversed()])
})

describe('a snapshot in a store', () => {
  const signed = { key: 'a'.repeat(64), signature: new Uint8Array(64).fill(7), body: utf8('{"v":1}\n{}') }

  it('LED-16 is read as it was written, with any body', () => {
    expect(decodeSnapshot(encodeSnapshot(signed))).toEqual(signed)
    expect(decodeSnapshot(encodeSnapshot({ ...signed, body: new Uint8Array() }))?.body).toHaveLength(0)
  })

  it('LED-16 is refused without one line of key and signature before the body', () => {
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
