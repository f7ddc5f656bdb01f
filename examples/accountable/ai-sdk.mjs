// Tools of the AI SDK, gated: what a tool does is said once, and a call that the policy leaves to a person asks `decide`.

import { tool } from 'ai'
import { accountable, openAccountable } from 'witan/agents'
import { z } from 'zod'

const session = await openAccountable({
  gate: true,
  name: 'weather',
  effects: { weather: ['read'], sendMail: ['write', 'network'] },
  decide: async ({ tool: name }) =>
    name === 'sendMail' ? { as: 'block', reason: 'nobody asked for mail' } : null,
})
const tools = accountable(
  {
    weather: tool({
      description: 'The weather of a town',
      inputSchema: z.object({ town: z.string() }),
      execute: async ({ town }) => `It rains in ${town}.`,
    }),
    sendMail: tool({
      description: 'Sends a mail',
      inputSchema: z.object({ to: z.string() }),
      execute: async () => 'sent',
    }),
  },
  session,
)

// As `generateText({ model, tools })` does for its model.
console.log(await tools.weather.execute({ town: 'York' }, { toolCallId: 'call-a', messages: [] }))
console.log(
  await tools.sendMail
    .execute({ to: 'all' }, { toolCallId: 'call-b', messages: [] })
    .catch(({ message }) => message),
)
const { status, proven } = await session.close()
console.log(`${status}: ${proven[0].text}`)
