// Where a reviewer should look first, by simple signs: how long a file is, what it calls, what it handles,
// what its authors left open. Signs are counted, never quoted, so no text gets out here.

import type { SnapshotFile } from './snapshot.ts'

export interface Hotspot {
  readonly path: string
  readonly signs: readonly string[]
}

const MOST = 10
const LONG = 500

const SIGNS: readonly (readonly [what: string, weight: number, pattern: RegExp])[] = [
  [
    'runs commands or code',
    3,
    /\b(?:eval|exec|execSync|spawn|system|popen|Function)\(|child_process|subprocess|os\.system/,
  ],
  ['writes markup', 2, /innerHTML|dangerouslySetInnerHTML|document\.write|v-html|\|\s?safe\b|mark_safe/],
  ['builds queries', 2, /\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^\n]{0,120}(?:\$\{|" ?\+|' ?\+|%s|\.format\()/],
  [
    'handles keys or passwords',
    2,
    /\b(?:password|private_?key|secret|hmac|encrypt|decrypt|createHash|bcrypt|jwt)\b/i,
  ],
  [
    'talks to the network',
    1,
    /\b(?:fetch|axios|http\.request|urlopen|requests\.(?:get|post)|net\.createServer|createServer)\b/,
  ],
  ['deletes', 1, /\b(?:rmSync|unlink|rmtree|os\.remove|DROP TABLE|TRUNCATE|rm -rf)\b/],
  ['says TODO or FIXME', 1, /\b(?:TODO|FIXME|XXX|HACK)\b/],
  [
    'shares state between threads',
    1,
    /\b(?:Mutex|synchronized|threading|Atomics|unsafe|goroutine|pthread)\b/,
  ],
]

const PROGRAM = /\.(?:[cm]?[jt]sx?|vue|svelte|py|rb|go|rs|java|kts?|scala|cs|cc?|cpp|php|swift|sh|sql)$/i
const EXAMINED = 200_000

export function hotspotsOf(files: readonly SnapshotFile[]): readonly Hotspot[] {
  const scored = files
    .filter(({ path }) => PROGRAM.test(path) && !/(?:^|\/)tests?\/|[._-](?:test|spec)\.[a-z]+$/.test(path))
    .map(({ path, raw, lines }) => {
      const text = raw.slice(0, EXAMINED)
      const signs = SIGNS.filter(([, , pattern]) => pattern.test(text))
      const long = lines > LONG
      return {
        path,
        score: signs.reduce((sum, [, weight]) => sum + weight, 0) + (long ? 2 : 0),
        signs: [...(long ? [`${lines} lines long`] : []), ...signs.map(([what]) => what)],
      }
    })
  return scored
    .filter(({ score }) => score > 1)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, MOST)
    .map(({ path, signs }) => ({ path, signs }))
}
