// A real MCP host that offers its own model: a client of the SDK connected to a server of the SDK, playing a script
// whenever the server asks for a message. The server side is where a sampling mind stands.
import { Client, InMemoryTransport, ProtocolError } from '@modelcontextprotocol/client'
import { McpServer } from '@modelcontextprotocol/server'
import type { SamplingModelOptions } from '../../../src/models/sampling.ts'
import type { Act } from '../../contracts/scenarios.ts'
import { resultOf } from './acts.ts'

export interface FakeHost {
  /** What the server SDK gives a mind. */
  readonly connection: Pick<SamplingModelOptions, 'createMessage' | 'declared'>
  /** What the host was asked, request by request. */
  readonly asked: Readonly<Record<string, unknown>>[]
  cancelled: number
  readonly client: Client
  dispose(): Promise<void>
}

const never = () => new Promise<never>(() => {})

function messageOf(act: Act) {
  const result = resultOf(act)
  if (result === null) return never()
  const [block] = result.content
  if (!('structuredContent' in result)) throw new ProtocolError(-32603, block?.text ?? '')
  const stop = result.structuredContent?.stop_reason
  return {
    role: 'assistant' as const,
    model: 'host-model-3',
    content: { type: 'text' as const, text: block?.text ?? '' },
    stopReason: stop === 'end_turn' ? 'endTurn' : stop === 'max_tokens' ? 'maxTokens' : String(stop),
    ...('_meta' in result ? { _meta: result._meta } : {}),
  }
}

export async function fakeHost(
  script: readonly Act[],
  { declares = true, rejects = false }: { readonly declares?: boolean; readonly rejects?: boolean } = {},
): Promise<FakeHost> {
  const server = new McpServer({ name: 'witan', version: '1.0.0' })
  const client = new Client(
    { name: 'fake-host', version: '7.8.9' },
    { capabilities: declares ? { sampling: {} } : {} },
  )
  const asked: Record<string, unknown>[] = []
  if (declares) {
    client.setRequestHandler('sampling/createMessage', ({ params }, context) => {
      asked.push(params)
      context.mcpReq.signal.addEventListener('abort', () => {
        host.cancelled += 1
      })
      if (rejects) throw new ProtocolError(-1, 'User rejected sampling request')
      return messageOf(script[Math.min(asked.length, script.length) - 1] ?? { act: 'silence' })
    })
  }
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(ours), client.connect(theirs)])
  const host: FakeHost = {
    connection: {
      createMessage: (params, options) => server.server.createMessage(params, options),
      declared: () => server.server.getClientCapabilities()?.sampling !== undefined,
    },
    asked,
    cancelled: 0,
    client,
    dispose: () => client.close(),
  }
  return host
}
