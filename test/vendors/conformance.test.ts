// The public conformance suite: against the command as it is, and against our server with the suite's own tools as
// tools of ours. What is left out is left out by name and with its reason; a scenario that the suite gains, or one that
// begins to pass or to fail, fails here until someone has judged it.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request as ask, createServer as createHttp, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { serveHttp } from '../../src/doors/mcp/http.ts'
import { isQuestion } from '../../src/doors/mcp/person-at-host.ts'
import { createServer } from '../../src/doors/mcp/serve.ts'
import { type Tool, tool } from '../../src/doors/mcp/tool.ts'
import { WitanError } from '../../src/ledger/errors.ts'
import { type SamplingModelOptions, samplingModel } from '../../src/models/sampling.ts'
import { newHome } from '../doors/command.ts'
import { hostHome } from '../support/mcp-host.ts'
import { cached } from './real.ts'
import { openSite } from './site.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const ITS_TOOL = 'it calls a tool of that name'
const CONTENT = 'our tools answer with text and structure, never with this'
const UNDECLARED = 'traces cannot be subscribed to, and the server does not say they can'

/** What does not apply to Witan, and why; each names what the suite's own server would have. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'completion-complete': 'it completes an argument of its prompt test_prompt_with_arguments',
  'tools-call-image': `test_image_content: ${CONTENT}`,
  'tools-call-audio': `test_audio_content: ${CONTENT}`,
  'tools-call-embedded-resource': `test_embedded_resource: ${CONTENT}`,
  'tools-call-mixed-content': `test_multiple_content_types: ${CONTENT}`,
  'json-schema-2020-12': `json_schema_2020_12_tool: ${ITS_TOOL}`,
  'elicitation-sep1034-defaults': 'test_elicitation_sep1034_defaults: our one question has no defaults',
  'elicitation-sep1330-enums': 'test_elicitation_sep1330_enums: our one question has no choices',
  'resources-read-text': 'it reads test://static-text',
  'resources-read-binary': 'it reads test://static-binary',
  'resources-templates-read': 'it reads test://template/123/data',
  'resources-subscribe': UNDECLARED,
  'resources-unsubscribe': UNDECLARED,
  'prompts-get-simple': 'it gets its prompt test_simple_prompt',
  'prompts-get-with-args': 'it gets its prompt test_prompt_with_arguments',
  'prompts-get-embedded-resource': 'it gets its prompt test_prompt_with_embedded_resource',
  'prompts-get-with-image': 'it gets its prompt test_prompt_with_image',
}

/** The server as anyone runs it. */
const AS_IT_IS = [
  ...['dns-rebinding-protection', 'logging-set-level', 'ping', 'prompts-list', 'resources-list'],
  ...['server-initialize', 'server-sse-multiple-streams', 'server-sse-polling', 'tools-list'],
]

/** Our server with the suite's tools: how answers, faults, progress and questions go over the line. */
const WITH_ITS_TOOLS = [
  ...['tools-call-elicitation', 'tools-call-error', 'tools-call-sampling', 'tools-call-simple-text'],
  ...['tools-call-with-logging', 'tools-call-with-progress'],
]

const plain = (name: string, run: Tool['run'], input: z.ZodObject = z.object({})): Tool =>
  tool({ name, title: name, description: name, input, readOnly: true, run })
const said = (text: string) => ({ value: { text }, text })

const steps: Tool['run'] = async (_, { progress }) => {
  for (const step of ['begun', 'half done', 'done']) progress(step)
  return said('It went three steps.')
}

const ITS_TOOLS: readonly Tool[] = [
  plain('test_simple_text', async () => said('This is a simple text response for testing.')),
  plain('test_error_handling', () => {
    throw new WitanError('USAGE', 'this tool always fails', 'Do not call it.')
  }),
  plain('test_tool_with_progress', steps),
  plain('test_tool_with_logging', steps),
  plain(
    'test_sampling',
    async ({ prompt }, { context, declares, signal }) => {
      const mind = samplingModel({
        provider: 'host',
        model: null,
        createMessage: context.mcpReq.requestSampling as unknown as SamplingModelOptions['createMessage'],
        declared: () => declares('sampling'),
      })
      const reply = await mind.ask({
        system: '',
        parts: [{ name: 'prompt', text: String(prompt), quotes: null, template: null }],
        schema: null,
        limits: { timeoutMs: 10_000, maxOutputTokens: 100, maxReplyBytes: 10_000 },
        signal,
      })
      return said(reply.ok ? reply.text : reply.message)
    },
    z.object({ prompt: z.string() }),
  ),
  plain(
    'test_elicitation',
    async ({ message }, session) => {
      const word = await session.kit.people.ask(session, [String(message)])
      return isQuestion(word) ? word : said(`The person said ${word.is}.`)
    },
    z.object({ message: z.string() }),
  ),
]

/** The suite cannot carry a token: it is added on the way, and nothing else is changed. */
async function carrying(token: string, url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const server: Server = createHttp((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const { url: path = '/', method } = incoming
    // A connection of its own for each request: one that the server is about to close is never used again.
    const onward = ask({ hostname, port, path, method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers).flushHeaders()
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

interface Check {
  readonly status: string
  readonly errorMessage?: string
}

/** What failed in each scenario; nothing where it passed. */
async function verdicts(url: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'witan-conformance-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
  const [node, suite] = [cached('conformance', 'node'), cached('conformance', 'conformance')]
  const args = [suite, 'server', '--url', url, '--suite', 'all', '-o', folder]
  // It ends with 1 where anything failed; what failed is in its files.
  await promisify(execFile)(node, args, { cwd: folder, timeout: 100_000 }).catch(() => undefined)
  const all = await readdir(folder)
  const read = async (name: string): Promise<[string, readonly string[]]> => {
    const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as readonly Check[]
    const failed = checks.filter(({ status }) => status === 'FAILURE')
    const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name
    return [scenario, failed.map(({ errorMessage = 'no words' }) => errorMessage)]
  }
  return new Map(await Promise.all(all.map(read)))
}

const passing = (found: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  [...found].filter(([, failed]) => failed.length === 0).map(([name]) => name)

it('APP-4 passes the conformance suite where it applies to the command as it is', async () => {
  const { home } = await newHome()
  const site = await openSite({ home }, '--tools', 'agents,exchange')
  open.push(site.close)
  const found = await verdicts(await carrying(site.token, site.url))
  expect([...found.keys()].sort()).toEqual([...AS_IT_IS, ...WITH_ITS_TOOLS, ...Object.keys(LEFT_OUT)].sort())
  expect(passing(found).toSorted(), JSON.stringify([...found])).toEqual(AS_IT_IS.toSorted())
})

it('APP-4 passes it with the suite’s own tools as tools of ours', async () => {
  const at = await hostHome()
  open.push(at.dispose)
  const site = await serveHttp(() => createServer(at.kit, ITS_TOOLS, '0.0.0'), { port: 0, token: 'secret' })
  open.push(() => site.close())
  const found = await verdicts(await carrying('secret', site.url))
  expect(passing(found).toSorted(), JSON.stringify([...found])).toEqual(
    [...AS_IT_IS, ...WITH_ITS_TOOLS].toSorted(),
  )
})
