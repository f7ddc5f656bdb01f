// `npm run test:mutants [-- --room ledger --count 200 --seed 1 --minutes 20]`: the share of small wrong changes to a pure room that
// some test notices, estimated from a seeded sample, with its interval; then each that none noticed.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { shareInterval } from '../../src/eval/statistics/pairs.ts'
import { type Measured, measure } from './measure.ts'
import { WIDER } from './rooms.ts'
import type { Drawn } from './sample.ts'

function shown({ file, line, kind, start, end, becomes }: Drawn): string {
  const text = readFileSync(file, 'utf8').slice(start, end).replace(/\s+/g, ' ').slice(0, 90)
  return `  ${file}:${line} ${kind}: ${text}${becomes === undefined ? '' : `  →  ${becomes.replace(/\s+/g, ' ').slice(0, 90)}`}`
}

function report({ room, all, drawn, killed, reached, doubtful, broken }: Measured, seed: number): void {
  const lived = drawn.filter(({ id }) => !killed.has(id))
  const dead = drawn.length - lived.length
  const { low, high } = shareInterval(dead, drawn.length)
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  console.log(
    `${room}: ${dead} of ${drawn.length} killed = ${percent(dead / drawn.length)} (95 %: ${percent(low)} to ${percent(high)}), seed ${seed}, drawn from ${all}`,
  )
  for (const name of broken) console.log(`  fails without a mutant: ${name}`)
  for (const [id, name] of doubtful)
    if (!killed.has(id)) console.log(`  left something behind: ${id} in ${name}`)
  for (const mutant of lived)
    console.log(`${shown(mutant)}${reached.has(mutant.id) ? '' : '  [reached by no test]'}`)
}

export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      room: { type: 'string', multiple: true },
      count: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '20' },
    },
  })
  const [count, seed] = [Number(values.count), Number(values.seed)]
  const folder = mkdtempSync(join(tmpdir(), 'witan-mutants-'))
  for (const room of values.room ?? Object.keys(WIDER))
    report(await measure(room, count, seed, Number(values.minutes), join(folder, `${room}.jsonl`)), seed)
}
