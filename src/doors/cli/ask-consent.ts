// Before a folder's contents go to a provider for the first time, the person at the keyboard sees what would be sent
// to whom and says yes. Where nobody sits, only what someone chose beforehand counts: `--yes`, seats named on the
// command line or in a file of one's own, or consent given before.

import { consent, strangers } from '../../app/home/consents.ts'
import { WitanError } from '../../ledger/errors.ts'
import type { Call } from './command.ts'
import { saysYes } from './yes-or-no.ts'

export interface Sending {
  /** The folders whose contents would leave. */
  readonly folders: readonly string[]
  /** To whom, by the names of providers; nobody when all of it stays on this machine. */
  readonly providers: readonly string[]
  /** They were named by someone whose word counts here. */
  readonly chosen: boolean
  /** What would be sent to whom, as lines. */
  readonly preview: () => readonly string[]
  /** How consent is given where nobody can be asked. */
  readonly next: string
  /** What else can be done by whoever said no. */
  readonly instead: string
}

const unasked = (folder: string, providers: readonly string[], next: string): WitanError =>
  new WitanError(
    'USAGE',
    `${folder} was never shown to ${providers.join(', ')}, and nobody is here to be asked`,
    next,
  )

/** Returns when it may be sent, and remembers that; throws when not. */
export async function askConsent(home: string, call: Call, sending: Sending): Promise<void> {
  const { folders, providers, chosen, preview, next, instead } = sending
  const yes = call.flag('yes')
  const unknown = await Promise.all(
    folders.map(async (folder) => ({ folder, to: await strangers(home, folder, providers) })),
  )
  const open = unknown.filter(({ to }) => to.length > 0)
  const [first] = open
  if (first === undefined) return
  // Where a host holds the reins, the terminal is somebody else's.
  const isHere = process.stdin.isTTY && process.stderr.isTTY && call.signal === undefined
  if (!yes && !(isHere && !call.flag('json') && !call.flag('quiet'))) {
    if (chosen) return
    throw unasked(first.folder, first.to, next)
  }
  if (!yes) {
    const whom = [...new Set(open.flatMap(({ to }) => to))]
    process.stderr.write(`\r\u001b[2K${preview().join('\n')}\n\n`)
    if (!(await saysYes(`Send this to ${whom.join(', ')}? [y/N] `))) {
      throw new WitanError('USAGE', 'nothing was sent', instead)
    }
  }
  for (const { folder, to } of open) await consent(home, folder, to)
}
