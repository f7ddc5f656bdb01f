// One loopback server for three vendors, each on its own wire and with its documented limits. Who is asked is read off
// the shape that is asked for, in the schema or in words, as a model would see it.

import { PLANTED_SECRET } from '../contracts/scenarios.ts'
import { boundBy } from '../support/roles.ts'
import { anthropicWire } from './anthropic.ts'
import { opinion, report, review, target } from './council.ts'
import { googleWire } from './google.ts'
import { openaiWire } from './openai.ts'
import { type FakeServer, perform, type Seen, serve, type VendorWire, wordsIn } from './scripted-server.ts'

const VENDOR_WIRES = {
  claude: { wire: anthropicWire, base: '/v1', model: 'claude-opus-5-5' },
  openai: { wire: openaiWire, base: '/v1', model: 'gpt-6-sol' },
  gemini: { wire: googleWire, base: '/v1beta', model: 'gemini-3.8-flash' },
} as const satisfies Record<string, { wire: VendorWire; base: string; model: string }>

type VendorName = keyof typeof VENDOR_WIRES

interface Bodies {
  readonly output_config?: { readonly format?: { readonly schema?: unknown } }
  readonly text?: { readonly format?: { readonly schema?: unknown } }
  readonly generationConfig?: { readonly responseSchema?: unknown }
}

const schemaIn = (body: unknown): unknown => {
  const { output_config, text, generationConfig } = body as Bodies
  return output_config?.format?.schema ?? text?.format?.schema ?? generationConfig?.responseSchema
}

const plan = {
  objective: 'Read the licence of alpha',
  assumptions: [],
  required_tools: ['files.read'],
  expected_evidence: ['its text'],
}

function turnOf(words: string): object {
  const artifacts = [...words.matchAll(/label="artifact ([0-9a-f]{64}), bytes/g)].map(([, id]) => id)
  const read = { tool: 'files.read', input: { path: 'alpha/LICENSE' }, justification: 'it is written there' }
  if (!words.includes('The alpha authors')) return { intent: read }
  const evidence = [{ artifact: artifacts.at(-1), quote: 'MIT License' }]
  return { claims: [{ text: 'alpha is under the MIT licence', confidence: 'high', evidence }] }
}

/** By a member that only this role's shape has. */
const ROLES: readonly (readonly [
  name: string,
  member: string,
  answer: (words: string) => object | string,
])[] = [
  ['executor', 'give_up', turnOf],
  ['chair', 'need_info_reason', () => report({ rationale: [] })],
  ['reviewer', 'recommendation_after', () => review({ targets: [target('A'), target('B')] })],
  ['participant', 'key_considerations', () => opinion()],
  ['critic', 'max_risk', () => ({ verdict: 'approve', reasons: ['it only reads'] })],
  ['planner', 'expected_evidence', () => ({ proposals: [plan] })],
  [
    'auditor',
    'cites',
    (words) => {
      const [id = 'm1'] = words.match(/\bm\d+\b/) ?? []
      return { summary: 'They speak of tea.', points: [{ text: 'Tea.', cites: [id], clusters: [] }] }
    },
  ],
]

export interface VendorModels extends FakeServer {
  /** `claude executor`, `openai critic`, … in the order in which they were asked. */
  readonly asked: readonly string[]
  /** Providers for a `config.yaml`, each at its own wire. */
  readonly providers: string
  readonly env: Readonly<Record<string, string>>
}

function vendorOf({ path }: Seen): VendorName {
  const names = Object.keys(VENDOR_WIRES) as VendorName[]
  return names.find((name) => VENDOR_WIRES[name].wire.path.test(path)) ?? 'claude'
}

export async function serveVendors(): Promise<VendorModels> {
  const asked: string[] = []
  const server = await serve(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"data":[]}')
      return
    }
    const vendor = vendorOf(request)
    const schema = schemaIn(request.body)
    const words = wordsIn(request.body)
    const shape = schema === undefined ? words : JSON.stringify(schema)
    const role = ROLES.find(([, member]) => shape.includes(member))
    asked.push(`${vendor} ${role?.[0] ?? 'member'}`)
    const answer = role?.[2](words) ?? 'A note to myself.\n---\nTea should be hot.'
    const text = typeof answer === 'string' ? answer : JSON.stringify(boundBy(schema, answer))
    const usage = { inputTokens: 100, outputTokens: 20 }
    await perform(VENDOR_WIRES[vendor].wire, { act: 'answer', text, usage }, request, response)
  })
  const provider = ([name, { base, model }]: [string, (typeof VENDOR_WIRES)[VendorName]]): string =>
    `    - {name: ${name}, model: ${model}, transport: api, base_url: "${server.url}${base}", api_key_env: VENDOR_KEY}`
  return {
    ...server,
    asked,
    providers: `council:\n  providers:\n${Object.entries(VENDOR_WIRES).map(provider).join('\n')}\n`,
    env: { VENDOR_KEY: PLANTED_SECRET },
  }
}
