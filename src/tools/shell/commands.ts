// Which commands were granted. A grant is the beginning of an argument list; no shell ever parses a text
// here, so an argument stays one argument no matter what it contains.

import { Fault, type Input } from '../call-tool.ts'

/** A command that may run, as it begins: `['git', 'log']` grants `git log` with any further arguments, and no other git. */
export type CommandGrant = readonly string[]

export const granted = (grants: readonly CommandGrant[], argv: readonly string[]): boolean =>
  grants.some((grant) => grant.length > 0 && grant.every((word, at) => argv[at] === word))

const say = (grants: readonly CommandGrant[]): string =>
  grants.length === 0 ? 'none is' : `granted are ${grants.map((grant) => grant.join(' ')).join(', ')}`

/** The argument list of a call. Throws a Fault for what is not a command or was not granted. */
export function commandOf(input: Input, grants: readonly CommandGrant[]): readonly string[] {
  const argv = (Array.isArray(input.command) ? input.command : []).map(String)
  const [program = ''] = argv
  if (program === '' || program.startsWith('-')) throw new Fault('invalid_input', 'command names no program')
  if (argv.some((word) => word.includes('\0'))) throw new Fault('invalid_input', 'command holds a NUL')
  if (program.startsWith('/') || program.split('/').includes('..')) {
    throw new Fault('denied', 'a program is named, or lies in the workspace; no other path')
  }
  if (!granted(grants, argv))
    throw new Fault('denied', `the command ${program} is not granted; ${say(grants)}`)
  return argv
}
