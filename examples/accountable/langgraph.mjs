// A graph of LangGraph whose ToolNode calls accountable tools. The model is scripted here; put yours in its place.
// Needs: npm i @langchain/core @langchain/langgraph

import { AIMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { accountable, openAccountable } from 'witan/agents'
import { z } from 'zod'

const session = await openAccountable({
  order: { objective: 'Answer customers' },
  name: 'desk',
  gate: true,
  effects: { lookUp: ['read'], refund: ['destroy'] },
  decide: async ({ tool }) => ({ as: 'block', reason: `${tool}: above the limit of the desk` }),
})
const order = z.object({ order: z.string() })
const tools = accountable(
  [
    tool(async ({ order }) => `${order} was paid twice`, {
      name: 'lookUp',
      description: 'An order',
      schema: order,
    }),
    tool(async ({ order }) => `${order} refunded`, {
      name: 'refund',
      description: 'Pays back',
      schema: order,
    }),
  ],
  session,
)

const callOf = (name, id) => ({ type: 'tool_call', name, id, args: { order: 'A-17' } })
const script = [
  new AIMessage({ content: '', tool_calls: [callOf('lookUp', 'call-1')] }),
  new AIMessage({ content: '', tool_calls: [callOf('refund', 'call-2')] }),
  new AIMessage('Somebody will call you.'),
]
const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', () => ({ messages: [script.shift()] }))
  .addNode('tools', new ToolNode(tools))
  .addEdge('__start__', 'model')
  .addConditionalEdges('model', toolsCondition)
  .addEdge('tools', 'model')
  .compile()

const { messages } = await graph.invoke({ messages: [{ role: 'user', content: 'I paid twice.' }] })
for (const { content } of messages.filter(({ content }) => content !== '')) console.log(content)
const { status, proven } = await session.close()
console.log(`${status}: ${proven[0].text}`)
