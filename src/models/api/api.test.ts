// The contract, over each vendor's true wire, on loopback.
import { describe } from 'vitest'
import { describeModelContract } from '../../../test/contracts/models.ts'
import { PLANTED_SECRET } from '../../../test/contracts/scenarios.ts'
import { anthropicWire } from '../../../test/fakes/anthropic.ts'
import { googleWire } from '../../../test/fakes/google.ts'
import { openaiWire } from '../../../test/fakes/openai.ts'
import {
  chatWire,
  llamaCppWire,
  lmStudioWire,
  ollamaWire,
  openRouterWire,
} from '../../../test/fakes/openai-compatible.ts'
import { play, type VendorWire, wordsIn } from '../../../test/fakes/scripted-server.ts'
import type { ApiKind } from '../default-models.ts'
import { apiModel } from './api.ts'

const PACE = 0.25

interface Subject {
  readonly name: string
  readonly kind: ApiKind
  readonly wire: VendorWire
  readonly base: string
  readonly model?: string
  readonly notApplicable?: Readonly<Record<string, string>>
}

function contract({ name, kind, wire, base, model = 'fake-1', notApplicable = {} }: Subject): void {
  describeModelContract(
    name,
    async ({ script }) => {
      const absent = script[0]?.act === 'absent'
      const server = await play(wire, script)
      // What a keyless server lacks when it is absent is itself.
      if (absent && kind === 'openai-compatible') await server.close()
      const mind = apiModel({
        kind,
        name,
        model,
        baseUrl: `${server.url}${base}`,
        apiKey: async () => (absent ? null : PLANTED_SECRET),
      })
      return {
        mind,
        seen: () =>
          server.requests.filter(({ method }) => method === 'POST').map(({ body }) => wordsIn(body)),
        leftovers: () => server.leftovers(),
        dispose: () => server.close().catch(() => undefined),
      }
    },
    notApplicable,
    PACE,
  )
}

contract({
  name: 'Anthropic',
  kind: 'anthropic',
  wire: anthropicWire,
  base: '/v1',
  model: 'claude-opus-5-5',
  notApplicable: { 'usage unknown': 'every message of this wire carries its usage' },
})
contract({ name: 'OpenAI', kind: 'openai', wire: openaiWire, base: '/v1' })
contract({ name: 'Google', kind: 'google', wire: googleWire, base: '/v1beta' })
const compatible = {
  chat: chatWire,
  Ollama: ollamaWire,
  'LM Studio': lmStudioWire,
  'llama.cpp': llamaCppWire,
}
describe('VOX-7 local servers and OpenRouter are minds like any other', () => {
  for (const [name, wire] of Object.entries({ ...compatible, OpenRouter: openRouterWire })) {
    contract({ name, kind: 'openai-compatible', wire, base: '/v1' })
  }
})
