// The tools for commands, in a real sandbox: the contract, and every escape that we could think of.
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import {
  callNow,
  cleanPlanted,
  describeToolsetContract,
  LIMITS,
  PLANTED_SECRET,
  textOf,
} from '../../../test/contracts/toolsets.ts'
import { forbiddenHere } from '../allowed-paths.ts'
import { type CallLimits, definitionHash, type Toolset } from '../toolset.ts'
import { type ShellOptions, shellTools } from './shell.ts'

interface World {
  readonly base: string
  readonly workspace: string
  readonly toolset: (options?: Partial<ShellOptions>) => Toolset
}

const GRANTED = ['sh', 'cat', 'ls', 'env', 'node', 'true', 'id', 'yes', 'git', './tool.sh'].map((name) => [
  name,
])

async function makeWorld(): Promise<World> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'witan-shell-')))
  const workspace = join(base, 'home/ana/project')
  await mkdir(join(workspace, '.witan/keys'), { recursive: true })
  await mkdir(join(workspace, '.git/hooks'), { recursive: true })
  await mkdir(join(workspace, 'sub'))
  await writeFile(join(workspace, '.git/config'), '[core]\n')
  await writeFile(join(workspace, '.witan/keys/critic.pem'), 'PRIVATE')
  await writeFile(join(base, 'home/ana/.bashrc'), 'HOME FILE')
  await writeFile(join(workspace, 'README.md'), 'read me')
  await writeFile(join(workspace, 'config.env'), `KEY=${PLANTED_SECRET}\n`)
  await writeFile(join(workspace, 'tool.sh'), '#!/bin/sh\necho from the workspace\n', { mode: 0o755 })
  const toolset = (options: Partial<ShellOptions> = {}) =>
    shellTools({
      roots: [{ name: 'workspace', path: workspace, write: true }],
      forbidden: { ...forbiddenHere(join(workspace, '.witan'), [], join(base, 'home/ana')) },
      commands: GRANTED,
      clean: cleanPlanted,
      ...options,
    })
  return { base, workspace, toolset }
}

/** Processes whose command line holds the mark, given a moment to go. */
async function marked(mark: string): Promise<string[]> {
  const look = async () => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    const lines = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    )
    return lines.filter((line) => line.includes(mark))
  }
  for (let tries = 0; tries < 20 && (await look()).length > 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return look()
}

const contract = (options: Partial<ShellOptions>) => async () => {
  const { base, toolset } = await makeWorld()
  const mark = `9${Math.floor(Math.random() * 1e9)}`
  const run = (...command: string[]) => ({ tool: 'shell.run', input: { command } })
  return {
    toolset: toolset(options),
    good: { ...run('cat', 'README.md'), says: 'read me' },
    bad: { tool: 'shell.run', input: { command: 'cat README.md' }, names: 'command' },
    secret: run('cat', 'config.env'),
    large: run('yes'),
    endless: run('sh', '-c', `sleep ${mark} & sleep ${mark}`),
    leftovers: () => marked(mark),
    dispose: () => rm(base, { recursive: true }),
  }
}

describe.skipIf(inject('bubblewrap') === null)('with a sandbox', () => {
  describeToolsetContract('shell', contract({}))

  describe('the toolset for commands', () => {
    let world: World
    beforeEach(async () => {
      world = await makeWorld()
    })
    afterEach(() => rm(world.base, { recursive: true }))
    const run = (
      command: readonly string[],
      limits: Partial<CallLimits> = {},
      options: Partial<ShellOptions> = {},
    ) => callNow(world.toolset(options), { tool: 'shell.run', input: { command } }, limits)
    const sh = (script: string, limits: Partial<CallLimits> = {}) => run(['sh', '-c', script], limits)

    it('runs in the workspace, may write there, and keeps what it wrote', async () => {
      const outcome = await sh('pwd; echo made > sub/made.txt; echo trouble >&2')
      expect(outcome.content.map((part) => part.name)).toEqual(['stdout', 'stderr', 'exit'])
      expect(textOf(outcome)).toBe('/workspace\n\ntrouble\n\n{"code":0}')
      expect(await readFile(join(world.workspace, 'sub/made.txt'), 'utf8')).toBe('made\n')
      expect(await run(['./tool.sh'])).toMatchObject({ ok: true })
    })

    it('runs in the given folder, with the given input', async () => {
      const toolset = world.toolset()
      const input = { command: ['sh', '-c', 'pwd; cat'], cwd: 'sub', stdin: 'said to it' }
      expect(textOf(await callNow(toolset, { tool: 'shell.run', input }))).toContain(
        '/workspace/sub\nsaid to it',
      )
      for (const cwd of ['..', '/etc', '../../..', '.witan']) {
        const outcome = await callNow(toolset, { tool: 'shell.run', input: { command: ['ls'], cwd } })
        expect(outcome, cwd).toMatchObject({ ok: false, type: 'denied' })
      }
    })

    it('distinguishes an exit code, a crash and a missing program', async () => {
      expect(await sh('echo half; echo why >&2; exit 3')).toMatchObject({
        type: 'error',
        message: 'exit code 3: why',
        content: [{ name: 'stdout' }, { name: 'stderr' }],
      })
      const input = { command: ['sh', '-c', 'exit 3'], ok_exit: [0, 3] }
      expect(await callNow(world.toolset(), { tool: 'shell.run', input })).toMatchObject({ ok: true })
      expect(await sh('kill -SEGV $$')).toMatchObject({ type: 'crashed' })
      const missing = { commands: [['no-such-program']] }
      expect(await run(['no-such-program'], {}, missing)).toMatchObject({ type: 'not_found' })
    })

    it('AGT-TOOL-6 runs only commands that were granted, with any arguments', async () => {
      for (const command of [
        ['rm', '-rf', '.'],
        ['/bin/rm', 'x'],
        ['../sh'],
        ['sub/../../x'],
        ['cat;rm'],
        ['catx'],
      ]) {
        expect(await run(command), command.join(' ')).toMatchObject({
          ok: false,
          type: 'denied',
          content: [],
        })
      }
      expect(await run(['--help'])).toMatchObject({ type: 'invalid_input' })
      expect(await run(['cat', 'a\0b'])).toMatchObject({ type: 'invalid_input' })
      const only = { commands: [['git', 'log']] }
      expect(await run(['git', 'push'], {}, only)).toMatchObject({ type: 'denied' })
      expect(await run(['git', '-c', 'alias.log=!sh', 'log'], {}, only)).toMatchObject({ type: 'denied' })
      for (const injected of [
        '; touch pwned',
        '$(touch pwned)',
        '`touch pwned`',
        '| touch pwned',
        '&& touch pwned',
        '\ntouch pwned',
      ]) {
        const outcome = await run(['cat', injected])
        expect(outcome, injected).toMatchObject({ ok: false, type: 'error' })
      }
      expect(await readdir(world.workspace)).not.toContain('pwned')
    })

    it('gives a text to a shell only if that was allowed', async () => {
      const script = { tool: 'shell.script', input: { script: 'echo one | cat' } }
      expect(await callNow(world.toolset(), script)).toMatchObject({ type: 'not_found' })
      expect(textOf(await callNow(world.toolset({ scripts: true }), script))).toContain('one')
    })

    it('AGT-TOOL-6 sees neither store, keys, the home of the user nor other files', async () => {
      await symlink(join(world.base, 'home/ana/.bashrc'), join(world.workspace, 'way-out'))
      const places = [
        '/workspace/.witan/keys/critic.pem',
        '.witan/keys',
        'way-out',
        '../.bashrc',
        join(world.base, 'home/ana/.bashrc'),
        join(world.workspace, 'README.md'),
        homedir(),
        '/etc/passwd',
        '/etc/shadow',
        '/root',
        '/proc/1/root/etc/shadow',
        '/var',
        '/run',
        '/sys',
      ]
      for (const place of places) {
        const outcome = await sh(`ls -a ${place} | grep -v '^[.]*$' && cat ${place}/* ${place}`)
        expect(outcome, place).toMatchObject({ ok: false, type: 'error' })
        expect(textOf(outcome), place).not.toMatch(/PRIVATE|HOME FILE|root:/)
      }
      await sh('echo evil > .witan/keys/critic.pem; mkdir -p .witan/new; rm -rf .witan')
      expect(await readFile(join(world.workspace, '.witan/keys/critic.pem'), 'utf8')).toBe('PRIVATE')
      expect(await readdir(join(world.workspace, '.witan'))).toEqual(['keys'])
    })

    it('AGT-TOOL-6 cannot write outside, nor settings of git that would run as the user', async () => {
      for (const target of [
        '/usr/bin/evil',
        '/etc/evil',
        '/evil-root/x',
        '.git/hooks/pre-commit',
        '.git/config',
      ]) {
        expect(await sh(`echo evil > ${target}`), target).toMatchObject({ ok: false })
      }
      await sh('echo x > /tmp/witan-evil; echo x > ~/witan-evil')
      expect(await readdir(tmpdir())).not.toContain('witan-evil')
      const roots = [{ name: 'workspace', path: world.workspace, write: false }]
      expect(await run(['sh', '-c', 'echo x > new.txt'], {}, { roots })).toMatchObject({ ok: false })
      expect(await readdir(world.workspace)).not.toContain('new.txt')
    })

    it('AGT-TOOL-6 gets none of our environment, and an empty home', async () => {
      process.env.WITAN_TEST_LEAK = PLANTED_SECRET
      try {
        const outcome = await sh('env | sort; ls -A ~ | wc -l; cat /proc/*/environ | tr "\\0" "\\n"')
        const names = textOf(outcome).match(/^[A-Z_]+(?==)/gm)
        expect([...new Set(names)].sort()).toEqual(['HOME', 'LANG', 'PATH', 'PWD', 'TERM', 'TMPDIR'])
        expect(textOf(outcome)).toContain('HOME=/home/witan')
        expect(outcome.secretsRemoved).toBe(0)
        expect(textOf(await run(['env'], {}, { env: { REGION: 'eu' } }))).toContain('REGION=eu')
      } finally {
        delete process.env.WITAN_TEST_LEAK
      }
    })

    it('AGT-TOOL-6 has no network and sees no other process', async () => {
      const script = `
        const net = require('node:net'), os = require('node:os'), fs = require('node:fs')
        console.log('interfaces', Object.values(os.networkInterfaces()).flat().filter((one) => !one.internal).length)
        console.log('processes', fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length < 6)`
      expect(textOf(await run(['node', '-e', script]))).toContain('interfaces 0\nprocesses true')
    })

    it('AGT-TOOL-6 is stopped at the number of processes, and none of them is left', async () => {
      const mark = `8${Math.floor(Math.random() * 1e9)}`
      const outcome = await sh(`for i in $(seq 500); do sleep ${mark} & done; wait`, { maxProcesses: 40 })
      expect(outcome).toMatchObject({ type: 'denied', message: 'the command started more than 40 processes' })
      expect(await marked(mark)).toEqual([])
      expect(await sh('for i in 1 2 3 4 5; do sleep 0.2 & done; wait', { maxProcesses: 10 })).toMatchObject({
        ok: true,
      })
    })

    it('AGT-TOOL-6 is stopped at the end of its output, on either stream, with the beginning kept', async () => {
      for (const script of ['yes', 'yes >&2', 'cat /dev/zero']) {
        const outcome = await sh(script, { maxOutputBytes: 5_000 })
        expect(outcome, script).toMatchObject({ ok: false, type: 'output_too_large' })
        expect(outcome.content.reduce((sum, part) => sum + part.bytes.length, 0)).toBe(5_000)
      }
    })

    it('AGT-TOOL-6 is ended with all its children, also those that hide', async () => {
      const mark = `7${Math.floor(Math.random() * 1e9)}`
      const script = `trap '' TERM HUP INT; setsid sleep ${mark} & (setsid sh -c 'sleep ${mark}' &) ; echo on; sleep ${mark}`
      const outcome = await sh(script, { timeoutMs: 1_500 })
      expect(outcome).toMatchObject({ ok: false, type: 'timeout' })
      expect(textOf(outcome)).toBe('on\n')
      expect(await marked(mark)).toEqual([])
      const left = await sh(`setsid sleep ${mark} > /dev/null 2>&1 & echo gone`)
      expect(left).toMatchObject({ ok: true })
      expect(await marked(mark)).toEqual([])
    })
  })
})

describe('the toolset for commands, without a sandbox', () => {
  const opened: World[] = []
  const open = async () => {
    const world = await makeWorld()
    opened.push(world)
    return world
  }
  afterAll(async () => {
    for (const { base } of opened) await rm(base, { recursive: true })
  })

  it('AGT-TOOL-6 refuses with a clear message if bubblewrap is absent', async () => {
    const { toolset, base } = await open()
    const { signal } = new AbortController()
    const words = expect.stringMatching(/bubblewrap is not installed.*unconfined/)
    await expect(toolset({ path: '/nowhere' }).tools(signal)).rejects.toMatchObject({
      code: 'HAND_UNAVAILABLE',
      next: words,
    })
    // It may also go between the listing and the call.
    const folder = join(base, 'bin')
    await mkdir(folder)
    await writeFile(join(folder, 'bwrap'), '', { mode: 0o755 })
    const going = toolset({ path: folder })
    const [run] = await going.tools(signal)
    if (run === undefined) throw new Error('no shell.run')
    await rm(join(folder, 'bwrap'))
    const call = { tool: 'shell.run', input: { command: ['cat', 'README.md'] }, signal, limits: LIMITS }
    expect(await going.call({ ...call, definitionHash: definitionHash(run) })).toMatchObject({
      ok: false,
      type: 'unavailable',
      message: words,
      content: [],
    })
  })

  it('runs unconfined only if that was configured, under another definition', async () => {
    const { toolset } = await open()
    const { signal } = new AbortController()
    const [free] = await toolset({ unconfined: true }).tools(signal)
    const [bound] = await toolset().tools(signal)
    expect(free?.effects).toEqual(['execute', 'unknown'])
    expect(free?.description).toContain('NOT confined')
    expect(bound?.effects).toEqual(['execute', 'write'])
  })

  describeToolsetContract('shell, unconfined', contract({ unconfined: true }))

  it('passes on none of our environment, and ends the children it can reach', async () => {
    const { toolset } = await open()
    const mark = randomUUID()
    process.env.WITAN_TEST_LEAK = PLANTED_SECRET
    const free = toolset({ unconfined: true })
    const env = await callNow(free, { tool: 'shell.run', input: { command: ['env'] } })
    delete process.env.WITAN_TEST_LEAK
    expect(env.secretsRemoved).toBe(0)
    const script = `setsid sh -c 'sleep 60; : ${mark}' & sleep 60; : ${mark}`
    const input = { command: ['sh', '-c', script] }
    expect(await callNow(free, { tool: 'shell.run', input }, { timeoutMs: 700 })).toMatchObject({
      type: 'timeout',
    })
    expect(await marked(mark)).toEqual([])
  })
})
