// libsodium in front of node:crypto decides nothing otherwise than node:crypto behind our prefilter does alone, in this thread
// and in others, and signs the same bytes.

import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cctvVectors, vectorsPresent, vectorsTitle, wycheproofVectors } from '../../test/support/vectors.ts'
import { admissible } from '../ledger/signing.ts'
import { equationHolds, libsodium, sodiumPath, sodiumSigner } from './libsodium.ts'
import { signWith } from './sign-with.ts'
import { SignatureBench } from './signature-checks.ts'

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))
const vectors = vectorsPresent ? [...cctvVectors(), ...wycheproofVectors()] : []
const questions = vectors.map((vector) => ({
  name: vector.name,
  accepted: vector.accepted,
  publicKey: hex(vector.publicKey),
  message: hex(vector.message),
  signature: hex(vector.signature),
}))

describe.skipIf(!vectorsPresent)(vectorsTitle('libsodium'), () => {
  it('VER-8 is installed here, and decides all 914 CCTV and 151 Wycheproof vectors as the rule says', () => {
    const sodium = libsodium()
    expect(sodium).not.toBeNull()
    expect(questions).toHaveLength(914 + 151)
    const wrong = questions.filter(
      ({ publicKey, message, signature, accepted }) =>
        (admissible(publicKey, signature) && equationHolds(publicKey, message, signature, sodium)) !==
        accepted,
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('VER-8 alone would refuse what the rule accepts, and accepts nothing that it refuses', () => {
    const sodium = libsodium()
    const sound = questions.filter(({ publicKey, signature }) => admissible(publicKey, signature))
    const alone = sound.map((one) =>
      sodium?.crypto_sign_verify_detached(one.signature, one.message, one.publicKey),
    )
    expect(sound.filter(({ accepted }, i) => alone[i] && !accepted)).toEqual([])
    expect(sound.filter(({ accepted }, i) => !alone[i] && accepted).length).toBeGreaterThan(40)
  })

  it('VER-8 decides the same in other threads', async () => {
    const bench = new SignatureBench()
    const asked = Array.from({ length: 8 }, () => questions).flat()
    for (const question of asked) bench.put(question)
    expect(bench.isElsewhere).toBe(true)
    const answers = await bench.answers()
    expect(asked.filter(({ accepted }, i) => answers[i] !== accepted)).toEqual([])
  })

  it('LED-3 signs as node:crypto does, from the first signature to the thousandth', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const messages = Array.from({ length: 500 }, (_, i) => randomBytes(i))
    const wanted = messages.map((message) => sign(null, message, privateKey).toString('hex'))
    const made = signWith(privateKey)
    const singly = messages.map((message) => Buffer.from(made(message)).toString('hex'))
    const together = (await made.all(messages)).map((one) => Buffer.from(one).toString('hex'))
    expect(sodiumSigner(privateKey)).not.toBeNull()
    expect([singly, together]).toEqual([wanted, wanted])
  })

  it('VER-8 is not used where it is switched off', () => {
    process.env.WITAN_NO_SODIUM = '1'
    try {
      expect(sodiumPath()).toBeNull()
    } finally {
      delete process.env.WITAN_NO_SODIUM
    }
  })
})
