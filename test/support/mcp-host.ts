// A host for Witan's own MCP server, in this process: a real client of the SDK, and the real server over a home of
// its own. The client speaks revision 2025-11-25 as most hosts do, unless told otherwise.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach } from 'vitest'
import { createHome } from '../../src/app/home/create-home.ts'
import { HeldCouncils } from '../../src/doors/mcp/council/held-council.ts'
import { People } from '../../src/doors/mcp/person-at-host.ts'
import { Runs } from '../../src/doors/mcp/runs.ts'
import { createServer, SETS } from '../../src/doors/mcp/serve.ts'
import type { Kit, Tool } from '../../src/doors/mcp/tool.ts'

export const DEFAULT_TOOLS: readonly Tool[] = [...(SETS.council ?? []), ...(SETS.traces ?? [])]

export interface HostHome {
  readonly kit: Kit
  dispose(): Promise<void>
}

/** For each test a folder to stand in, with a licence and these files; what was opened is closed after it, latest first. */
export function filesFolder(files: Readonly<Record<string, string>>): {
  readonly folder: () => string
  readonly open: (() => Promise<unknown>)[]
} {
  const origin = process.cwd()
  const open: (() => Promise<unknown>)[] = []
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'witan-host-'))
    await mkdir(join(folder, 'vendor'))
    await writeFile(join(folder, 'vendor/LICENSE'), 'MIT License\n')
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    process.chdir(folder)
  })
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
    process.chdir(origin)
    await rm(folder, { recursive: true, force: true })
  })
  return { folder: () => folder, open }
}

/** `settings` is the `config.yaml` of the home. */
export async function hostHome(settings = ''): Promise<HostHome> {
  const folder = await mkdtemp(join(tmpdir(), 'witan-mcp-'))
  const directory = join(folder, 'home')
  const { home } = await createHome({ directory, name: 'desk', postgres: null })
  await home.close()
  if (settings !== '') await writeFile(join(directory, 'config.yaml'), settings)
  const sittings = new HeldCouncils()
  const runs = new Runs()
  return {
    kit: { home: directory, postgres: null, config: null, sittings, runs, people: new People() },
    async dispose() {
      await Promise.all([sittings.stopAll(), runs.stopAll()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A council of models behind this server, two of them asked and the first in the chair. */
export const seatsAt = (url: string, ...models: readonly string[]): string =>
  [
    'council:',
    '  providers:',
    ...models.map(
      (model, i) =>
        `    - {name: ${model}, model: ${model}, base_url: "${url}/v1", role: [participant${i === 0 ? ', chair' : ''}]}`,
    ),
    '',
  ].join('\n')

export async function hostClient(
  kit: Kit,
  options: ConstructorParameters<typeof Client>[1] = {},
  tools: readonly Tool[] = DEFAULT_TOOLS,
): Promise<Client> {
  const server = createServer(kit, tools, '0.0.0')
  const client = new Client({ name: 'host', version: '1.0.0' }, options)
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(ours), client.connect(theirs)])
  return client
}

type ToolResult = { readonly [name: string]: unknown } & {
  readonly trace: string
  readonly status: string
  readonly ticket?: string
  readonly round?: string
  readonly seat?: string
  readonly prompt?: string
}

export interface Said {
  readonly isError: boolean
  readonly text: string
  readonly told: ToolResult
}

export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  options: Parameters<Client['callTool']>[1] = {},
): Promise<Said> {
  const result = await client.callTool({ name, arguments: args }, options)
  const [block] = result.content as readonly { readonly text?: string }[]
  return {
    isError: result.isError === true,
    text: block?.text ?? '',
    told: (result.structuredContent ?? {}) as ToolResult,
  }
}
