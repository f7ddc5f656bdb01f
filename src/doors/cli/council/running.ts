// `resume`, `fork`, `retry` and `abort` for councils.

import { abortCouncil, type GoingOn, resumeCouncil, seatsFromSettings } from '../../../app/council/council.ts'
import { askToShare, forkCouncil, makeAmendment } from '../../../app/council/fork.ts'
import { readGate } from '../../../app/council/plan.ts'
import { retryCouncil } from '../../../app/council/retry.ts'
import { worldHere } from '../../../app/council/seating.ts'
import { personName, runKitOf } from '../../../app/home/signers.ts'
import { type Call, EXIT, type Outcome, type Place, readTimeout, usage } from '../command.ts'
import { queueTrace } from '../run-trace.ts'
import { personAt, readSettings } from '../terminal.ts'
import { readList, readMoney } from '../verbs/council.ts'
import { follow, runAndPresent } from './present.ts'

export { follow } from './present.ts'

const resumeOptions = (call: Call): GoingOn => ({
  convener: personName(),
  async seatsFor(opened) {
    if (!opened.scripted) return seatsFromSettings(() => readSettings(call), worldHere())(opened)
    return (await import('../../../app/demo/council-demo.ts')).scriptedSeats(1)
  },
})

const gateOf = (call: Call) => readGate(call.text('fail-on'))

export const resume = async ({ home, trace, call }: Place): Promise<Outcome> =>
  runAndPresent(await resumeCouncil(runKitOf(home), trace, resumeOptions(call)), call, gateOf(call))

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
  const after = readAfter(call.text('after') ?? '')
  const seatFlags = `${wish.seats.length > 0 ? ` --seats ${wish.seats.join(',')}` : ''}${wish.chair === null ? '' : ` --chair ${wish.chair}`}`
  const council = await forkCouncil(runKitOf(home), trace, {
    ...resumeOptions(call),
    after,
    amend: (opened) => makeAmendment(opened, wish, () => readSettings(call), worldHere()),
    allow: (sharing) =>
      askToShare(home.directory, sharing, {
        person: personAt(call),
        consented: call.flag('yes'),
        command: `witan fork ${trace} --after ${after}${seatFlags} --yes`,
      }),
  })
  return runAndPresent(council, call, gateOf(call))
}

export async function retry({ home, trace, call }: Place): Promise<Outcome> {
  const wish = { seats: readList(call.texts('seats')), timeoutMs: readTimeout(call.text('timeout')) }
  const council = await retryCouncil(runKitOf(home), trace, { ...resumeOptions(call), ...wish })
  if (call.flag('queue')) return queueTrace(home, council.trace, call, follow)
  return runAndPresent(council, call, gateOf(call))
}

export async function abort({ home, trace, call }: Place): Promise<Outcome> {
  const reason = call.text('reason') ?? ''
  const council = await abortCouncil(runKitOf(home), trace, { ...resumeOptions(call), reason })
  const outcome = await runAndPresent(council, call, gateOf(call))
  return { ...outcome, exit: EXIT.aborted }
}
