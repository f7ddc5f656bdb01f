// `witan gateway`: an MCP server in front of others, which a host starts instead of them. Everything except
// protocol messages goes to stderr. With --approve nothing is started: a person reads changed tools and
// approves them.

import type { Readable, Writable } from 'node:stream'
import {
  approveChanged,
  type ChangedTool,
  changedTools,
  type GatewayRequest,
} from '../../../app/gateway/gateway.ts'
import { serversIn } from '../../../app/gateway/servers-file.ts'
import { personName } from '../../../app/home/signers.ts'
import { plain } from '../../../render/plain.ts'
import { answerInterrupts, type Call, EXIT, type Outcome, usage, type Verb } from '../command.ts'
import { isAtTerminal, personAt, saysYes } from '../terminal.ts'

export type ServeGateway = (serving: {
  readonly gateway: GatewayRequest
  readonly input: Readable
  readonly output: Writable
  readonly errors: Writable
  readonly signal: AbortSignal
}) => Promise<void>

const WAIT_S = 50
const DEFAULT_NAME = 'gateway'

const definitionLines = ({ tool, approvedAt, definition }: ChangedTool): readonly string[] => [
  `${plain(tool)}, approved ${approvedAt}, is described now as:`,
  ...plain(JSON.stringify(definition, null, 2))
    .split('\n')
    .map((line) => `  ${line}`),
]

async function approve(call: Call, names: readonly string[]): Promise<Outcome> {
  const name = call.text('name') ?? DEFAULT_NAME
  const changed = await changedTools(call.home, name)
  const wanted = changed.filter(({ tool }) => names.includes('all') || names.includes(tool))
  if (wanted.length === 0) {
    const there = changed.map(({ tool }) => tool).join(', ') || 'none'
    throw usage(`no changed tool of the gateway ${name} is called so`, `Changed tools: ${plain(there)}.`)
  }
  const lines = wanted.flatMap(definitionLines)
  if (!isAtTerminal())
    throw usage('approving a tool is for a person at a terminal', 'Type the same command in a terminal.')
  process.stderr.write(`${lines.join('\n')}\n`)
  if (!(await saysYes('Approve this? [y/N] ')))
    return { value: { approved: [] }, lines: ['nothing was approved'], exit: EXIT.refused }
  const tools = wanted.map(({ tool }) => tool)
  await approveChanged(call.home, name, tools, personName(), new Date().toISOString())
  return { value: { approved: tools }, lines: tools.map((tool) => `approved ${plain(tool)} as it is now`) }
}

async function readServers(call: Call): Promise<GatewayRequest['servers']> {
  const file = call.text('servers')
  if ((file === null) === (call.args.length === 0))
    throw usage(
      'name one server, or a file of several',
      'witan gateway --name files -- npx -y @modelcontextprotocol/server-filesystem . · witan gateway --servers servers.json',
    )
  if (file !== null) return serversIn(file, call.home, personAt(call), process.env)
  const pass = call.texts('pass')
  const server = { command: call.args, ...(pass.length > 0 && { pass }) }
  return new Map([[call.text('name') ?? DEFAULT_NAME, server]])
}

export const gatewayVerb =
  (serve: ServeGateway): Verb =>
  async (call) => {
    const names = call.texts('approve')
    if (names.length > 0) return approve(call, names)
    if (call.flag('gate') && call.flag('record'))
      throw usage('--gate and --record exclude each other', 'Give one of them.')
    const servers = await readServers(call)
    const stop = new AbortController()
    const release = answerInterrupts(() => stop.abort())
    // A host that ends it leaves it the time to close its session.
    process.once('SIGTERM', () => stop.abort())
    try {
      await serve({
        gateway: {
          ...{ home: call.home, postgres: call.postgres, name: call.text('name') ?? DEFAULT_NAME, servers },
          mode: call.flag('gate') ? 'gate' : 'record',
          policy: call.text('policy') ?? 'lenient',
          ...{ order: call.text('order'), tools: call.texts('tool'), wait: call.count('wait') ?? WAIT_S },
          believesHints: call.flag('believe-hints'),
          sandbox: call.flag('sandbox')
            ? { network: call.flag('network'), folders: call.texts('folder') }
            : null,
          ...{ cwd: process.cwd(), environment: process.env, now: () => new Date().toISOString() },
        },
        ...{ input: process.stdin, output: process.stdout, errors: process.stderr, signal: stop.signal },
      })
    } finally {
      release()
    }
    return { value: { ended: true }, lines: [], isSilent: true }
  }
