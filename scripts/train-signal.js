// node scripts/train-signal.js [--check] [--vectors DIR]: learns the restart scorer from data/restart and the embedded
// encoder, and writes src/exchange/signal/weights.ts; with --check it only says whether that file is what would be
// written. Run it when the data, the form of rows or the encoder changes. Vectors are kept in DIR when one is given, so
// that the next time takes seconds.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: { check: { type: 'boolean' }, vectors: { type: 'string' } },
})

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'src/exchange/signal/weights.ts')
const HEAD =
  '// Written by scripts/train-signal.js: the weights of the restart scorer for the embedded encoder.\n'

function fileOf({ form, encoder, bias, step, weights }, lessons) {
  return [
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
    '/** Of the form and the data they were learned from. */',
    `export const LESSONS = '${lessons}'`,
    '',
  ].join('\n')
}

const none = { form: 0, encoder: 'none:0', bias: 0, step: 1, weights: '' }
if (!existsSync(target)) writeFileSync(target, fileOf(none, ''))
const built = spawnSync(process.execPath, [join(root, 'scripts/build.js'), '--if-changed'], {
  stdio: 'inherit',
})
if (built.status !== 0) process.exit(built.status ?? 1)

const at = (path) => import(new URL(`../dist/${path}`, import.meta.url))
const [{ readLessons }, { learnFrom }, { packScorer }, { FORM }, { openBuiltInEmbedder }, { cached }] =
  await Promise.all([
    at('app/exchange/lessons.js'),
    at('clerk/performers/exchange/scoring.js'),
    at('exchange/signal/scorer.js'),
    at('exchange/signal/sentence-features.js'),
    at('embeddings/embedded.js'),
    at('embeddings/cache.js'),
  ])
const embedded = openBuiltInEmbedder()
const embedder = options.vectors ? cached(embedded, options.vectors) : embedded
try {
  const lessons = await readLessons()
  const digest = createHash('sha256')
    .update(JSON.stringify([FORM, lessons]))
    .digest('hex')
  const learned = fileOf(packScorer(await learnFrom(embedder, lessons)), digest)
  const { exemplars, apart } = lessons
  const asking = exemplars.filter(({ asks }) => asks).length
  console.log(
    `learned from ${exemplars.length} texts, ${asking} of which ask; zero set by ${apart.length} others`,
  )
  if (!options.check) writeFileSync(target, learned)
  else if (readFileSync(target, 'utf8') !== learned) {
    console.error('weights.ts is not what the data teach: run this script without --check')
    process.exitCode = 1
  } else console.log('weights.ts is what they teach')
} finally {
  await embedder.close()
}
