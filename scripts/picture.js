// `npm run docs:picture`: draws docs/session.svg from a real run, in a home of its own that is removed afterwards. What
// the picture shows is what the command printed, some lines of it: those left out are marked by a line with `…`. Ids are
// what they were in that run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const home = mkdtempSync(join(tmpdir(), 'witan-picture-'))
const COLUMNS = 80
const LINE = 18
const TONES = [
  [/^\$ /, '#e6edf3'],
  [/^(completed|PASS)/, '#3fb950'],
  [/^ +(proven|ok)\b/, '#7ee787'],
  [/^ +“/, '#a5d6ff'],
]

function shown(...args) {
  const env = { PATH: process.env.PATH, HOME: home, WITAN_HOME: home, LANG: 'C.UTF-8' }
  const run = spawnSync(process.execPath, [join(root, 'bin/witan.js'), ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(run.stderr)
  const lines = (text) => text.trimEnd().split('\n')
  return { said: lines(run.stdout), told: lines(run.stderr), typed: `$ witan ${args.join(' ')}` }
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const cut = (text) => (text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text)

try {
  const session = shown('agents', 'run', 'examples/agents/licences.yaml')
  const verdict = shown('verify', 'last')
  const checks = verdict.said.filter((line) =>
    /^ +ok +(signature|key role|protocol replay|claim evidence)/.test(line),
  )
  const story = session.told.filter((line) =>
    /intends p1-i2|policy on p1-i2|approved p1-i2|p1-i2 |auditor: /.test(line),
  )
  const text = [
    session.typed,
    '…',
    ...story.slice(0, -1),
    '…',
    ...story.slice(-1),
    ...session.said,
    '',
    verdict.typed,
    ...verdict.said.slice(0, 3),
    '…',
    ...checks,
  ].map(cut)
  const height = text.length * LINE + 32
  const rows = text.map((line, i) => {
    const fill = TONES.find(([pattern]) => pattern.test(line))?.[1] ?? '#9da7b3'
    return `<text x="16" y="${i * LINE + 30}" fill="${fill}" xml:space="preserve">${escaped(line)}</text>`
  })
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13.5" role="img" aria-label="A session and its verification in a terminal">`,
    `<rect width="720" height="${height}" rx="8" fill="#0d1117"/>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n')
  writeFileSync(join(root, 'docs/session.svg'), svg)
} finally {
  rmSync(home, { recursive: true, force: true })
}
