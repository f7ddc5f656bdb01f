import { describe, expect, it } from 'vitest'
import { openBuiltInEmbedder } from '../../src/embeddings/embedded.ts'
import { similarity } from '../../src/ledger/vector.ts'
import { opinion } from '../fakes/council.ts'
import { machine } from './table.ts'

const SAID = {
  a: 'Put the new cache behind a feature flag and measure it for one week.',
  b: 'Roll the caching layer out gradually behind a switch, watching latency for seven days.',
  c: 'Translate the handbook into Portuguese before the conference in May.',
} as const

const saying = (recommendation: string) =>
  opinion({
    details: { understanding: 'x', key_considerations: ['x'], recommendation, rationale: 'It is cheap.' },
  })

interface Told {
  readonly header: { readonly type: string }
  readonly payload: {
    readonly encoder?: string
    readonly pairs?: readonly { readonly a: string; readonly b: string; readonly cosine: number }[]
    readonly criteria?: { readonly agreement: { readonly by: string; readonly recommendation: number } }
  }
}

describe('recommendations compared by the embedded encoder', () => {
  it('COU-S-2 are scored on record before the decision, as the encoder scores them, and the minutes verify', async () => {
    const scripts = Object.entries(SAID).map(([name, words]) => [name, { R1: [saying(words)] }])
    const settings = { more: '  short_circuit: {enabled: true, embeddings: true}\n' }
    const { run, server } = await machine(Object.fromEntries(scripts), settings)
    const embedder = openBuiltInEmbedder()
    try {
      const { code, json, stderr } = await run('ask', 'Which cache shall we build?', '--json')
      expect([code, stderr]).toEqual([0, ''])
      const shown = await run('show', String(json.trace), '--json')
      const events = (shown.json as unknown as { readonly events: readonly Told[] }).events
      const scored = events.find(({ header }) => header.type === 'agreement_scored')?.payload
      const [x, y, z] = await embedder.embed(Object.values(SAID))
      if (!x || !y || !z) throw new Error('the encoder gave no vectors')
      const wanted = [
        ['op-1', 'op-2', similarity(x, y)],
        ['op-1', 'op-3', similarity(x, z)],
        ['op-2', 'op-3', similarity(y, z)],
      ] as const
      expect(scored).toMatchObject({
        encoder: embedder.encoder,
        pairs: wanted.map(([a, b, cosine]) => ({ a, b, cosine: expect.closeTo(cosine, 3) })),
      })
      const cosines = scored?.pairs?.map(({ cosine }) => cosine) ?? []
      expect(cosines[0]).toBeGreaterThan((cosines[1] ?? 1) + 0.2)
      const decided = events.find(({ header }) => header.type === 'short_circuit_decided')?.payload.criteria
      const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / 3
      expect(decided?.agreement).toMatchObject({ by: 'embeddings', recommendation: expect.closeTo(mean, 3) })
      expect((await run('verify', String(json.trace), '--json')).json).toMatchObject({ status: 'pass' })
    } finally {
      await embedder.close()
      await server.close()
    }
  }, 60_000)
})
