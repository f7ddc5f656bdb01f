// `witan exchange chat`: the observer sits in the room while the pool runs.

import { withPool } from '../../../app/exchange/pool-run.ts'
import { chat } from '../chat/chat.ts'
import type { Verb } from '../command.ts'

export const run: Verb = (call) => withPool(call, { chat: true }, chat)
