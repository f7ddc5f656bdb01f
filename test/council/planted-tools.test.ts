// Planted secrets that a tool gives back: what a command prints, what a server of tools reads, what a site answers.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { withoutSecrets } from '../../src/context/clean.ts'
import { httpTools } from '../../src/tools/http/http.ts'
import { callNow } from '../contracts/toolsets.ts'
import { witan } from '../doors/command.ts'
import { serveMinds } from '../fakes/minds.ts'
import { agentsHome, latestSession, runTask } from '../support/agents-home.ts'
import { leaksIn, plantedForms, plantIn } from '../support/leaks.ts'
import { everythingIn } from './table.ts'

const FILES = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/package.json')),
  'dist/index.js',
)
const confined = inject('bubblewrap') !== null
const TOOLS = ['shell.run', 'mcp.files.read_text_file']

describe('planted secrets', () => {
  it('COU-C-2 come out of no command and no server of tools', async () => {
    const home = await agentsHome()
    await plantIn(home.folder)
    const names = [...plantedForms().keys()]
    const calls = [
      ...names.map((name) => ({ tool: 'shell.run', input: { command: ['cat', name] } })),
      { tool: 'shell.run', input: { command: ['cat', ...names] } },
      { tool: 'shell.run', input: { command: ['ls'] } },
      ...names.map((name) => ({
        tool: 'mcp.files.read_text_file',
        input: { path: join(home.folder, name) },
      })),
    ]
    const plan = { objective: 'Read', assumptions: [], required_tools: TOOLS, expected_evidence: [] }
    const minds = await serveMinds({
      planner: [{ proposals: [plan] }],
      executor: [
        ...calls.map((call) => ({ intent: { ...call, justification: 'it is next' } })),
        { give_up: { reason: 'enough' } },
      ],
    })
    try {
      const settings = {
        mcp_servers: { files: { command: [process.execPath, FILES, home.folder] } },
        agents: {
          policy: 'lenient',
          commands: ['cat', 'ls'],
          unconfined: !confined,
          servers: { files: { confined, reads: ['read_*'] } },
        },
      }
      const more = Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      await minds.settings(home.home, more.join(''))
      const roles = { planner: 'ollama', executor: 'ollama' }
      const limits = { steps: 60, same_intent: 3 }
      const ran = await runTask(home, { roles, tools: TOOLS, policy: 'lenient', limits }, '--yes')
      const trace = await latestSession(home)

      const shown = await witan(home, 'show', trace)
      await witan(home, 'export', trace, '-o', join(home.home, 's.witan'))
      await witan(home, 'export', trace, '--html', '-o', join(home.home, 's.html'))
      const sent = minds.asked.map(({ words }) => words).join('\n')
      expect([minds.asked.length > calls.length, sent.includes('the end')]).toEqual([true, true])
      const out = [ran.stdout, ran.stderr, shown.stdout, shown.stderr, await everythingIn(home.home)]
      expect(leaksIn([sent, ...out].join('\n'))).toEqual([])
    } finally {
      await minds.close()
    }
  }, 120_000)

  it('COU-C-2 come out of no answer of a site, no matter what it is encoded as', async () => {
    const bodies = [...plantedForms().values()]
    const site = createServer(({ url = '' }, response) => {
      const body = bodies[Number(url.slice(1))] ?? ''
      response.writeHead(200, { 'content-type': 'text/plain', 'x-echo': 'plain' }).end(body)
    })
    site.listen(0, '127.0.0.1')
    await once(site, 'listening')
    try {
      const { port } = site.address() as AddressInfo
      const clean = async (text: string) => {
        const cleaned = await withoutSecrets(text)
        return { text: cleaned.text, removed: cleaned.removed.length }
      }
      const tools = httpTools({ hosts: [{ host: '127.0.0.1', port, private: true }], clean })
      for (const [at] of bodies.entries()) {
        const result = await callNow(tools, {
          tool: 'http.get',
          input: { url: `http://127.0.0.1:${port}/${at}` },
        })
        const told = JSON.stringify(result) + textsOf(result)
        expect([at, leaksIn(told)]).toEqual([at, []])
        expect(result).toMatchObject({ ok: true, secretsRemoved: expect.any(Number) })
      }
      await tools.close()
    } finally {
      site.close()
    }
  }, 60_000)
})

const textsOf = (result: Awaited<ReturnType<typeof callNow>>): string =>
  result.ok ? result.content.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join('\n') : ''
