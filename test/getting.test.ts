// What people need to get Witan: the package, the image and the entry of the MCP registry agree with each other and with
// what the program reads at run time. The image is not built here: its Dockerfile is checked, and its steps are run as far
// as they need no network and no root.

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { projectRoot } from './support/sources.ts'

const read = (name: string): string => readFileSync(join(projectRoot, name), 'utf8')
const manifest = JSON.parse(read('package.json'))
const server = JSON.parse(read('server.json'))

interface Step {
  readonly word: string
  readonly rest: string
}

/** Continued lines joined, comments left out. */
const steps: readonly Step[] = read('Dockerfile')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => ({ word: line.split(' ')[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }))
const all = (word: string): readonly string[] =>
  steps.filter((step) => step.word === word).map(({ rest }) => rest)

describe('APP-1 the package', () => {
  it('names itself alike for npm and for the MCP registry', () => {
    expect(manifest.mcpName).toBe(server.name)
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    expect(server.version).toBe(manifest.version)
    expect(server.packages).toHaveLength(1)
    expect(server.packages[0]).toMatchObject({
      registryType: 'npm',
      identifier: manifest.name,
      version: manifest.version,
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
    })
    expect(server.description.length).toBeLessThanOrEqual(100)
  })

  it('says what npm shows of it, and holds nothing back that it reads', () => {
    expect(manifest.keywords.length).toBeGreaterThan(4)
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
    for (const name of manifest.files)
      expect(existsSync(join(projectRoot, name.replace('/*.md', ''))), name).toBe(true)
    for (const name of ['bin', 'dist', 'data', 'spec', 'server.json']) expect(manifest.files).toContain(name)
  })
})

describe('APP-1 publishing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'witan-release-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const check = (fill: (text: string) => string, changelog: string) => {
    for (const name of ['package.json', 'server.json']) writeFileSync(join(folder, name), fill(read(name)))
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
    const script = join(projectRoot, 'scripts/check-release.js')
    return spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  }
  const released = `# Changelog\n\n## [${manifest.version}]\n`

  it('is refused while the owner of the repository is not filled in, in every place', () => {
    expect(manifest.scripts.prepublishOnly).toBe('node scripts/check-release.js')
    const { status, stderr } = check((text) => text, '# Changelog\n\n## [Unreleased]\n')
    expect(status).toBe(1)
    expect(stderr).toContain('OWNER still stands for the owner')
    expect(stderr).toContain(`CHANGELOG.md has no section [${manifest.version}]`)
    expect(stderr).toContain('next: CONTRIBUTING.md')
    const half = check((text) => text.replace('github.com/OWNER', 'github.com/acme'), released)
    expect([half.status, half.stderr]).toEqual([1, expect.stringContaining('different owners')])
  })

  it('goes on once it is', () => {
    const { status, stderr } = check((text) => text.replaceAll('OWNER', 'acme'), released)
    expect([status, stderr]).toEqual([0, ''])
  })
})

describe('APP-1 the image', () => {
  it('has a pinned base, runs as an ordinary user and starts the command', () => {
    const bases = all('FROM').map((rest) => rest.split(' ')[0] ?? '')
    expect(bases.length).toBe(2)
    for (const base of bases) expect(base).toMatch(/^node:\d+-[a-z]+-slim$/)
    expect(all('USER').at(-1)).toBe('node')
    expect(JSON.parse(all('ENTRYPOINT')[0] ?? '')).toEqual(['witan'])
    expect(Array.isArray(JSON.parse(all('CMD')[0] ?? ''))).toBe(true)
    expect(all('ADD')).toEqual([])
    expect(steps.map(({ rest }) => rest).join('\n')).not.toMatch(/sudo|curl|wget|:latest|_KEY|TOKEN|PASSWORD/)
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'USER', 'ENV', 'VOLUME', 'ENTRYPOINT', 'CMD']
    for (const { word } of steps) expect(known).toContain(word)
  })

  it('installs from lists that it takes away again, without what is only recommended', () => {
    const [apt = ''] = all('RUN').filter((rest) => rest.includes('apt-get'))
    expect(apt).toContain('--no-install-recommends')
    expect(apt).toContain('rm -rf /var/lib/apt/lists/*')
    expect(apt).toContain('bubblewrap')
  })

  it('sends neither history, secrets nor test data to the builder', () => {
    const ignored = read('.dockerignore').split('\n')
    for (const name of ['.git', '**/node_modules', 'dist', 'test', '**/.env*'])
      expect(ignored).toContain(name)
  })
})

describe('APP-1 the steps of the image', () => {
  const root = mkdtempSync(join(tmpdir(), 'witan-image-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('leave a command that works: what is copied is what it reads', { timeout: 120_000 }, () => {
    const work = join(root, 'opt/witan')
    mkdirSync(work, { recursive: true })
    for (const rest of all('COPY').filter((one) => one.startsWith('--from=build'))) {
      const [, ...names] = rest.split(' ')
      const target = names.pop() ?? ''
      for (const name of names) {
        const own = name.replace(/^\/src\//, '')
        const to = join(work, target === './' ? own : target)
        if (own === 'node_modules') symlinkSync(join(projectRoot, own), to)
        else cpSync(join(projectRoot, own), to, { recursive: true })
      }
    }
    // The links and folders of the image, below a root of our own; whose they are, only root can say.
    const [last = ''] = all('RUN').slice(-1)
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
    const script = last
      .replaceAll(/(?<= )\/(?=(?:opt|usr|home|work)\b)/g, `${root}/`)
      .replace(/ && chown \S+ \S+ \S+/, '')
    const linked = spawnSync('sh', ['-ec', script], { encoding: 'utf8' })
    expect(linked.stderr).toBe('')
    expect(linked.status).toBe(0)
    const [entry = ''] = JSON.parse(all('ENTRYPOINT')[0] ?? '[]')
    const env = {
      PATH: `${join(root, 'usr/local/bin')}:${process.env.PATH}`,
      HOME: root,
      WITAN_HOME: join(root, 'home/node/.witan'),
    }
    const run = (...args: readonly string[]) =>
      spawnSync(entry, args, { cwd: join(root, 'work'), env, encoding: 'utf8' })
    expect(run('version').stdout).toBe(`witan ${manifest.version}\n`)
    const demo = run('demo', '--fast', '--quiet')
    expect(demo.stderr).toBe('')
    expect(demo.status).toBe(0)
    expect(run('verify', 'last').status).toBe(0)
    expect(run('export', 'last', '--html', '-o', 'page.html').status).toBe(0)
  })
})
