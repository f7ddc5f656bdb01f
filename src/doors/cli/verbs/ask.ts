// `witan ask`: an open question before a council.

import type { Verb } from '../command.ts'
import { convene } from '../council/convene.ts'
import { readQuestion, wishesOf } from '../council/flags.ts'

export const run: Verb = async (call) => {
  const question = await readQuestion(call.args[0], 'ask')
  return convene(call, wishesOf(call, { mode: 'ask', question, words: null }))
}
