// Every tool of two public servers, called with and without the gateway: the same definitions and the same results, also where
// the call fails. The table has a row for each tool that they list.

import { mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, describe, expect, it } from 'vitest'
import { BINARY, directory, witan } from './command.ts'

const { resolve } = createRequire(import.meta.url)
const server = (name: string, ...args: readonly string[]): readonly string[] => [
  process.execPath,
  resolve(`@modelcontextprotocol/${name}/dist/index.js`),
  ...args,
]
const folder = await realpath(await directory())
const [home, files] = [join(folder, 'home'), join(folder, 'files')]

const open: Client[] = []
afterAll(async () => {
  for (const client of open) await client.close()
})

async function connected(
  [command = '', ...args]: readonly string[],
  own: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client(
    { name: 'host-of-a-test', version: '7.0' },
    { capabilities: { sampling: {}, elicitation: {}, roots: {} } },
  )
  client.setRequestHandler(ListRootsRequestSchema, async () => ({
    roots: [{ uri: `file://${files}`, name: 'files' }],
  }))
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' as const }))
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    role: 'assistant' as const,
    model: 'of-the-host',
    content: { type: 'text' as const, text: 'sampled' },
  }))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, ...own }
  await client.connect(new StdioClientTransport({ command, args, cwd: folder, env, stderr: 'ignore' }))
  open.push(client)
  return client
}

const at = (name: string): string => join(files, name)

/** The same before each call. */
async function prepared(): Promise<void> {
  await rm(files, { recursive: true, force: true })
  await mkdir(join(files, 'sub'), { recursive: true })
  await writeFile(at('a.txt'), 'one\ntwo\nthree\n')
  await writeFile(at('b.png'), Buffer.from('89504e470d0a1a0a', 'hex'))
}

type Row = readonly [tool: string, args: Record<string, unknown>]

const EVERYTHING: readonly Row[] = [
  ['echo', { message: 'a "word" <&> ☃' }],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-env', {}],
  ['get-resource-links', { count: 3 }],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
  ['get-roots-list', {}],
  ['get-structured-content', { location: 'Chicago' }],
  ['get-sum', { a: 1.5, b: -2 }],
  ['get-tiny-image', {}],
  ['gzip-file-as-resource', { name: 'x.gz', data: 'data:text/plain,hello', outputType: 'resource' }],
  ['simulate-research-query', { topic: 'x' }],
  ['toggle-simulated-logging', {}],
  ['toggle-subscriber-updates', {}],
  ['trigger-elicitation-request', {}],
  ['trigger-long-running-operation', { duration: 0.1, steps: 2 }],
  ['trigger-sampling-request', { prompt: 'x', maxTokens: 10 }],
]

const FILES: readonly Row[] = [
  ['create_directory', { path: at('new') }],
  ['directory_tree', { path: files }],
  ['edit_file', { path: at('a.txt'), edits: [{ oldText: 'two', newText: 'zwei' }] }],
  ['get_file_info', { path: at('a.txt') }],
  ['list_allowed_directories', {}],
  ['list_directory', { path: files }],
  ['list_directory_with_sizes', { path: files, sortBy: 'size' }],
  ['move_file', { source: at('a.txt'), destination: at('c.txt') }],
  ['read_file', { path: at('a.txt') }],
  ['read_media_file', { path: at('b.png') }],
  ['read_multiple_files', { paths: [at('a.txt'), at('none.txt')] }],
  ['read_text_file', { path: at('a.txt'), head: 1 }],
  ['search_files', { path: files, pattern: '**/*.txt' }],
  ['write_file', { path: at('w.txt'), content: 'w' }],
]

/** Calls that fail, by the word of the server or of its schema. */
const FAILING: readonly Row[] = [
  ['read_text_file', { path: '/etc/passwd' }],
  ['read_text_file', { path: 7 }],
  ['no_such_tool', {}],
]

/** What differs between any two calls: times, as dates or by the clock alone, where two calls may fall into two seconds. */
const plainly = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll(
      /\w{3} \w{3} \d{2} \d{4} [\d:]{8} GMT[^\\"]*|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{1,2}:\d\d:\d\d(?:\s[AP]M)?/g,
      'time',
    ),
  )

async function called(client: Client, [name, args]: Row): Promise<unknown> {
  await prepared()
  return client
    .callTool({ name, arguments: args })
    .then(plainly, (error: Error) => ({ threw: error.message }))
}

describe.each([
  ['server-everything', server('server-everything', 'stdio'), EVERYTHING, []],
  ['server-filesystem', server('server-filesystem', files), FILES, FAILING],
] as const)('the tools of %s behind the gateway', (name, words, rows, failing) => {
  it('AGT-X-8 are defined, answer and fail as without it, each and every one', async () => {
    await prepared()
    const direct = await connected(words)
    const through = await connected([process.execPath, BINARY, 'gateway', '--name', name, '--', ...words], {
      WITAN_HOME: home,
    })
    const { tools } = await direct.listTools()
    expect((await through.listTools()).tools).toEqual(tools)
    expect(rows.map(([tool]) => tool)).toEqual(tools.map(({ name: tool }) => tool).sort())
    for (const row of [...rows, ...failing])
      expect([row[0], await called(through, row)]).toEqual([row[0], await called(direct, row)])
    const { json } = await witan({ home }, 'list', '--json')
    expect(json.traces).toContainEqual(expect.objectContaining({ protocol: 'agents/1' }))
  })
})
