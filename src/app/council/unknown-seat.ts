// Seats that cannot be had, and what can be typed instead.

import { WitanError } from '../../ledger/errors.ts'
import { nearest } from '../../ledger/text/nearest-word.ts'

export const unknownSeat = (name: string, known: readonly string[]): WitanError => {
  const meant = nearest(name, known)
  const hint = meant ? `Did you mean ${meant}? ` : ''
  return new WitanError(
    'USAGE',
    `no provider or seat is called '${name}'`,
    `${hint}There are: ${known.join(', ')}.`,
  )
}

export const noChair = (chair: string): WitanError =>
  new WitanError(
    'USAGE',
    `no model is ready, so '${chair}' cannot chair`,
    'Set up a provider (`witan doctor`), or leave --chair out: checks need none.',
  )
