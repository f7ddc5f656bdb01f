// Machines are noisy, so nothing is measured alone: the sides of a question take turns, round by round, and the
// answer is the median of the rounds' ratios, with the spread of all of them beside it.

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Runs the sides in turn. `prepare` makes the input of a round and is not timed; `run` takes it, does some
 * operations and returns how many; what is kept is operations per second.
 */
export async function inTurns(sides, rounds = ROUNDS) {
  const rates = Object.fromEntries(Object.keys(sides).map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    const names = Object.keys(sides)
    // The one who goes first meets a colder machine: the order turns with the rounds.
    if (round % 2) names.reverse()
    for (const name of names) {
      const { prepare = () => null, run } = sides[name]
      const input = await prepare()
      const start = performance.now()
      const operations = await run(input)
      const seconds = (performance.now() - start) / 1000
      if (round >= 0) rates[name].push(operations / seconds)
    }
  }
  return rates
}

const figure = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3))

/** One line of the table: ratio of two sides, against what it should be. */
export function answer({ question, ours, floor, rates, atLeast, atMost, unit = '/s' }) {
  const ratios = rates[ours].map((rate, i) =>
    atMost === undefined ? rate / rates[floor][i] : rates[floor][i] / rate,
  )
  const ratio = median(ratios)
  const met = atMost === undefined ? ratio >= atLeast : ratio <= atMost
  return {
    question,
    ours: `${figure(median(rates[ours]))}${unit}`,
    floor: `${figure(median(rates[floor]))}${unit}`,
    ratio: ratio.toFixed(2),
    spread: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    wanted: atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`,
    met: met ? 'yes' : 'NO',
  }
}

export function table(rows) {
  const columns = ['question', 'ours', 'floor', 'ratio', 'spread', 'wanted', 'met']
  const widths = columns.map((c) => Math.max(c.length, ...rows.map((row) => String(row[c] ?? '').length)))
  const line = (cells) =>
    cells
      .map((cell, i) => String(cell ?? '').padEnd(widths[i]))
      .join('  ')
      .trimEnd()
  return [
    line(columns),
    line(widths.map((w) => '-'.repeat(w))),
    ...rows.map((row) => line(columns.map((c) => row[c]))),
  ].join('\n')
}
