// From a question at the command line to a council that is held: the table, what is laid before it, consent, the
// home and its keys, the opening. Nothing is sent and nothing is recorded before all of it is known to be possible.

import { loadSettings, type Settings } from '../../../app/config/config.ts'
import { lay } from '../../../app/council/council-context.ts'
import { type CouncilTable, councilTable } from '../../../app/council/council-table.ts'
import { followUp } from '../../../app/council/follow-up.ts'
import { openCouncil, signersOf } from '../../../app/council/open-council.ts'
import { policyOf } from '../../../app/council/policy.ts'
import { councilPreview } from '../../../app/council/preview.ts'
import { employ, openOrFound, personName } from '../../../app/home/signers.ts'
import { heard } from '../../../app/typed-words.ts'
import { previewLines } from '../../../render/preview.ts'
import { askConsent } from '../ask-consent.ts'
import type { Call, Outcome } from '../command.ts'
import { usage } from '../parse.ts'
import { checkOutputs } from '../run-trace.ts'
import { personAt } from '../terminal-person.ts'
import type { Wishes } from './flags.ts'
import { holdCouncil } from './hold.ts'

export const settingsOf = (call: Call): Promise<Settings> =>
  loadSettings({
    home: call.home,
    from: process.cwd(),
    file: call.text('config'),
    person: personAt(call),
  })

/** A gate needs someone who can judge; checks alone count only for whoever chose them knowingly. */
function refuseUnfitGate({ gate, seats }: Wishes, { from }: CouncilTable): void {
  if (gate === null || from !== 'embedded' || seats.includes('embedded')) return
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
  const world = { env: process.env, signal: new AbortController().signal }
  const table = await councilTable(wishes, settings, world)
  refuseUnfitGate(wishes, table)
  call.progress('Reading what is to be laid before the council…')
  const laid = await lay(process.cwd(), wishes)
  const policy = policyOf(settings.council, { ...wishes, panel: table.from === 'embedded' })
  const convening = {
    ...wishes,
    seats: table.records,
    chairs: table.chairs,
    policy,
    context: laid,
  }
  const preview = await councilPreview(convening, laid)
  if (wishes.preview) {
    return { value: preview, lines: previewLines(preview, call), brief: previewLines(preview, call) }
  }
  const home = await openOrFound({ directory: call.home, postgres: call.postgres })
  try {
    const follow = wishes.follow === null ? null : await followUp(home, wishes.follow)
    // A report may quote what its council was shown, and whose folder that was is not on record.
    const folder = laid?.folder ?? (follow === null ? null : process.cwd())
    if (folder !== null && table.from !== 'embedded') {
      await askConsent(home.directory, call, {
        folders: [folder],
        providers: table.records.map(({ provider }) => provider),
        chosen: table.chosen,
        material: { kind: 'council', preview },
        next: 'Look with --preview; then give --yes, or name the seats with --seats.',
        instead: 'Name other seats with --seats, or less with --context.',
      })
    }
    const convener = personName()
    const registrar = await employ(home, signersOf(convener, table.records))
    const log = await openCouncil(home.ports, registrar, convener, { ...convening, follow })
    const seats = new Map(table.seats.map(({ id, seat }) => [id, seat]))
    return await holdCouncil({ home, registrar, log, seats, call, gate: wishes.gate, convener })
  } finally {
    await home.close()
  }
}
