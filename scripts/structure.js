// `npm run structure`: figures of the house, read from the sources: how the layers import each other, how large files
// and folders are, and how many files one question passes through. It judges nothing; test/architecture.test.ts does.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const src = join(root, 'src')

function filesIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return filesIn(path)
    return /\.tsx?$/.test(path) && !path.includes('.test.ts') ? [path] : []
  })
}

const files = filesIn(src).map((path) => ({
  path: relative(src, path).replaceAll('\\', '/'),
  text: readFileSync(path, 'utf8'),
}))
const known = new Set(files.map(({ path }) => path))

const SPECIFIER = /(?:^|[^\w.])(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g
const importsOf = ({ path, text }) =>
  [...text.matchAll(SPECIFIER)]
    .map(([, specifier]) => posix.normalize(posix.join(posix.dirname(path), specifier)))
    .filter((target) => known.has(target))

const roomOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : path.replace(/\.ts$/, ''))
const doorOf = (path) => path.split('/')[1] ?? ''
const EFFECTS = ['clerk', 'models', 'tools', 'embeddings', 'stores', 'context', 'mcp-client']

const edges = files.flatMap((file) => importsOf(file).map((target) => [file.path, target]))
const fromDoors = edges.filter(([from]) => roomOf(from) === 'doors')
const intoEffects = fromDoors.filter(([, to]) => EFFECTS.includes(roomOf(to)))
const betweenDoors = fromDoors.filter(([from, to]) => roomOf(to) === 'doors' && doorOf(from) !== doorOf(to))

/** Groups of rooms that reach each other. */
function roomCycles() {
  const graph = new Map()
  for (const [from, to] of edges) {
    const [a, b] = [roomOf(from), roomOf(to)]
    if (a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b))
  }
  const reaches = (from, to, seen = new Set()) =>
    [...(graph.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    )
  // protocol.ts states the interface in the ledger's words, and the registry is a protocol: one layer.
  return [...graph.keys()].filter((room) => !['protocol', 'ledger'].includes(room) && reaches(room, room))
}

const linesOf = ({ text }) => text.trimEnd().split('\n').length
const lengths = files.map(linesOf).sort((a, b) => a - b)
const folders = new Map()
for (const { path } of files) folders.set(posix.dirname(path), (folders.get(posix.dirname(path)) ?? 0) + 1)
const [largest] = [...folders].sort(([, a], [, b]) => b - a)
const count = (pattern) => files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0)

/** Files of the entrances, the application and the renderers that `witan ask` may load, from its verb on. */
function reachedByAsk() {
  const seen = new Set()
  const visit = (path) => {
    if (seen.has(path) || !['doors', 'app', 'render'].includes(roomOf(path))) return
    seen.add(path)
    const file = files.find((one) => one.path === path)
    for (const target of file ? importsOf(file) : []) visit(target)
  }
  visit('doors/cli/verbs/council.ts')
  return seen.size
}

const comments = files.flatMap(({ text }) => text.split('\n').filter((line) => /^\s*(\/\/|\/?\*)/.test(line)))
const archaic = comments.filter((line) => /\b(whoever|whatever|nobody|upon|whom)\b/i.test(line))

const rows = [
  ['imports from a door into clerk or adapters', intoEffects.length],
  ['imports from one door into another', betweenDoors.length],
  ['places that make a clerk', count(/new Clerk\(/g)],
  ['rooms in an import cycle', roomCycles().join(', ') || 0],
  ['largest folder', `${largest?.[1]} (${largest?.[0]})`],
  ['source files', files.length],
  ['source lines', lengths.reduce((sum, length) => sum + length, 0)],
  ['median file, lines', lengths[Math.floor(lengths.length / 2)]],
  ['files over 300 lines', lengths.filter((length) => length > 300).length],
  ['`as unknown as`', count(/as unknown as/g)],
  ['files that `witan ask` may pass through', reachedByAsk()],
  ['comment lines with archaic words', `${((100 * archaic.length) / comments.length).toFixed(1)} %`],
]
const width = Math.max(...rows.map(([name]) => name.length))
for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`)
