// `witan outcome`: records how a council turned out, according to a person.

import { recordOutcome } from '../../../app/eval/outcome.ts'
import { openOrCreateHome } from '../../../app/home/signers.ts'
import { plain } from '../../../render/plain.ts'
import { locationOf, usage, type Verb } from '../command.ts'

export const outcome: Verb = async (call) => {
  const [name = '', ...words] = call.args
  const text = words.join(' ').trim()
  if (text === '')
    throw usage('nothing was said of how it turned out', 'Say right, wrong, or a note in quotes.')
  const home = await openOrCreateHome(locationOf(call))
  try {
    const value = await recordOutcome(home, name, text)
    const noted = value.note === '' ? '' : `: ${plain(value.note)}`
    return {
      value,
      lines: [`${value.council.trace} turned out ${value.outcome ?? 'as noted'}${noted}`],
      hints: ['', 'Who was how often right: witan doctor'],
    }
  } finally {
    await home.close()
  }
}
