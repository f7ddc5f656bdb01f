// `witan exchange run`: opens an exchange on terms, or goes on with one, for so many rounds.

import { bookOf, openExchange, signersOf } from '../../exchange/opening.ts'
import { grant, runPool, seatsFor } from '../../exchange/running.ts'
import { openSense } from '../../exchange/senses.ts'
import { readTermsFile } from '../../exchange/terms-file.ts'
import { employ, openOrFound } from '../../signers.ts'
import type { Verb } from '../command.ts'
import { usage } from '../parse.ts'
import { checkOutputs } from '../run-trace.ts'
import { findTrace } from '../trace-name.ts'

const ROUNDS = 20

export const run: Verb = async (call) => {
  await checkOutputs(call)
  const file = call.text('terms')
  const [name] = call.args
  if ((file === null) === (name === undefined))
    throw usage('name either a trace or --terms FILE', 'A trace goes on; terms begin a new exchange.')
  const read = file === null ? null : await readTermsFile(file)
  const every = call.count('audit-every')
  const begun = read && every !== null ? { ...read, auditor: { ...read.auditor, every } } : read
  const home = await openOrFound({ directory: call.home, postgres: call.postgres })
  try {
    const found = begun ? null : await bookOf(home, await findTrace(home.vault, name ?? ''))
    const terms = begun ?? found?.state.inner.terms
    if (!terms) throw usage(`${name} is no exchange`, 'See `witan list`.')
    const { minds, models } = await seatsFor(home, terms)
    const registrar = await employ(home, signersOf(terms))
    const sense = await openSense(home.directory)
    try {
      const opened = { encoder: sense.encoder, seats: models }
      const book = found ?? (await openExchange(home, registrar, terms, opened))
      await grant(registrar, book, call.count('rounds') ?? ROUNDS, 'run')
      return await runPool({ home, registrar, book, minds, sense, call })
    } finally {
      await sense.close()
    }
  } finally {
    await home.close()
  }
}
