// The person at the terminal: asked on stderr, answering on stdin. The subject of a question is shown first.

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Settings } from '../../app/config/config.ts'
import { NO_PERSON, type Person, type Sending, withoutTypedSecrets } from '../../app/person.ts'
import { WitanError } from '../../ledger/errors.ts'
import { NO_PAINT, type Paint, plain } from '../../render/plain.ts'
import { removedLine } from '../../render/preview.ts'
import { type Call, readTimeout, usage } from './command.ts'

// A question to the person at the terminal, whose answer is no unless it is yes.

export const isYes = (answer: string): boolean => /^\s*y(es)?\s*$/i.test(answer)

export async function saysYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // The readline interface handles Ctrl-C itself; a person who presses it wants to leave.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return isYes(await terminal.question(question))
  } finally {
    terminal.close()
  }
}

// Passphrases are typed by people: they are asked for at a terminal only, and the input is not shown.

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

/** Asked for twice, since the input is not visible. */
export async function newPassphrase(agent: string): Promise<string> {
  if (!isAtTerminal()) throw usage('no terminal to ask for the passphrase on', 'Run this at a terminal.')
  const passphrase = await askPassphrase(`New passphrase for ${agent}: `)
  if (passphrase.length < LEAST)
    throw usage(`the passphrase is shorter than ${LEAST} characters`, 'Try again.')
  if ((await askPassphrase('The same once more: ')) !== passphrase)
    throw usage('the two are not the same', 'Try again.')
  return passphrase
}

// How a command was given. For decisions that bind others, the person at the terminal is asked, and only an
// answer counts.

/** Whether the command was given at a terminal, without asking further. */
export const meansHere = (): 'terminal' | 'none' => (isAtTerminal() ? 'terminal' : 'none')

/** How it was confirmed: `none` where there is no terminal to ask on. Throws when the answer is no. */
export async function confirmHere(question: string): Promise<'terminal' | 'none'> {
  if (!isAtTerminal()) return 'none'
  if (await saysYes(question)) return 'terminal'
  throw new WitanError('APPROVAL_UNPROVEN', 'nothing was recorded', 'Answer yes to go on.')
}

// Tells the user what was removed from their text.

type Listener = Pick<Call, 'flag'>

/** On stderr, also where a program reads the output. */
export function tellRemoved(removed: number, call: Listener): void {
  if (removed === 0 || call.flag('quiet')) return
  const clear = process.stderr.isTTY ? '\r\u001b[2K' : ''
  process.stderr.write(`${clear}${removedLine(removed)}\n`)
}

/** The text without secrets; removals are reported. */
export async function cleanTyped<Value>(value: Value, call: Listener): Promise<Value> {
  const typed = await withoutTypedSecrets(value)
  tellRemoved(typed.removed, call)
  return typed.value
}

interface Manner {
  readonly json: boolean
  readonly quiet: boolean
}

interface Look {
  readonly paint: Paint
  readonly width: number
}

async function makeLines({ material, folders, providers }: Sending, look: Look): Promise<readonly string[]> {
  if (material.kind === 'council') {
    const { previewLines } = await import('../../render/preview.ts')
    return previewLines(material.preview, look)
  }
  if (material.kind === 'fork') {
    const { trace, files, bytes } = material
    return [
      'What would be sent, and who gets it',
      `  The fork gives ${plain(providers.join(', '))} a seat that they did not have in ${trace}.`,
      `  They are shown what was laid before it (${files} file${files === 1 ? '' : 's'}, ${bytes} bytes), and what was said there.`,
    ]
  }
  return [
    'What would be sent, and who gets it',
    `  The task ${plain(material.task)} lets ${plain(providers.join(', '))} think in a session.`,
    `  They are shown what its tools (${plain(material.tools.join(', '))}) give back from:`,
    ...folders.map((folder) => `  ${plain(folder)}`),
  ]
}

/** NO_PERSON where none can be asked: no terminal, or a machine reads the output. */
export function terminalPerson({ json, quiet }: Manner, look: Look = { paint: NO_PAINT, width: 80 }): Person {
  if (!process.stdin.isTTY || !process.stderr.isTTY || json || quiet) return NO_PERSON
  return {
    async trustsFile({ file, faults }) {
      const lines = faults.flatMap(({ line, key, value = [] }) => [
        `  line ${line}  ${plain(key)}`,
        ...value.map((one) => `    | ${plain(one)}`),
      ])
      process.stderr.write(
        `\r\u001b[2K${plain(file)} wants to decide what runs on this machine and who is asked:\n${lines.join('\n')}\n`,
      )
      return saysYes('Did you read it, and trust it as it is now? [y/N] ')
    },
    async allowsSending(sending) {
      const lines = await makeLines(sending, look)
      process.stderr.write(`\r\u001b[2K${lines.join('\n')}\n\n`)
      return saysYes(`Send this to ${sending.newcomers.join(', ')}? [y/N] `)
    },
  }
}

export const personAt = (call: Call): Person =>
  terminalPerson({ json: call.flag('json'), quiet: call.flag('quiet') }, call)

/** The settings that apply here; a person at the terminal may be asked whether a file is trusted. */
export async function readSettings(call: Call): Promise<Settings> {
  const { loadSettings } = await import('../../app/config/config.ts')
  const person = personAt(call)
  const timeoutMs = readTimeout(call.text('timeout'))
  return loadSettings({ home: call.home, from: process.cwd(), file: call.text('config'), person, timeoutMs })
}
