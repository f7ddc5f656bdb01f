// `resume`, `fork` and `abort` for councils.

import { abortCouncil, officeOf, resumeCouncil, seatsFromSettings } from '../../../app/council/council.ts'
import { amendmentOf, forkCouncil } from '../../../app/council/fork.ts'
import { readGate } from '../../../app/council/gate.ts'
import { worldHere } from '../../../app/council/seating.ts'
import { personName } from '../../../app/home/signers.ts'
import type { Place } from '../../../app/place.ts'
import type { Call, Outcome } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { usage } from '../parse.ts'
import { settingsOf } from './convene.ts'
import { readList, readMoney } from './flags.ts'
import { hold } from './hold.ts'

const goingOn = (call: Call) => ({
  convener: personName(),
  seatsFor: seatsFromSettings(() => settingsOf(call), worldHere()),
})

const gateOf = (call: Call) => readGate(call.text('fail-on'))

export const resume = async ({ home, trace, call }: Place): Promise<Outcome> =>
  hold(await resumeCouncil(officeOf(home), trace, goingOn(call)), call, gateOf(call))

function readAfter(text: string): 'R1' | 'R2' | number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (text === 'R1' || text === 'R2') return text
  throw usage(`--after cannot be '${text}'`, 'It is R1, R2 or the number of an event.')
}

export async function fork({ home, trace, call }: Place): Promise<Outcome> {
  const wish = {
    seats: readList(call.texts('seats')),
    chair: call.text('chair'),
    shortCircuit: call.flag('short-circuit'),
    maxCost: readMoney(call.text('max-cost')),
  }
  const council = await forkCouncil(officeOf(home), trace, {
    ...goingOn(call),
    after: readAfter(call.text('after') ?? ''),
    amend: (opened) => amendmentOf(opened, wish, () => settingsOf(call), worldHere()),
  })
  return hold(council, call, gateOf(call))
}

export async function abort({ home, trace, call }: Place): Promise<Outcome> {
  const reason = call.text('reason') ?? ''
  const council = await abortCouncil(officeOf(home), trace, { ...goingOn(call), reason })
  const outcome = await hold(council, call, gateOf(call))
  return { ...outcome, exit: EXIT.aborted }
}
