import { describe, expect, it } from 'vitest'
import { fromBase64, fromUtf8, toBase64, utf8 } from '../bytes.ts'
import { encodeHeader, GENESIS, type Payload, type SealedEvent, writePayload } from '../event.ts'
import {
  eventEnvelope,
  jsonLine,
  namedArtifacts,
  sigstoreBundle,
  statementEnvelope,
  tlogProof,
  traceStatement,
} from './foreign-forms.ts'

const KEY = 'c'.repeat(64)
const artifact = { hash: 'd'.repeat(64), size: 3, name: 'a.txt', media_type: 'text/plain' }
const sealed = (payload: Payload | null): SealedEvent => ({
  header: encodeHeader({
    ...{ v: 1, protocol: 'errand/1', trace: '01KE0000000000000000000001', seq: 4, type: 'said' },
    at: '2026-01-01T00:00:00.000Z',
    actor: { agent: 'ana', role: 'clerk', key: KEY },
    ...{ prev: GENESIS, payload_hash: GENESIS, registry: { size: 1, hash: GENESIS } },
  }),
  hash: 'e'.repeat(64),
  signature: new Uint8Array(64).fill(5),
  payload: payload && writePayload(payload).bytes,
  salt: null,
})

describe('evidence for other programs', () => {
  it('is the event as it was signed, under the key that its header names', () => {
    const event = sealed({})
    const envelope = eventEnvelope(event)
    expect(envelope?.payload).toBe(toBase64(event.header))
    expect(envelope?.signatures).toEqual([{ keyid: KEY, sig: toBase64(event.signature) }])
    expect(eventEnvelope({ ...event, header: utf8('{}') })).toBeNull()
    const bundle = envelope && sigstoreBundle(envelope)
    expect(bundle).toMatchObject({
      mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
      verificationMaterial: { publicKey: { hint: KEY } },
      dsseEnvelope: envelope,
    })
  })

  it('is a statement of the tree and of every artifact, each by the place that named it', () => {
    const facts = {
      ...{ registry: 'r', trace: 't', protocol: 'errand/1', size: 5, head: 'h', root: 'f'.repeat(64) },
      ...{ recorded: '2026-01-01T00:00:00.000Z', checkpoint: 'note' },
    }
    const named = [...namedArtifacts(sealed({ artifacts: [artifact, artifact] }), 4)]
    expect(named).toEqual([artifact, artifact].map((each) => ({ ...each, seq: 4 })))
    const body = traceStatement(facts, named)
    expect(JSON.parse(fromUtf8(body) ?? '')).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicate: facts,
      subject: [
        { name: 'r/t', digest: { sha256: facts.root } },
        { name: 't/4#0 a.txt', digest: { sha256: artifact.hash } },
        { name: 't/4#1 a.txt', digest: { sha256: artifact.hash } },
      ],
    })
    const { payload, payloadType } = statementEnvelope(body, KEY, Uint8Array.of(1))
    expect(fromBase64(payload)).toEqual(body)
    expect(payloadType).not.toBe(eventEnvelope(sealed({}))?.payloadType)
  })

  it('names no artifact of a payload that was erased or cannot be read', () => {
    expect(namedArtifacts(sealed(null), 4)).toEqual([])
    expect(namedArtifacts({ ...sealed({}), payload: utf8('[]') }, 4)).toEqual([])
    expect(namedArtifacts(sealed({}), 4)).toEqual([])
  })

  it('is a proof whose lines and note another log client reads', () => {
    expect(tlogProof(utf8('h'), 7, [Uint8Array.of(1), Uint8Array.of(2)], 'note\n')).toBe(
      'c2sp.org/tlog-proof@v1\nextra aA==\nindex 7\nAQ==\nAg==\n\nnote\n',
    )
    expect(fromUtf8(jsonLine({ a: 1 }))).toBe('{"a":1}\n')
  })
})
