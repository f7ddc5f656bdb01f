// A tool that does what a verb of the command does calls that verb: there is one way to list, show or verify a trace.

import type { Call, Verb } from '../cli/command.ts'
import { NO_PAINT } from '../cli/paint.ts'
import { findTrace } from '../cli/trace-name.ts'
import { openVault } from '../home.ts'
import type { Answer, Desk, Session } from './tool.ts'

type Given = Readonly<Record<string, string | true | readonly string[]>>

const WIDTH = 100

export async function runVerb(
  verb: Verb,
  { desk, progress }: Session,
  args: readonly string[],
  options: Given = {},
): Promise<Answer> {
  const text = (name: string): string | null => {
    const value = options[name]
    return typeof value === 'string' ? value : null
  }
  const call: Call = {
    args,
    home: desk.home,
    postgres: desk.postgres,
    text,
    flag: (name) => options[name] === true,
    texts: (name) => [options[name] ?? []].flat().map(String),
    count: (name) => (text(name) === null ? null : Number(text(name))),
    paint: NO_PAINT,
    width: WIDTH,
    progress,
  }
  const { value, lines } = await verb(call)
  return { value, text: lines.join('\n') }
}

/** The id of a trace of this home. A name that could be a file is looked up here and nowhere else. */
export async function traceOf({ home, postgres }: Desk, name: string): Promise<string> {
  const vault = await openVault({ directory: home, mode: 'read', postgres })
  try {
    return await findTrace(vault, name)
  } finally {
    await vault.close()
  }
}
