// Passphrases are typed by people: they are asked for at a terminal only, and what is typed is not shown.

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { WitanError } from '../../ledger/errors.ts'
import { usage } from './parse.ts'

export const isAtTerminal = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY)

/** KEY_LOCKED where there is no terminal. */
export async function askPassphrase(question: string): Promise<string> {
  if (!isAtTerminal()) {
    const why = 'a passphrase protects this key, and there is no terminal to ask for it on'
    throw new WitanError('KEY_LOCKED', why, 'Run this command at a terminal.')
  }
  process.stderr.write(question)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true })
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

const LEAST = 8

/** Asked for twice, since nobody sees what is typed. */
export async function newPassphrase(agent: string): Promise<string> {
  if (!isAtTerminal()) throw usage('no terminal to ask for the passphrase on', 'Run this at a terminal.')
  const passphrase = await askPassphrase(`New passphrase for ${agent}: `)
  if (passphrase.length < LEAST)
    throw usage(`the passphrase is shorter than ${LEAST} characters`, 'Try again.')
  if ((await askPassphrase('The same once more: ')) !== passphrase)
    throw usage('the two are not the same', 'Try again.')
  return passphrase
}
