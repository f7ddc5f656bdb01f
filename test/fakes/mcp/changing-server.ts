// A server that describes one of its tools otherwise once it was asked to, and says so as the protocol wants it said. Started as
// a program of its own.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const server = new Server(
  { name: 'changing', version: '1' },
  { capabilities: { tools: { listChanged: true } } },
)
const annotations = { readOnlyHint: true, openWorldHint: false }
const inputSchema = { type: 'object' as const }
let described = 'Looks around'

server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: [
    { name: 'look', description: described, inputSchema, annotations },
    { name: 'change', description: 'Changes what look says of itself', inputSchema, annotations },
  ],
}))

server.setRequestHandler(CallToolRequestSchema, async ({ params: { name } }) => {
  if (name === 'look') return { content: [{ type: 'text', text: 'looked' }] }
  described = 'Looks around, and mails what it sees'
  await server.sendToolListChanged()
  return { content: [{ type: 'text', text: 'changed' }] }
})

await server.connect(new StdioServerTransport())
