// From a host's request to a council. The host convenes under its own name, which is no person's; content of
// the folder goes to others only where a person allowed that before. Files must be inside the folder of the
// server, no matter what a path or a link says.

import { loadSettings, type Settings } from '../../../app/config/config.ts'
import { beginCouncil } from '../../../app/council/council.ts'
import type { Wanted } from '../../../app/council/council-context.ts'
import { type CreateMessage, HostSeats, sampledHost } from '../../../app/council/host-seats.ts'
import {
  allowCouncil,
  type CouncilPlan,
  type CouncilRequest,
  planCouncil,
  previewCouncil,
} from '../../../app/council/plan.ts'
import { HOST, type HostModel, type Seating } from '../../../app/council/seating.ts'
import { openOrCreateHome, runKitOf } from '../../../app/home/signers.ts'
import { NO_PERSON, withoutTypedSecrets } from '../../../app/person.ts'
import { durationIn } from '../../../ledger/clock.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { insideOf } from '../inside-folder.ts'
import { type Kit, locationOf, type Session } from '../tool.ts'
import { HeldCouncil } from './held-council.ts'

/** The convener of a tool call: the host, never the person before it. */
export const CONVENED_BY = 'mcp-host'

interface Given {
  readonly texts: readonly { readonly name: string; readonly text: string }[]
  readonly paths: readonly string[]
  /** What to compare, as git names it; empty for unmerged work; null for nothing. */
  readonly range: string | null
}

export interface Asked {
  readonly request: CouncilRequest
  readonly shown: Given
}

/** `timeout` as a host writes it: `90s`, `2m`. */
export function timeoutOf(timeout: string | undefined): number | null {
  const ms = timeout === undefined ? null : durationIn(timeout)
  if (timeout === undefined || (ms !== null && ms > 0)) return ms
  throw new WitanError('USAGE', `'${timeout}' is no duration`, 'Write it as 90s or 2m.')
}

export const readSettings = ({ home, config }: Kit, timeout?: string): Promise<Settings> =>
  loadSettings({ home, from: process.cwd(), file: config, timeoutMs: timeoutOf(timeout) })

const wantedOf = (folder: string, { texts, paths, range }: Given): Wanted => ({
  context: paths.map((path) => insideOf(folder, path)),
  words: range === null ? null : [],
  range: range === '' ? null : range,
  texts,
})

/** The host's own model where the host declares sampling; revision 2026-07-28 has no such line. */
export function sampledIn({ context, declares }: Session): HostModel | null {
  if (context.mcpReq.envelope !== undefined || !declares('sampling')) return null
  return sampledHost({
    createMessage: context.mcpReq.requestSampling as unknown as CreateMessage,
    declared: () => declares('sampling'),
  })
}

/** A host may ask for less than the limits in the settings, never for more. */
function withinBudget(request: CouncilRequest, { council }: Settings): CouncilRequest {
  const bounds = [request.maxCost, council.budget?.cost].filter((bound) => typeof bound === 'number')
  return { ...request, maxCost: bounds.length > 0 ? Math.min(...bounds) : null }
}

/** How much the prompt of a host's seat may quote: hosts cut longer answers of tools. */
const MOST_FOR_HOST = 80_000

function refuseTooMuch({ loaded, seating }: CouncilPlan): void {
  if (loaded === null || loaded.record.bytes <= MOST_FOR_HOST) return
  if (!seating.records.some(({ provider }) => provider === HOST)) return
  throw new WitanError(
    'USAGE',
    `${loaded.record.bytes} bytes of context are more than a host's model can be asked with`,
    `Name less: at most ${MOST_FOR_HOST} bytes.`,
  )
}

export async function convene(
  kit: Kit,
  { request: typed, shown }: Asked,
  settings: Settings,
  seat: (host: HostSeats) => Promise<Seating>,
): Promise<HeldCouncil> {
  kit.sittings.refuseMore()
  let wake = (): void => undefined
  const host = new HostSeats(() => wake())
  const { question, constraints = [], focus = [] } = typed
  const { value: words } = await withoutTypedSecrets({ question, constraints, focus })
  const request = { ...typed, ...words }
  const seating = await seat(host)
  const from = process.cwd()
  const material = { settings: settings.council, from, context: wantedOf(from, shown) }
  const plan = await planCouncil(withinBudget(request, settings), seating, material)
  refuseTooMuch(plan)
  const { estimate } = await previewCouncil(plan)
  const home = await openOrCreateHome(locationOf(kit))
  try {
    const convening = await allowCouncil(home, plan, {
      person: NO_PERSON,
      consented: false,
      unasked: {
        why: 'a tool call cannot allow it',
        next: 'A person allows it once: witan council "…" --context . --yes. Or give the text itself as context.',
      },
      instead: '',
    })
    const { seats } = seating
    const council = await beginCouncil(runKitOf(home), convening, { convener: CONVENED_BY, seats })
    const sitting = kit.sittings.add(new HeldCouncil({ home, council, host, estimate }))
    wake = () => sitting.wake()
    return sitting
  } catch (error) {
    await home.close()
    throw error
  }
}
