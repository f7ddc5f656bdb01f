// Precision and recall, by message and by pool, for the detector and for two baselines on the same pools.
import { join } from 'node:path'
import { scorerFor, scoreTexts } from '../../src/clerk/performers/exchange/scoring.ts'
import { openBuiltInEmbedder } from '../../src/embeddings/embedded.ts'
import { NO_THEMES, type Placed, regroup } from '../../src/exchange/clusters/clusters.ts'
import type { Score } from '../../src/exchange/signal/scorer.ts'
import type { Vector } from '../../src/ledger/vector.ts'
import { signalOver, type Tally, tally } from '../../test/restart/judging.ts'
import { type Labelled, makePools, type Pool, readLabelled } from '../../test/restart/pools.ts'

const WINDOW = 50
const SHARE = 0.3
const NAMED = /re-?start|reset|start(?:ing)? over|begin(?:ning)? (?:again|anew)|renegotiat/i

const percent = (value: number): string => value.toFixed(3)
const line = (name: string, { precision, recall, falseAlarms, missed }: Tally): string =>
  `${name.padEnd(34)} precision ${percent(precision)}  recall ${percent(recall)}  false ${falseAlarms.length}  missed ${missed.length}`

function byKind(texts: readonly Labelled[], scoreOf: (text: string) => Score): string[] {
  const kinds = [...new Set(texts.map(({ kind, asks }) => `${asks ? 'asks' : 'not '} ${kind}`))]
  return kinds.map((name) => {
    const own = texts.filter(({ kind, asks }) => `${asks ? 'asks' : 'not '} ${kind}` === name)
    const right = own.filter(({ text, asks }) => scoreOf(text).counts === asks).length
    return `    ${name.padEnd(30)} ${right}/${own.length}`
  })
}

/** Whether the last fifty messages ever hold enough that `hits`. */
function everDominates(pool: Pool, hits: (window: Pool['rounds'][number]) => number): boolean {
  let window: Pool['rounds'][number] = []
  return pool.rounds.some((messages) => {
    window = [...window, ...messages].slice(-WINDOW)
    return window.length >= 20 && hits(window) / window.length >= SHARE
  })
}

function largestTheme(pool: Pool, vectors: ReadonlyMap<string, Vector>): boolean {
  let [window, themes]: [Placed[], typeof NO_THEMES] = [[], NO_THEMES]
  return pool.rounds.some((messages, i) => {
    const placed = messages.flatMap((message) => {
      const vector = vectors.get(message.text.replace('[RESTART] ', ''))
      return vector ? [{ ...message, vector }] : []
    })
    window = [...window, ...placed].slice(-WINDOW)
    if (i % 4 !== 3 || window.length < 20) return false
    themes = regroup(themes, window)
    const largest = themes.themes.reduce(
      (a, b) => (b.members.length > a.members.length ? b : a),
      themes.themes[0] ?? { members: [] as readonly string[] },
    )
    const members = window.filter(({ id }) => largest.members.includes(id))
    const named = members.filter(({ text }) => NAMED.test(text)).length
    return members.length / window.length >= SHARE && named * 2 >= members.length
  })
}

function judge(pools: readonly Pool[], found: (pool: Pool) => boolean): Tally {
  return tally(
    pools.map((pool) => ({ name: `${pool.kind}/${pool.seed}`, asks: pool.asks, found: found(pool) })),
  )
}

const floods = ({ falseAlarms }: Tally): number =>
  falseAlarms.filter((name) => name.startsWith('flood/')).length

export async function measure(folder: string): Promise<string> {
  const embedder = openBuiltInEmbedder()
  try {
    const scorer = await scorerFor(embedder)
    const report: string[] = [`encoder ${embedder.encoder}`]
    const scores = new Map<string, Score>()
    const scoreOf = (text: string): Score => {
      const plain = text.replace('[RESTART] ', '')
      const score = scores.get(plain) ?? { score: -10, counts: false }
      return plain === text ? score : { ...score, counts: true }
    }
    const sets = { 'held-out': 'held-out.jsonl', unseen: 'unseen.jsonl' }
    for (const [name, file] of Object.entries(sets)) {
      const texts = readLabelled(join(folder, file))
      const all = await scoreTexts(
        embedder,
        scorer,
        texts.map(({ text }) => text),
      )
      for (const [i, { text }] of texts.entries()) scores.set(text, all[i] ?? { score: -10, counts: false })
      const judged = texts.map(({ text, asks }) => ({ name: text, asks, found: scoreOf(text).counts }))
      const word = texts.map(({ text, asks }) => ({ name: text, asks, found: /re-?start/i.test(text) }))
      report.push(
        '',
        `messages, ${name}: ${texts.length}`,
        line('  detector', tally(judged)),
        line('  the word "restart"', tally(word)),
        ...byKind(texts, scoreOf),
      )
    }
    const heldOut = readLabelled(join(folder, 'held-out.jsonl'))
    const embedded = await embedder.embed(heldOut.map(({ text }) => text))
    const vectors = new Map(
      heldOut
        .map(({ text }, i) => [text, embedded[i]] as const)
        .flatMap(([text, vector]) => (vector ? [[text, vector] as const] : [])),
    )
    const pools = makePools(heldOut)
    const ours = judge(pools, (pool) => signalOver(pool, scoreOf).raised)
    const word = judge(pools, (pool) =>
      everDominates(pool, (window) => window.filter(({ text }) => /re-?start/i.test(text)).length),
    )
    const theme = judge(pools, (pool) => largestTheme(pool, vectors))
    report.push('', `pools: ${pools.length}, ${new Set(pools.map(({ kind }) => kind)).size} kinds`)
    for (const [name, result] of Object.entries({
      '  detector': ours,
      '  share of the word "restart"': word,
      '  largest theme': theme,
    })) {
      report.push(`${line(name, result)}  alarms on floods ${floods(result)}`)
    }
    if (ours.falseAlarms.length + ours.missed.length > 0)
      report.push(`    wrong: ${[...ours.falseAlarms, ...ours.missed].join(', ')}`)
    return report.join('\n')
  } finally {
    await embedder.close()
  }
}
