// Plain functions, made accountable: every call is signed before it runs and recorded with what came out.

import { accountable, openAccountable } from 'witan/agents'

const session = await openAccountable({ order: { objective: 'Add up the orders' }, name: 'orders' })
const { add } = accountable({ add: (a, b) => a + b }, session)

console.log(await add(19, 23))
const { status, proven } = await session.close()
console.log(`${status}: ${proven[0].text}`)
