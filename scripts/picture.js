// `npm run docs:picture`: draws docs/demo.svg from a real run of `witan demo`, in a home of its own that is removed
// afterwards. What the picture shows is what the command printed, line by line. With --check nothing is written: it fails
// when the command prints something else than the picture shows, ids and times aside.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const picture = join(root, 'docs/demo.svg')
const home = mkdtempSync(join(tmpdir(), 'witan-picture-'))
const COLUMNS = 80
const LINE = 18
const TONES = [
  [/^\$ /, '#e6edf3'],
  [/^(Reject|R\d \S+ failed)/, '#ff7b72'],
  [/^PASS/, '#3fb950'],
  [/^R\d /, '#7ee787'],
  [/^(scripted demo|!)/, '#d29922'],
  [/^(Open|Risks) +(critical|high)/, '#ffa198'],
]

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const cut = (text) => (text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text)
/** The lines without what is different in every run: ids, times, and who of a round was faster. */
const settled = (svg) =>
  [...svg.matchAll(/preserve">(.*)<\/text>/g)]
    .map(([, line]) => line.replace(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, 'TRACE').replace(/\d+\.\d s/g, 'TIME'))
    .sort()
    .join('\n')

function shown(...args) {
  const env = { PATH: process.env.PATH, HOME: home, WITAN_HOME: home, LANG: 'C.UTF-8' }
  const options = { cwd: root, env, encoding: 'utf8' }
  const run = spawnSync(process.execPath, [join(root, 'bin/witan.js'), ...args], options)
  if (run.status !== 0) throw new Error(run.stderr)
  const [live] = run.stderr.split('\nNow with models')
  return [...live.trimEnd().split('\n'), ...run.stdout.trimEnd().split('\n')]
}

function drawn(text) {
  const height = text.length * LINE + 32
  const rows = text.map((line, i) => {
    const fill = TONES.find(([pattern]) => pattern.test(line))?.[1] ?? '#9da7b3'
    return `<text x="16" y="${i * LINE + 30}" fill="${fill}" xml:space="preserve">${escaped(line)}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13.5" role="img" aria-label="A council of three scripted members in a terminal: opinions, reviews, the verdict and its verification">`,
    `<rect width="720" height="${height}" rx="8" fill="#0d1117"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n')
}

try {
  const svg = drawn(['$ npx witan demo', ...shown('demo', '--fast')].map(cut))
  if (!process.argv.includes('--check')) writeFileSync(picture, svg)
  else if (settled(readFileSync(picture, 'utf8')) !== settled(svg)) {
    process.stderr.write('docs/demo.svg shows something else than the command prints: npm run docs:picture\n')
    process.exitCode = 1
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
