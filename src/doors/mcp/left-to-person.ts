// What needs a person and is not done on a host's request alone: they are asked through the host, or the host
// is told what they have to type.

import { plain } from '../../render/plain.ts'
import { type Asker, isQuestion, type People } from './person-at-host.ts'

/** What a host is told where only a person can continue. */
export const personMustType = (trace: string | null, why: string, commands: readonly string[]) => ({
  value: { trace, status: 'waiting for a person', why, commands },
  text: [`${why}. A person has to type one of:`, ...commands.map((command) => `  ${plain(command)}`)].join(
    '\n',
  ),
})

/** Null when the person agreed to exactly this; otherwise what the host is to be told or to ask. */
export async function refusedBy(
  { kit, ...asker }: Asker & { readonly kit: { readonly people: People } },
  trace: string | null,
  lines: readonly string[],
  commands: readonly string[],
) {
  const word = await kit.people.ask(asker, lines)
  if (isQuestion(word)) return word
  if (word.is === 'unasked') return personMustType(trace, 'This host cannot ask a person', commands)
  return word.is === 'yes' ? null : personMustType(trace, 'The person did not allow it', commands)
}
