// `witan review`: a change, or files as they stand, before a council.

import type { Verb } from '../command.ts'
import { convene } from '../council/convene.ts'
import { wishesOf } from '../council/flags.ts'

const QUESTION = 'Review this. Which faults are there, how grave are they, and may it go in as it is?'

export const run: Verb = (call) =>
  convene(call, wishesOf(call, { mode: 'review', question: QUESTION, words: call.args }))
