// A gateway is set up: under which terms its calls are made, which servers stand behind it and where they run. It is known by its
// name, under which this home remembers the tools that were approved.

import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { WitanError } from '../../ledger/errors.ts'
import type { McpServer } from '../../mcp-client/server.ts'
import { forbiddenHere } from '../../tools/allowed-paths.ts'
import type { Enclosure } from '../../tools/mcp/sandboxed-server.ts'
import { parsePolicy } from '../../tools/policy/parsed-policy.ts'
import { orderFrom, policyNamed } from '../attach/attach.ts'
import { filesOf, type Mode } from '../attach/attached-policy.ts'
import { attachmentId, type Gateway } from '../attach/attachments.ts'
import { homeConfig } from '../config/config.ts'
import type { Message } from './messages.ts'
import { Recorder } from './recorder.ts'
import { Relay } from './relay.ts'
import { type ApprovedTools, approvedTools, approveOffered } from './tool-definitions.ts'

export interface GatewayRequest {
  readonly home: string
  /** Where the ledger is when a trusted `--config` says so. */
  readonly postgres: string | null
  readonly name: string
  readonly servers: ReadonlyMap<string, McpServer>
  readonly mode: Mode
  readonly policy: string
  readonly order: string | null
  readonly tools: readonly string[]
  readonly wait: number
  readonly believesHints: boolean
  /** Null runs the servers as the user. */
  readonly sandbox: { readonly network: boolean; readonly folders: readonly string[] } | null
  readonly cwd: string
  readonly environment: NodeJS.ProcessEnv
  readonly now: () => string
}

export interface Host {
  readonly send: (message: Message) => void
  readonly ended: (reason: string) => void
  readonly tell: (words: string) => void
}

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/

function gatewayId(name: string): string {
  if (NAME.test(name)) return attachmentId('gateway', name)
  throw new WitanError('USAGE', `'${name}' is no name of a gateway`, 'Use letters, digits, - and _.')
}

/** The servers see this folder, and further ones that were named; all of them can be written to. */
const enclosureOf = ({ sandbox, cwd, home }: GatewayRequest): Enclosure | null =>
  sandbox && {
    roots: [cwd, ...sandbox.folders].map((path, i) => ({
      name: i === 0 ? 'workspace' : `root${i}`,
      path: resolve(cwd, path),
      write: true,
    })),
    forbidden: forbiddenHere(home),
    network: sandbox.network,
    folders: [],
  }

export async function openGateway(request: GatewayRequest, host: Host): Promise<Relay> {
  const { name, mode, wait, home, cwd, environment, believesHints } = request
  const id = gatewayId(name)
  const policy = await policyNamed(request.policy)
  // A policy that cannot be used is found now, and not when the first call is denied by it.
  const parsed = mode === 'gate' ? await parsePolicy(filesOf(policy)) : null
  const own = (await homeConfig(home).catch(() => null))?.sections.agents
  const gateway: Gateway = {
    ...{ id, host: 'gateway', name, mode, policy, wait },
    ...(parsed && { parsed }),
    order: await orderFrom(request.order, request.tools),
    proof: own?.approval_proof ?? 'passphrase',
    at: request.now(),
  }
  const enclosure = enclosureOf(request)
  return new Relay({
    servers: [...request.servers].map(([server, described]) => ({
      name: server,
      server: described,
      enclosure,
      environment,
    })),
    believed: { believesHints, enclosure },
    ...{ wait, ...host },
    recorder: (offered) =>
      new Recorder({
        ...{ directory: home, postgres: request.postgres, gateway, workspace: cwd, session: randomUUID() },
        ...{ offered, tell: host.tell },
      }),
  })
}

export interface ChangedTool {
  readonly tool: string
  readonly approvedAt: string
  /** As its server describes it now. */
  readonly definition: object
}

/** Tools that their servers describe otherwise than they were approved. */
export async function changedTools(home: string, name: string): Promise<readonly ChangedTool[]> {
  const known: ApprovedTools = await approvedTools(home, gatewayId(name))
  return Object.entries(known).flatMap(([tool, { at, offered }]) =>
    offered ? [{ tool, approvedAt: at, definition: offered.definition }] : [],
  )
}

export const approveChanged = (
  home: string,
  name: string,
  tools: readonly string[],
  by: string,
  at: string,
): Promise<void> => approveOffered(home, gatewayId(name), tools, by, at)
