// Synthetic pools whose answer is known: each kind says, round by round, of which kinds of message a mind draws, and
// whether such a pool as a whole asks for a restart. Only held-out texts are drawn; the seed decides everything.
import { readFileSync } from 'node:fs'

export interface Labelled {
  readonly kind: string
  readonly asks: boolean
  readonly text: string
}

interface PoolMessage extends Labelled {
  readonly id: string
  readonly round: number
  readonly mind: string
}

export interface Pool {
  readonly kind: string
  readonly seed: number
  readonly asks: boolean
  readonly rounds: readonly (readonly PoolMessage[])[]
}

export function readLabelled(path: string | URL): Labelled[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Labelled)
}

const ROUNDS = 56
const MINDS = ['ash', 'birch', 'cedar', 'dogwood']
const TALK = ['reflection', 'technology', 'everyday', 'meta', 'requests', 'agreement']
const PLAIN = [
  'direct',
  'indirect',
  'polite',
  'short',
  'collective',
  'technical',
  'poetic',
  'conditional',
  'long',
]

interface Draw {
  /** How likely a message is of the theme, at this round and for this mind. */
  readonly chance: (round: number, mind: number) => number
  readonly theme: readonly string[]
  readonly themeAsks: boolean
  readonly asks: boolean
  readonly flood?: boolean
  readonly tag?: boolean
}

const late = (from: number, chance: number) => (round: number) => (round >= from ? chance : 0)
const always = (chance: number) => () => chance

/** A pool in which this part of the messages asks, from the first round to the last. */
const steady = (part: number, asks: boolean): Draw => ({
  chance: always(part),
  theme: [...PLAIN, 'languages'],
  themeAsks: true,
  asks,
})

const KINDS: Readonly<Record<string, Draw>> = {
  'requests 0 %': steady(0, false),
  'requests 10 %': steady(0.1, false),
  'requests 20 %': steady(0.2, false),
  'requests 40 %': steady(0.4, true),
  'requests 60 %': steady(0.6, true),
  quiet: { chance: always(0), theme: PLAIN, themeAsks: true, asks: false },
  reboots: { chance: always(0.5), theme: ['reboot'], themeAsks: false, asks: false },
  elsewhere: { chance: always(0.5), theme: ['elsewhere'], themeAsks: false, asks: false },
  complaints: { chance: always(0.6), theme: ['complaint', 'meta'], themeAsks: false, asks: false },
  'negation debate': { chance: always(0.5), theme: ['negated'], themeAsks: false, asks: false },
  'talk about restarts': { chance: always(0.5), theme: ['about', 'long'], themeAsks: false, asks: false },
  'steady minority': { chance: always(0.15), theme: PLAIN, themeAsks: true, asks: false },
  'one loud mind': { chance: (_, mind) => (mind === 2 ? 1 : 0), theme: PLAIN, themeAsks: true, asks: false },
  flood: { chance: always(0), theme: PLAIN, themeAsks: true, asks: false, flood: true },
  'growing demand': { chance: (round) => round / ROUNDS, theme: PLAIN, themeAsks: true, asks: true },
  'sudden majority': { chance: late(20, 0.65), theme: PLAIN, themeAsks: true, asks: true },
  'demand then calmed': {
    chance: (round) => (round >= 8 && round < 24 ? 0.65 : 0),
    theme: PLAIN,
    themeAsks: true,
    asks: true,
  },
  'new terms': { chance: late(12, 0.6), theme: ['renegotiation'], themeAsks: true, asks: true },
  tags: { chance: late(15, 0.55), theme: TALK, themeAsks: false, asks: true, tag: true },
  'mixed languages': {
    chance: late(12, 0.65),
    theme: [...PLAIN, 'languages', 'languages'],
    themeAsks: true,
    asks: true,
  },
}

/** A small generator: the same numbers everywhere. */
export function chances(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

/** FNV-1a: kinds with names of one length draw differently, too. */
function hashOf(text: string): number {
  let value = 0x811c9dc5
  for (const char of text) value = Math.imul(value ^ char.charCodeAt(0), 0x01000193)
  return value
}

function drawer(texts: readonly Labelled[], next: () => number) {
  return (kinds: readonly string[], asks: boolean): Labelled => {
    const kind = kinds[Math.floor(next() * kinds.length)] ?? ''
    const fitting = texts.filter((text) => text.kind === kind && text.asks === asks)
    const drawn = fitting[Math.floor(next() * fitting.length)]
    if (!drawn) throw new Error(`no held-out text of the kind ${kind}, ${asks}`)
    return drawn
  }
}

export function makePool(kind: string, seed: number, texts: readonly Labelled[]): Pool {
  const plan = KINDS[kind]
  if (!plan) throw new Error(`no pools of the kind ${kind}`)
  const next = chances(Math.imul(seed, 7919) ^ hashOf(kind))
  for (let i = 0; i < 8; i++) next()
  const draw = drawer(texts, next)
  const flooded = 10 + Math.floor(next() * 25)
  const rounds = Array.from({ length: ROUNDS }, (_, i) => {
    const [round, mind] = [i + 1, i % MINDS.length]
    const flood = plan.flood && round === flooded
    const size = flood ? 30 + Math.floor(next() * 40) : 1 + Math.floor(next() * 3)
    return Array.from({ length: size }, (_, n): PoolMessage => {
      const theme = flood || next() < plan.chance(round, mind)
      const drawn = theme ? draw(plan.theme, plan.themeAsks) : draw(TALK, false)
      const tagged = theme && plan.tag
      const text = tagged ? `[RESTART] ${drawn.text}` : drawn.text
      const asks = drawn.asks || tagged === true
      return { ...drawn, text, asks, id: `${kind}/${seed}/${round}.${n}`, round, mind: MINDS[mind] ?? '' }
    })
  })
  return { kind, seed, asks: plan.asks, rounds }
}

/** A pool of these texts alone, in which no one asks for anything. */
export function makeCalmPool(kind: string, seed: number, texts: readonly Labelled[]): Pool {
  const next = chances(Math.imul(seed, 7919) ^ hashOf(kind))
  for (let i = 0; i < 8; i++) next()
  const rounds = Array.from({ length: ROUNDS }, (_, i) => {
    const [round, mind] = [i + 1, MINDS[i % MINDS.length] ?? '']
    return Array.from({ length: 1 + Math.floor(next() * 3) }, (_, n): PoolMessage => {
      const drawn = texts[Math.floor(next() * texts.length)]
      if (!drawn) throw new Error(`no text for pools of ${kind}`)
      return { ...drawn, asks: false, id: `${kind}/${seed}/${round}.${n}`, round, mind }
    })
  })
  return { kind, seed, asks: false, rounds }
}

export const POOL_KINDS = Object.keys(KINDS)

export const makePools = (texts: readonly Labelled[], seeds = 20): Pool[] =>
  POOL_KINDS.flatMap((kind) => Array.from({ length: seeds }, (_, seed) => makePool(kind, seed + 1, texts)))
