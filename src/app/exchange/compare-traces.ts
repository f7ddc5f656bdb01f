// Compares two traces of one tree of branches: where they parted, their themes, and what each wrote since.

import { compareThemes, type Side, type ThemeComparison } from '../../exchange/compare.ts'
import type { Message } from '../../exchange/messages.ts'
import { commonEncoder, type Vector } from '../../ledger/vector.ts'
import type { Home } from '../home/home.ts'
import { type History, readHistory, withVectors } from './history.ts'

/** Where two branches parted, their themes, and what each wrote since. */
export interface Compared extends ThemeComparison {
  /** The last round that both share; 0 when they share none. */
  readonly parted: number
  readonly rounds: readonly {
    readonly round: number
    readonly a: readonly Message[]
    readonly b: readonly Message[]
  }[]
}

async function makeSide(home: Pick<Home, 'ports'>, { rows, state }: History): Promise<Side> {
  const window = new Set(state.pool.map(({ id }) => id))
  const vectors = new Map<string, Vector[]>()
  const inside = rows.filter(({ message }) => window.has(message.id))
  for await (const [{ cluster }, vector] of withVectors(home, inside)) {
    if (cluster !== null && vector) vectors.set(cluster, [...(vectors.get(cluster) ?? []), vector])
  }
  return { themes: state.clusters?.notes ?? [], vectors }
}

const byRound = ({ rows }: History, round: number): readonly Message[] =>
  rows.flatMap(({ message }) => (message.round === round && message.kind === 'mind' ? message : []))

export async function compareTraces(home: Pick<Home, 'ports'>, a: string, b: string): Promise<Compared> {
  const [first, second] = [await readHistory(home, a), await readHistory(home, b)]
  const known = new Set(first.rows.map(({ message }) => `${message.id} ${message.event}`))
  const common = second.rows.filter(({ message }) => known.has(`${message.id} ${message.event}`))
  const parted = Math.max(0, ...common.map(({ message }) => message.round))
  // Themes with messages of the common past have the same name in both.
  const inherited = new Set(common.flatMap(({ cluster }) => cluster ?? []))
  const [sideA, sideB] = [await makeSide(home, first), await makeSide(home, second)]
  commonEncoder([...sideA.vectors.values(), ...sideB.vectors.values()].flat())
  const last = Math.max(first.state.closed, second.state.closed)
  const rounds = Array.from({ length: last - parted }, (_, i) => parted + 1 + i)
  return {
    ...compareThemes(sideA, sideB, inherited),
    parted,
    rounds: rounds.map((round) => ({ round, a: byRound(first, round), b: byRound(second, round) })),
  }
}
