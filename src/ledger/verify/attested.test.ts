// What the witnesses that a reader pinned say below checkpoints, and what must not be taken for their word.

import { sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { namedKey } from '../../../test/support/ports.ts'
import {
  AT,
  actor,
  atHome,
  errandDrafts,
  judge,
  openScene,
  type PageContext,
  smuggle,
} from '../../../test/support/tamper.ts'
import { faults } from '../../../test/support/verification.ts'
import { extract } from '../../clerk/extract.ts'
import { sha256 } from '../../stores/digest.ts'
import { concat, toBase64, toHex, utf8 } from '../bytes.ts'
import { cosignatureMessage } from '../signing.ts'
import { readWitnessKey, withLines } from '../tree/attestations.ts'
import { parseNote } from '../tree/checkpoint.ts'

const TIME = 1_700_000_000

function witness(name: string) {
  const { publicKey, privateKey } = namedKey(name)
  const raw = Uint8Array.from(publicKey)
  const hash = sha256(utf8(`${name}\n`), Uint8Array.of(4), raw).slice(0, 4)
  const key = readWitnessKey(sha256, `${name}+${toHex(hash)}+${toBase64(concat(Uint8Array.of(4), raw))}`)
  if (!key) throw new Error('no key of a witness')
  const line = (note: string, time = TIME, signed = time) => {
    const stamp = new Uint8Array(8)
    new DataView(stamp.buffer).setBigUint64(0, BigInt(time))
    const message = cosignatureMessage(parseNote(note).text, signed)
    return { name, keyHash: key.keyHash, signature: concat(stamp, sign(null, message, privateKey)) }
  }
  return { key, line }
}
const [east, west] = [witness('east'), witness('west')]

/** The bundle with lines of witnesses below the checkpoint of its trace. */
async function cosigned(
  { kit, trace }: PageContext,
  lines: (note: string) => readonly ReturnType<typeof east.line>[],
) {
  const bundle = await extract(kit, trace)
  const note = bundle.main.checkpoint ?? ''
  return { ...bundle, main: { ...bundle.main, checkpoint: withLines(note, lines(note)) } }
}

describe('VER-12 a checkpoint', () => {
  it('is seen by the witnesses that a reader pinned, each since the earliest time it signed', async () => {
    const scene = await openScene(AT.intent)
    const bundle = await cosigned(scene, (note) => [
      ...[
        west.line(note, TIME + 60),
        east.line(note, TIME + 30),
        east.line(note),
        east.line(note, TIME + 90),
      ],
    ])
    const trusting = (...witnesses: readonly (typeof east)[]) =>
      judge(bundle, { ...scene.trust, witnesses: witnesses.map(({ key }) => key) })
    const seen = (name: string, time: string) => ({ kind: 'witness', by: name, time, size: AT.intent })
    expect(trusting(west, east)).toMatchObject({
      status: 'pass',
      attested: [seen('east', '2023-11-14T22:13:20.000Z'), seen('west', '2023-11-14T22:14:20.000Z')],
    })
    expect(trusting(west).attested).toEqual([seen('west', '2023-11-14T22:14:20.000Z')])
    expect(trusting()).not.toHaveProperty('attested')
  })

  it('is refused if a line imitates theirs: another time, another text, no signature', async () => {
    const scene = await openScene(AT.intent)
    const trust = { ...scene.trust, witnesses: [east.key] }
    for (const forged of [
      (note: string) => east.line(note, TIME, TIME + 1),
      (note: string) => ({ ...east.line(note), signature: west.line(note).signature }),
      (note: string) => ({ ...east.line(note), signature: new Uint8Array(9) }),
      (note: string) => east.line(note, 2 ** 50),
    ]) {
      const bundle = await cosigned(scene, (note) => [forged(note)])
      const report = judge(bundle, trust)
      expect([report.status, faults(report)]).toEqual(['fail', ['CHECKPOINT_INCONSISTENT']])
      expect(report.attested).toEqual([])
      // To all who did not pin the witness it is a line of a stranger.
      expect(judge(bundle, scene.trust).status).toBe('pass')
    }
  })

  it('attests the events that it counts, also if only the registry holds it', async () => {
    const scene = await openScene(AT.intent)
    const note = await scene.registrar.sign(scene.trace)
    const payload = { trace: scene.trace, size: AT.intent, note: withLines(note, [east.line(note)]) }
    const registrar = actor('registrar', 'registrar')
    await smuggle(scene, scene.registrar.trace, { type: 'checkpoint_recorded', actor: registrar, payload })
    await smuggle(scene, scene.trace, errandDrafts()[AT.intent] ?? {})
    const report = judge(await atHome(scene), { ...scene.trust, witnesses: [east.key] })
    expect(report.failures).toEqual([])
    expect(report.attested).toMatchObject([{ by: 'east', size: AT.intent }])
  })
})
