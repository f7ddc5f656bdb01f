// What the README and the guides show is run, as it stands, each document in a fresh HOME.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SHAPES } from '../src/agents/events.ts'
import { COMMANDS } from '../src/doors/cli/commands.ts'
import { blocksOf, runStep, standIn } from './support/documents.ts'
import { projectRoot, readSources } from './support/sources.ts'

const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8')
const GUIDES = readdirSync(join(projectRoot, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
const readme = read('README.md')

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Runs a document from top to bottom; gives how many commands it has. */
function follow(name: string): number {
  const home = mkdtempSync(join(tmpdir(), 'witan-docs-'))
  folders.push(home)
  const folder = join(home, 'shop')
  standIn(folder)
  let count = 0
  for (const block of blocksOf(read(name))) {
    if ('file' in block) writeFileSync(join(folder, block.file), block.text)
    else
      for (const step of block.steps.filter(({ command }) => command.startsWith('npx witan'))) {
        expect(runStep(step, folder)).toBeNull()
        count++
      }
  }
  return count
}

describe('the README', () => {
  it('APP-1 names the command that installs and starts, and the one that tests, on its first screen', () => {
    const first = readme.split('\n').slice(0, 12).join('\n')
    expect(first).toContain('npm ci && npx witan demo')
    expect(first).toMatch(/^npm test\b/m)
  })

  it('VER-8 is held to what it says by CI: the same commands, and a suite that is skipped fails them', () => {
    const lines = read('.ci/run').split('\n')
    expect(lines.filter((line) => line.startsWith('npm ') || line.includes('npm test'))).toEqual([
      'npm ci',
      'npm run lint',
      'npm run typecheck',
      'WITAN_NO_SKIP=1 npm test',
    ])
    expect(lines).toContain('set -euo pipefail')
  })

  it('APP-1 leads a newcomer through all three protocols, word by word', { timeout: 120_000 }, () => {
    expect(follow('README.md')).toBeGreaterThanOrEqual(8)
  })

  it('APP-1 shows a picture of what the command prints today', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/picture.js', '--check'], {
      cwd: projectRoot,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  it('APP-2 names every command there is', () => {
    const names = new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? ''))
    expect(names.size).toBeGreaterThan(8)
    for (const name of names) expect(readme).toContain(`witan ${name}`)
  })

  it('APP-1 is read in a few minutes', () => {
    expect(readme.split('\n').length).toBeLessThan(200)
  })
})

describe('the guides', () => {
  it.each(GUIDES)('APP-1 show commands that do what they say: %s', { timeout: 120_000 }, (name) => {
    const runs = follow(name)
    expect(runs > 0 || name === 'docs/configuration.md').toBe(true)
  })

  it.each(['README.md', ...GUIDES])('APP-1 link only to what is there: %s', (name) => {
    for (const [, target = ''] of read(name).matchAll(/\]\(([^)#:]+)\)/g)) {
      const path = join(projectRoot, dirname(name), target)
      expect(() => readFileSync(path), target).not.toThrow(/ENOENT/)
    }
  })
})

describe('the screen in the guide to pools', () => {
  it('EXC-CHAT-1 is what the program prints, in the same order', () => {
    const screen = read('test/exchange/screens/chat-signal-80.txt')
    const shown = /^```text\n(exchange [^`]*)^```$/m.exec(read('docs/observing-a-pool.md'))?.[1] ?? ''
    const parts = shown.split(/^…\n/m)
    expect(parts.length).toBeGreaterThan(1)
    const places = parts.map((part) => screen.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })
})

describe('the end of a guide', () => {
  it.each(GUIDES)('APP-1 says what to do next: %s', (name) => {
    const [, ending = ''] = read(name).split(/^## Next$/m)
    expect(ending.trim()).toMatch(/^- /)
    expect(ending).not.toMatch(/^#/m)
    expect(ending).toMatch(/\]\(|`witan /)
  })
})

describe('a picture in a guide', () => {
  const pictures = GUIDES.flatMap((name) =>
    [...read(name).matchAll(/^```text\n([\s\S]*?)^```/gm)]
      .map(([, text = '']) => text)
      .filter((text) => /->|\+--|\\ +\|/.test(text))
      .map((text) => [name, text] as const),
  )

  it('APP-16 is there where several machines, an attached host or a verifier work together', () => {
    expect(new Set(pictures.map(([name]) => name))).toEqual(
      new Set(
        [
          'accountable-runbooks',
          'attach',
          'choosing-seats',
          'observing-a-pool',
          'verifying-someone-elses-bundle',
          'workers',
        ].map((name) => `docs/${name}.md`),
      ),
    )
  })

  const found = (pattern: RegExp): readonly string[] =>
    pictures.flatMap(([, text]) => [...text.matchAll(pattern)].map(([, name = '']) => name))

  it('APP-16 names only commands and events that exist', () => {
    const commands = new Set(COMMANDS.map(({ name }) => name.split(' ')[0]))
    expect(found(/witan ([a-z]+)/g).filter((name) => !commands.has(name))).toEqual([])
    expect(found(/\b([a-z]+_[a-z_]+)\b/g).filter((name) => !Object.hasOwn(SHAPES, name))).toEqual([])
    expect([found(/witan ([a-z]+)/g).length, found(/\b([a-z]+_[a-z_]+)\b/g).length]).toEqual([4, 7])
  })
})

describe('the pages for contributors', () => {
  const inside = [...readSources('src'), ...readSources('test')].map(({ path }) => path)
  /** A path from the root or from src/, or its end below a room that the page has just named; `*` for the rest of a name. */
  const isThere = (named: string): boolean => {
    const [path = '', ...rest] = named.split('*')
    const whole = rest.length === 0 && /\.\w+$/.test(path)
    if (existsSync(join(projectRoot, path)) || existsSync(join(projectRoot, 'src', path))) return true
    return inside.some((one) => (whole ? one.endsWith(`/${path}`) : `/${one}`.includes(`/${path}`)))
  }
  const pathsIn = (text: string): readonly string[] =>
    [...text.matchAll(/`([\w.-]*(?:\/[\w.*-]*)+|[\w-]+\.(?:ts|tsx|js|md))`/g)].map(([, path = '']) => path)

  it('APP-16 are searched for paths: one that is not there is found', () => {
    expect(pathsIn('`src/main.ts`, `seat/`, `run.ts` and `npm ci`')).toEqual([
      'src/main.ts',
      'seat/',
      'run.ts',
    ])
    expect(['src/main.ts', 'seat/', 'app/run.ts', 'doors/cli/commands*'].map(isThere)).not.toContain(false)
    expect(['src/gone.ts', 'cupboard/', 'app/gone.ts', 'gone.ts'].map(isThere)).not.toContain(true)
  })

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'src/clerk/reliance/README.md'])(
    'APP-16 name only files and folders that are there: %s',
    (name) => {
      const paths = pathsIn(read(name))
      expect(paths.length).toBeGreaterThan(0)
      expect(paths.filter((path) => !isThere(path))).toEqual([])
    },
  )

  it('APP-16 show every door in the picture of the layers', () => {
    const [, picture = ''] = read('ARCHITECTURE.md').split('```')
    for (const door of readdirSync(join(projectRoot, 'src/doors'))) expect(picture).toContain(`doors/${door}`)
  })

  it('APP-16 explain at most twenty words', () => {
    const [, words = ''] = read('ARCHITECTURE.md')
      .split('\n## ')
      .flatMap((part) => (part.startsWith('Words') ? ['', part] : []))
    const rows = words.split('\n').filter((line) => /^\| \w/.test(line) && !line.startsWith('| word '))
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.length).toBeLessThanOrEqual(20)
  })
})
