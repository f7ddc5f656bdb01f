// Tools of LangChain, as LangGraph's ToolNode calls them. Needs: npm i @langchain/core

import { tool } from '@langchain/core/tools'
import { accountable, openAccountable } from 'witan/agents'
import { z } from 'zod'

const session = await openAccountable({ order: { objective: 'Add' }, name: 'adder' })
const [add] = accountable(
  [
    tool(async ({ a, b }) => a + b, {
      name: 'add',
      description: 'Adds two numbers',
      schema: z.object({ a: z.number(), b: z.number() }),
    }),
  ],
  session,
)

const call = { type: 'tool_call', id: 'call-1', name: 'add', args: { a: 2, b: 3 } }
console.log((await add.invoke(call)).content)
const { status, proven } = await session.close()
console.log(`${status}: ${proven[0].text}`)
