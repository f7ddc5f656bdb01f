// How the traces of each protocol are told to a reader, event by event. One entry a protocol; its code is loaded only
// when a trace of it is shown.

import type { Occurrence } from '../protocol.ts'
import type { Home } from './home.ts'
import type { Standing, StoryLine } from './story-line.ts'

/** Null for what is better listed than told. */
export type Story = (event: Occurrence) => StoryLine | null

export const STORIES: Readonly<Record<string, () => Promise<Story>>> = {
  'agents/1': async () => (await import('./agents/story.ts')).tell,
  'exchange/1': async () => (await import('./exchange/story.ts')).tell,
}

export const storyOf = async (protocol: string): Promise<Story> =>
  Object.hasOwn(STORIES, protocol) ? ((await STORIES[protocol]?.()) ?? (() => null)) : () => null

const STANDINGS: Readonly<Record<string, () => Promise<(home: Home, trace: string) => Promise<Standing>>>> = {
  'agents/1': async () => (await import('./agents/standing.ts')).standingOf,
}

/** Null for protocols that have no word for it. */
export async function standingOf(protocol: string, home: Home, trace: string): Promise<Standing | null> {
  const load = Object.hasOwn(STANDINGS, protocol) ? STANDINGS[protocol] : undefined
  return load ? (await load())(home, trace) : null
}
