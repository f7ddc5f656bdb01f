// `witan council`: the long form, in any mode.

import { MODES } from '../../../council/replies/opinion.ts'
import type { Verb } from '../command.ts'
import { convene } from '../council/convene.ts'
import { readQuestion, wishesOf } from '../council/flags.ts'

export const run: Verb = async (call) => {
  const question = await readQuestion(call.args[0], 'council')
  const mode = MODES.find((one) => one === call.text('mode')) ?? 'ask'
  return convene(call, wishesOf(call, { mode, question, words: null }))
}
