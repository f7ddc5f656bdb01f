// The scorer by message, on texts that it never learned from; then pools, of which it is known what they ask, under a
// judge with known error rates, a perfect one, none, and the share of the word. Every figure with its interval at 95 %.
import { join } from 'node:path'
import { scorerFor } from '../../src/app/exchange/scorer.ts'
import { scoreTexts } from '../../src/clerk/performers/exchange/scoring.ts'
import { cached } from '../../src/embeddings/cache.ts'
import { openBuiltInEmbedder } from '../../src/embeddings/embedded.ts'
import { shareInterval } from '../../src/eval/statistics/pairs.ts'
import type { Score } from '../../src/exchange/signal/scorer.ts'
import { course, type JudgeRates, PERFECT, SCRIPTED } from '../../test/restart/judging.ts'
import {
  type Labelled,
  makeCalmPool,
  makePools,
  POOL_KINDS,
  type Pool,
  readLabelled,
} from '../../test/restart/pools.ts'

const SEEDS = Number(process.env.BENCH_POOLS ?? 200)
const [WINDOW, SHARE] = [50, 0.3]

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`
function share(part: number, whole: number): string {
  const { low, high } = shareInterval(part, whole)
  return `${percent(whole === 0 ? 0 : part / whole).padStart(7)}  [${percent(low)}, ${percent(high)}]  ${part}/${whole}`
}

/** The chance that a text that asks scores above one that does not. */
function area(texts: readonly Labelled[], scoreOf: (text: string) => Score): string {
  const of = (asks: boolean) =>
    texts.filter((one) => one.asks === asks).map(({ text }) => scoreOf(text).score)
  const [asking, others] = [of(true), of(false)]
  if (asking.length * others.length === 0) return 'none'
  let won = 0
  for (const a of asking) for (const b of others) won += a > b ? 1 : a === b ? 0.5 : 0
  return (won / (asking.length * others.length)).toFixed(3)
}

function byMessage(name: string, texts: readonly Labelled[], scoreOf: (text: string) => Score): string[] {
  const line = (label: string, own: readonly Labelled[]): string =>
    `    ${label.padEnd(30)} counts ${share(own.filter(({ text }) => scoreOf(text).counts).length, own.length)}`
  const kinds = [...new Set(texts.map(({ kind, asks }) => `${asks ? 'asks' : 'not '} ${kind}`))].sort()
  const own = (label: string) =>
    texts.filter(({ kind, asks }) => `${asks ? 'asks' : 'not '} ${kind}` === label)
  const asking = texts.filter(({ asks }) => asks)
  const others = texts.filter(({ asks }) => !asks)
  return [
    '',
    `messages, ${name}: ${texts.length}, area under the curve ${area(texts, scoreOf)}`,
    ...(asking.length > 0 ? [line('all that ask', asking)] : []),
    line('all that do not', others),
    ...kinds.map((label) => line(`  ${label}`, own(label))),
  ]
}

/** Whether the last fifty messages ever hold the word often enough. */
function saysTheWord({ rounds }: Pool): boolean {
  let window: readonly string[] = []
  return rounds.some((messages) => {
    window = [...window, ...messages.map(({ text }) => text)].slice(-WINDOW)
    const named = window.filter((text) => /re-?start/i.test(text)).length
    return window.length >= 30 && named / window.length >= SHARE
  })
}

function byPool(pools: readonly Pool[], scoreOf: (text: string) => Score): string[] {
  const rows: string[] = []
  const judges: Readonly<Record<string, JudgeRates | null>> = {
    'judge .8/.05': SCRIPTED,
    'perfect judge': PERFECT,
    'no judge': null,
  }
  for (const kind of POOL_KINDS) {
    const own = pools.filter((pool) => pool.kind === kind)
    rows.push(`  ${kind}${own[0]?.asks ? ' (asks)' : ''}`)
    for (const [name, judge] of Object.entries(judges)) {
      const courses = own.map((pool) => course(pool, scoreOf, judge))
      const raised = courses.filter((one) => one.raised !== null)
      const rounds = raised.map((one) => one.raised?.round ?? 0).sort((a, b) => a - b)
      const askings = courses.reduce((sum, one) => sum + one.askings, 0) / Math.max(1, courses.length)
      const when = raised.length > 0 ? `, median round ${rounds[Math.floor(rounds.length / 2)]}` : ''
      const asked = judge === null ? '' : `, ${askings.toFixed(1)} askings`
      rows.push(`    ${name.padEnd(16)} signal ${share(raised.length, own.length)}${when}${asked}`)
      if (judge === null) {
        const alarms = courses.filter(({ alarm }) => alarm).length
        rows.push(`    ${''.padEnd(16)} alarm  ${share(alarms, own.length)}`)
      }
    }
    rows.push(`    ${'the word'.padEnd(16)} signal ${share(own.filter(saysTheWord).length, own.length)}`)
  }
  return rows
}

/** Pools in which nothing asks, of texts that no scorer was ever tuned on. */
function calmPools(sources: Readonly<Record<string, readonly Labelled[]>>, scoreOf: (text: string) => Score) {
  return Object.entries(sources).flatMap(([name, texts]) => {
    const pools = Array.from({ length: SEEDS }, (_, seed) => makeCalmPool(name, seed + 1, texts))
    const alarms = pools.filter((pool) => course(pool, scoreOf, null).alarm).length
    const signals = pools.filter((pool) => course(pool, scoreOf, SCRIPTED).raised !== null).length
    return [
      `  ${name}`,
      `    ${'no judge'.padEnd(16)} alarm  ${share(alarms, SEEDS)}`,
      `    ${'judge .8/.05'.padEnd(16)} signal ${share(signals, SEEDS)}`,
    ]
  })
}

export async function measure(folder: string, vectors: string | undefined): Promise<string> {
  const built = openBuiltInEmbedder()
  const embedder = vectors === undefined ? built : cached(built, vectors)
  try {
    const scorer = await scorerFor(embedder)
    const scores = new Map<string, Score>()
    const scoreOf = (text: string): Score => {
      const plain = text.replace('[RESTART] ', '')
      const score = scores.get(plain) ?? { score: -10, counts: false }
      return plain === text ? score : { ...score, counts: true }
    }
    const report = [`encoder ${embedder.encoder}`]
    const calm = readLabelled(join(folder, 'calm.jsonl')).map((text) => ({ ...text, asks: false }))
    const [voices, unseen, heldOut] = ['voices', 'unseen', 'held-out'].map((name) =>
      readLabelled(join(folder, `${name}.jsonl`)),
    ) as [Labelled[], Labelled[], Labelled[]]
    for (const [name, texts] of Object.entries({
      'public calm text': calm,
      voices,
      unseen,
      'held-out': heldOut,
    })) {
      const all = await scoreTexts(
        embedder,
        scorer,
        texts.map(({ text }) => text),
      )
      for (const [i, { text }] of texts.entries()) scores.set(text, all[i] ?? { score: -10, counts: false })
      report.push(...byMessage(name, texts, scoreOf))
    }
    const others = (texts: readonly Labelled[]) => texts.filter(({ asks }) => !asks)
    const sources = { 'public calm text': calm, 'voices, none that asks': others(voices) }
    report.push('', `calm pools: ${SEEDS} of each`, ...calmPools(sources, scoreOf))
    const pools = makePools(heldOut, SEEDS)
    report.push('', `pools: ${pools.length}, ${POOL_KINDS.length} kinds`, ...byPool(pools, scoreOf))
    return report.join('\n')
  } finally {
    await embedder.close()
  }
}
