// How the events of a trace are told to a reader. They may be anyone's and are unverified: a payload of the
// wrong shape is not told, so that it is listed as it is.

import type { Occurrence } from '../../protocol.ts'
import type { Acts } from './acts.ts'
import * as agents from './agents.ts'
import * as ground from './any-trace.ts'
import * as council from './council.ts'
import * as evaluation from './eval.ts'
import * as exchange from './exchange.ts'
import * as registry from './registry.ts'
import { ifReadable, type StoryLine } from './story-line.ts'

type Tell = (event: Occurrence, acts: Acts | null) => StoryLine | null

export { followActs } from './acts.ts'

const STORIES: Readonly<Record<string, Tell>> = {
  'agents/1': agents.tell,
  'council/1': council.tell,
  'eval/1': evaluation.tell,
  'exchange/1': exchange.tellAll,
  'registry/1': registry.tell,
}

/** Null for what is better listed than told. `acts` has read every event before this one. */
export function tellOf(protocol: string, event: Occurrence, acts: Acts | null = null): StoryLine | null {
  if (event.payload === null) return null
  const own = Object.hasOwn(STORIES, protocol) ? STORIES[protocol] : undefined
  return ifReadable(() => own?.(event, acts) ?? ground.tell(event))
}
