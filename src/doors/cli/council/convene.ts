// From a question at the command line to a council that is held: planned, looked at or consented to, opened, driven.
// Nothing is sent and nothing is recorded before all of it is known to be possible.

import { loadSettings, type Settings } from '../../../app/config/config.ts'
import { beginCouncil, officeOf } from '../../../app/council/council.ts'
import { allowCouncil, planCouncil, previewCouncil } from '../../../app/council/plan.ts'
import { namedSeating, type Seating, worldHere } from '../../../app/council/seating.ts'
import { openOrFound, personName } from '../../../app/home/signers.ts'
import { heard } from '../../../app/typed-words.ts'
import { previewLines } from '../../../render/preview.ts'
import type { Call, Outcome } from '../command.ts'
import { usage } from '../parse.ts'
import { checkOutputs } from '../run-trace.ts'
import { personAt } from '../terminal-person.ts'
import type { Wishes } from './flags.ts'
import { hold } from './hold.ts'

export const settingsOf = (call: Call): Promise<Settings> =>
  loadSettings({ home: call.home, from: process.cwd(), file: call.text('config'), person: personAt(call) })

/** A gate needs someone who can judge; checks alone count only for those who chose them knowingly. */
function refuseUnfitGate({ gate, seats }: Wishes, { panel }: Seating): void {
  if (gate === null || !panel || seats.includes('embedded')) return
  throw usage(
    'no model is ready, and a gate on checks alone has to be chosen',
    'Set up a provider (witan doctor), or say so with --seats embedded.',
  )
}

export async function convene(call: Call, typed: Wishes): Promise<Outcome> {
  await checkOutputs(call)
  const { question, constraints, focus } = typed
  const wishes = { ...typed, ...(await heard({ question, constraints, focus }, call)) }
  call.progress('Looking who is ready…')
  const settings = await settingsOf(call)
  const seating = await namedSeating(wishes, settings, worldHere())
  refuseUnfitGate(wishes, seating)
  call.progress('Reading what is to be laid before the council…')
  const material = { settings: settings.council, from: process.cwd(), context: wishes }
  const plan = await planCouncil(wishes, seating, material)
  if (wishes.preview) {
    const preview = await previewCouncil(plan)
    const lines = previewLines(preview, call)
    return { value: preview, lines, brief: lines }
  }
  const home = await openOrFound({ directory: call.home, postgres: call.postgres })
  try {
    const convening = await allowCouncil(home, plan, {
      person: personAt(call),
      given: call.flag('yes'),
      unasked: {
        why: 'nobody is here to be asked',
        next: 'Look with --preview; then give --yes, or name the seats with --seats.',
      },
      instead: 'Name other seats with --seats, or less with --context.',
    })
    const { seats } = seating
    const council = await beginCouncil(officeOf(home), convening, { convener: personName(), seats })
    return await hold(council, call, wishes.gate)
  } finally {
    await home.close()
  }
}
