// Before a folder's contents go to a provider for the first time, the person at the keyboard sees what would be sent
// to whom and says yes. Where nobody sits, only what someone chose beforehand counts: `--yes`, seats named on the
// command line or in a file of one's own, or consent given before.

import { WitanError } from '../../../ledger/errors.ts'
import { consent, strangers } from '../../consents.ts'
import type { Call } from '../command.ts'
import { saysYes } from '../yes-or-no.ts'

export interface Sending {
  /** The folder whose contents would leave. */
  readonly folder: string
  /** To whom, by the names of providers; nobody when all of it stays on this machine. */
  readonly providers: readonly string[]
  /** The seats were named by someone whose word counts here. */
  readonly chosen: boolean
  readonly yes: boolean
  /** What would be sent to whom, as lines. */
  readonly preview: () => readonly string[]
}

const declined = (): WitanError =>
  new WitanError('USAGE', 'nothing was sent', 'Name other seats with --seats, or less with --context.')

const unasked = (folder: string, providers: readonly string[]): WitanError =>
  new WitanError(
    'USAGE',
    `${folder} was never shown to ${providers.join(', ')}, and nobody is here to be asked`,
    'Look with --preview; then give --yes, or name the seats with --seats.',
  )

/** Returns when it may be sent, and remembers that; throws when not. */
export async function askConsent(home: string, call: Call, sending: Sending): Promise<void> {
  const { folder, providers, chosen, yes, preview } = sending
  const unknown = await strangers(home, folder, providers)
  if (unknown.length === 0) return
  const terminal = process.stdin.isTTY && process.stderr.isTTY && !call.flag('json') && !call.flag('quiet')
  if (!yes && !terminal) {
    if (chosen) return
    throw unasked(folder, unknown)
  }
  if (!yes) {
    process.stderr.write(`\r\u001b[2K${preview().join('\n')}\n\n`)
    if (!(await saysYes(`Send this to ${unknown.join(', ')}? [y/N] `))) throw declined()
  }
  await consent(home, folder, unknown)
}
