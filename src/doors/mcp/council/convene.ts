// From what a host asks to a council that is held. The host convenes under a name of its own, which is nobody's; what
// lies in the folder goes to others only where a person allowed that before.

import { loadSettings, type Settings } from '../../../app/config/config.ts'
import { openCouncil, signersOf } from '../../../app/council/open-council.ts'
import { policyOf } from '../../../app/council/policy.ts'
import { strangers } from '../../../app/home/consents.ts'
import { employ, openOrFound } from '../../../app/home/signers.ts'
import { withoutTypedSecrets } from '../../../app/typed-words.ts'
import type { CouncilPolicy } from '../../../council/policy.ts'
import type { Mode } from '../../../council/replies/opinion.ts'
import { WitanError } from '../../../ledger/errors.ts'
import type { Desk } from '../tool.ts'
import { type Given, type Laid, layGiven } from './context.ts'
import { HOST, HostSeats } from './host-seat.ts'
import { Sitting } from './sitting.ts'
import type { HostTable } from './table.ts'

/** Who convenes when a tool is called: the host, never the person before it. */
export const CONVENED_BY = 'mcp-host'

export interface Asked {
  readonly question: string
  readonly mode: Mode
  readonly given: Given
}

export const settingsOf = ({ home, config }: Desk): Promise<Settings> =>
  loadSettings({ home, from: process.cwd(), file: config })

/** What the prompt of a host's seat may quote: tools that answer at greater length are cut off by hosts. */
const MOST_FOR_HOST = 80_000

function refuseTooMuch({ records }: HostTable, laid: Laid | null): void {
  if (laid === null || laid.record.bytes <= MOST_FOR_HOST) return
  if (!records.some(({ provider }) => provider === HOST)) return
  throw new WitanError(
    'USAGE',
    `${laid.record.bytes} bytes of context are more than a host's model can be asked with`,
    `Name less: at most ${MOST_FOR_HOST} bytes.`,
  )
}

async function refuseUnallowed(home: string, table: HostTable, laid: Laid | null): Promise<void> {
  if (laid?.folder == null || table.chosen || table.providers.length === 0) return
  const unknown = await strangers(home, laid.folder, table.providers)
  if (unknown.length === 0) return
  throw new WitanError(
    'USAGE',
    `${laid.folder} was never shown to ${unknown.join(', ')}, and a tool call cannot allow it`,
    'A person allows it once: witan council "…" --context . --yes. Or give the text itself as context.',
  )
}

/** A person or a host needs longer than a vendor's server: an hour, where nobody set a round's time. */
const HOST_ROUND_MS = 3_600_000

function patient(policy: CouncilPolicy): CouncilPolicy {
  const { r1_round, r2_round } = policy.timeouts
  const timeouts = { r1_round: r1_round ?? HOST_ROUND_MS, r2_round: r2_round ?? HOST_ROUND_MS }
  return { ...policy, timeouts: { ...policy.timeouts, ...timeouts } }
}

export async function convene(
  desk: Desk,
  { question: typed, mode, given }: Asked,
  settings: Settings,
  seat: (host: HostSeats) => Promise<HostTable>,
): Promise<Sitting> {
  desk.sittings.refuseMore()
  let wake = (): void => undefined
  const host = new HostSeats(() => wake())
  const table = await seat(host)
  const { value: question } = await withoutTypedSecrets(typed)
  const laid = await layGiven(process.cwd(), given)
  refuseTooMuch(table, laid)
  const wish = { shortCircuit: false, maxCost: null, panel: table.panel }
  const base = policyOf(settings.council, wish)
  const policy = table.records.some(({ provider }) => provider === HOST) ? patient(base) : base
  const home = await openOrFound({ directory: desk.home, postgres: desk.postgres })
  try {
    await refuseUnallowed(home.directory, table, laid)
    const registrar = await employ(home, signersOf(CONVENED_BY, table.records))
    const log = await openCouncil(home.ports, registrar, CONVENED_BY, {
      question,
      mode,
      seats: table.records,
      chairs: table.chairs,
      labelled: false,
      policy,
      context: laid,
      follow: null,
    })
    const sitting = desk.sittings.add(new Sitting({ home, registrar, log, seats: table.seats, host }))
    wake = () => sitting.wake()
    return sitting
  } catch (error) {
    await home.close()
    throw error
  }
}
