// What can be answered from text alone: help, the version, and where to begin. It is built as a small program
// of its own, so that `witan --help` starts like bare Node: nothing else of the command is loaded, and no
// stream is opened.

import { packageVersion } from './command.ts'
import { commandHelp, groupHelp, orientation, overview } from './help.ts'
import { findCommand } from './parse.ts'

const HELP = ['--help', '-h', 'help']
const VERSION = ['--version', '-V', '-v', 'version']

function helpFor(words: readonly string[]): string {
  const target = findCommand(words)
  if (target.kind === 'none') return overview()
  return target.kind === 'group' ? groupHelp(target.name) : commandHelp(target.command)
}

/** Null where the arguments ask for something to be done. Throws for an unknown command. */
export function textFor(words: readonly string[]): string | null {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  if (own.includes('--help') || own.includes('-h') || own[0] === 'help')
    return helpFor(own.filter((word) => !HELP.includes(word)))
  if (VERSION.includes(own[0] ?? '')) return `witan ${packageVersion()}\n`
  return own.length === 0 ? orientation() : null
}

/** Writes to stdout, without its stream; returns what could not be written at once. */
export function writeAtOnce(text: string): Uint8Array {
  const { writeSync } = process.getBuiltinModule('node:fs')
  let rest: Uint8Array = Buffer.from(text)
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest))
  } catch {
    return rest
  }
  return rest
}
