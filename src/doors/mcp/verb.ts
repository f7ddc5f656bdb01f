// A tool that does what a verb of the command does calls that verb: there is one way to list, show or verify a trace.

import { NO_PAINT } from '../../render/paint.ts'
import type { Call, Outcome, Verb } from '../cli/command.ts'
import type { Answer, Session } from './tool.ts'

export { traceOf } from './tool.ts'

type Given = Readonly<Record<string, string | true | readonly string[]>>

const WIDTH = 100

/** A call as the command line would have it; whoever runs something through it is told and stopped by the host. */
export function callFor(
  { desk, progress, signal, begun }: Pick<Session, 'desk' | 'progress' | 'signal'> & Pick<Call, 'begun'>,
  args: readonly string[],
  options: Given = {},
): Call {
  const text = (name: string): string | null => {
    const value = name === 'config' ? desk.config : options[name]
    return typeof value === 'string' ? value : null
  }
  return {
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
    tell: progress,
    signal,
    ...(begun && { begun }),
  }
}

/** What a verb has to say, with what can be done next. */
export const answerOf = ({ value, lines, hints = [] }: Outcome): Answer => ({
  value,
  text: [...lines, ...hints].join('\n'),
})

export async function runVerb(
  verb: Verb,
  session: Session,
  args: readonly string[],
  options: Given = {},
): Promise<Answer> {
  const { value, lines } = await verb(callFor(session, args, options))
  return { value, text: lines.join('\n') }
}
