// Accountable tools of LangChain with LangChain itself and LangGraph, which nothing else here needs.

import { execFile } from 'node:child_process'
import { copyFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { loadProtocols } from '../../src/app/protocols.ts'
import { wholeBundle } from '../../src/clerk/extract.ts'
import { accountable, inStore, openAccountable } from '../../src/doors/library/agents.ts'
import { examine } from '../../src/stores/verify-answers.ts'
import { projectRoot } from '../support/sources.ts'

const folder = join(projectRoot, '.vendor-cache/langchain')

const vendor = <Module>(path: string): Promise<Module> =>
  import(/* @vite-ignore */ pathToFileURL(join(folder, 'node_modules/@langchain', path)).href)

it.each([
  ['langchain', /^5\ncompleted: adder unknown, as it says, announced 1 tool call: 1 completed/],
  [
    'langgraph',
    /^I paid twice\.\nA-17 was paid twice\nError: p1-i2 \(refund\) was not allowed: .*above the limit of the desk\n(?:.*\n)*Somebody will call you\.\ncompleted: .*1 completed, 1 was blocked/,
  ],
])('AGT-X-9 has an example that runs: %s', async (name, shows) => {
  const example = join(folder, `${name}.mjs`)
  await copyFile(join(projectRoot, `examples/accountable/${name}.mjs`), example)
  await rm(join(folder, 'node_modules/witan'), { force: true })
  await symlink(projectRoot, join(folder, 'node_modules/witan'))
  const { stdout } = await promisify(execFile)(process.execPath, [example], { cwd: folder })
  expect(stdout).toMatch(shows)
})

interface Core {
  AIMessage: new (fields: object) => object
  tool(run: (input: { readonly what: string }) => Promise<string>, about: object): object
}

interface Answer {
  readonly tool_call_id?: string
  readonly status?: string
  readonly content: string
}

interface Graph {
  addNode(name: string, node: object): Graph
  addEdge(from: string, to: string): Graph
  addConditionalEdges(from: string, where: object): Graph
  compile(): { invoke(state: object): Promise<{ readonly messages: readonly Answer[] }> }
}

interface LangGraph {
  StateGraph: new (state: object) => Graph
  MessagesAnnotation: object
  ToolNode: new (tools: readonly object[]) => object
  toolsCondition: object
}

it('AGT-X-9 holds exactly the calls that a graph of LangGraph makes side by side: allowed, approved, blocked, failed', async () => {
  const { AIMessage } = await vendor<Core>('core/dist/messages/index.js')
  const { tool } = await vendor<Core>('core/dist/tools/index.js')
  const { StateGraph, MessagesAnnotation } = await vendor<LangGraph>('langgraph/dist/index.js')
  const { ToolNode, toolsCondition } = await vendor<LangGraph>('langgraph/dist/prebuilt/index.js')

  const made: string[] = []
  const asked: string[] = []
  const storage = await inStore()
  const session = await openAccountable({
    ...{ storage, gate: true, name: 'desk', effects: { look: ['read'], crash: ['read'] } },
    async decide({ tool: name }) {
      asked.push(name)
      return name === 'pay'
        ? { as: 'approve', minutes: 5, reason: 'seen' }
        : { as: 'block', reason: 'not that one' }
    },
  })
  const schema = {
    type: 'object',
    properties: { what: { type: 'string' } },
    required: ['what'],
    additionalProperties: false,
  }
  const names = ['look', 'crash', 'pay', 'wipe']
  const tools = names.map((name) =>
    tool(
      async ({ what }) => {
        made.push(`${name} ${what}`)
        if (name === 'crash') throw new Error('the till is stuck')
        return `${name}: ${what} done`
      },
      { name, description: `Can ${name}`, schema },
    ),
  )
  const calls = names.map((name) => ({
    type: 'tool_call',
    id: `id-${name}`,
    name,
    args: { what: `"${name}" é` },
  }))
  const script = [new AIMessage({ content: '', tool_calls: calls }), new AIMessage({ content: 'Done.' })]
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', () => ({ messages: [script.shift()] }))
    .addNode('tools', new ToolNode(accountable(tools, session)))
    .addEdge('__start__', 'model')
    .addConditionalEdges('model', toolsCondition)
    .addEdge('tools', 'model')
    .compile()
  const { messages } = await graph.invoke({ messages: [{ role: 'user', content: 'Go.' }] })

  const answers = messages.filter(({ tool_call_id: id }) => id !== undefined)
  expect(answers.map(({ tool_call_id: id, status, content }) => [id, status, content])).toEqual([
    ['id-look', 'success', 'look: "look" é done'],
    ['id-crash', 'error', expect.stringContaining('the till is stuck')],
    ['id-pay', 'success', 'pay: "pay" é done'],
    ['id-wipe', 'error', expect.stringContaining('(wipe) was not allowed: ')],
  ])
  expect(answers.at(-1)?.content).toContain('not that one')
  expect(made.sort()).toEqual(['crash "crash" é', 'look "look" é', 'pay "pay" é'])
  expect(asked.sort()).toEqual(['pay', 'wipe'])

  const { status, proven } = await session.close()
  expect([status, proven[0]?.text]).toEqual([
    'completed',
    expect.stringMatching(/announced 4 tool calls: 2 completed, 1 failed, 1 was blocked/),
  ])
  const { store } = storage.ports
  const bundle = await wholeBundle(store, session.trace)
  const report = await examine(bundle, store, { keys: [], checkpoints: [] }, await loadProtocols(bundle))
  expect(report.failures.map(({ code }) => code)).toEqual(['TRUST_UNPINNED'])
})
