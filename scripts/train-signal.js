// node scripts/train-signal.js: learns the restart scorer from the exemplars and the embedded encoder, and writes
// src/exchange/signal/weights.ts. Run it when an exemplar, the lexicon, the form of rows or the encoder changes.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'src/exchange/signal/weights.ts')
const HEAD =
  '// Written by scripts/train-signal.js: the weights of the restart scorer for the embedded encoder.\n'

function write({ form, encoder, bias, step, weights }) {
  const lines = [
    HEAD,
    "import type { PackedScorer } from './scorer.ts'",
    '',
    'export const WEIGHTS: PackedScorer = {',
    `  form: ${form},`,
    `  encoder: '${encoder}',`,
    `  bias: ${bias},`,
    `  step: ${step},`,
    '  weights:',
    `    '${weights}',`,
    '}',
    '',
  ]
  writeFileSync(target, lines.join('\n'))
}

if (!existsSync(target)) write({ form: 0, encoder: 'none:0', bias: 0, step: 1, weights: '' })
const built = spawnSync(process.execPath, [join(root, 'scripts/build.js'), '--if-changed'], {
  stdio: 'inherit',
})
if (built.status !== 0) process.exit(built.status ?? 1)

const at = (path) => import(new URL(`../dist/${path}`, import.meta.url))
const [{ EXEMPLARS }, { learnFrom }, { packScorer }, { openEmbeddedSense }] = await Promise.all([
  at('exchange/signal/exemplars/index.js'),
  at('clerk/exchange/scoring.js'),
  at('exchange/signal/scorer.js'),
  at('senses/embedded.js'),
])
const sense = openEmbeddedSense()
try {
  write(packScorer(await learnFrom(sense, EXEMPLARS)))
  console.log(
    `learned from ${EXEMPLARS.length} exemplars, ${EXEMPLARS.filter(({ asks }) => asks).length} of which ask`,
  )
} finally {
  await sense.close()
}
