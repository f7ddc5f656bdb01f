// Against a folder that looks like the tree of control groups, and against the one of this machine, no matter what it is.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findPlace, groupsHere, openGroup, sweep, TREE, type Tree, tryPlace } from './control-group.ts'
import { heldIn } from './held-limits.ts'
import { launchOf } from './launch.ts'
import { SANDBOX_LIMITS } from './limits.ts'
import { runBounded } from './run-bounded.ts'
import { findProgram } from './sandbox.ts'

let base: string
let tree: Tree
/** What the user may not write. */
let closed: Set<string>

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'witan-groups-'))
  closed = new Set()
  tree = {
    ...TREE,
    mounted: join(base, 'tree'),
    self: join(base, 'self'),
    // The kernel's files go with their folder.
    removeFolder: (path) => {
      if (existsSync(join(path, 'busy'))) throw new Error('EBUSY')
      rmSync(path, { recursive: true })
    },
    isWritable: (path) => existsSync(path) && !closed.has(path),
  }
})
afterEach(() => rm(base, { recursive: true }))

/** A group with the controllers that its children have. */
function group(path: string, counted: string): string {
  const folder = join(tree.mounted, path)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'cgroup.controllers'), 'cpu memory pids\n')
  writeFileSync(join(folder, 'cgroup.subtree_control'), `${counted}\n`)
  writeFileSync(join(folder, 'cgroup.procs'), '')
  return folder
}

function delegated(): string {
  group('', 'cpu memory pids')
  const slice = group('user.slice/app.slice', 'memory pids')
  group('user.slice/app.slice/term.scope', '')
  writeFileSync(tree.self, '1:name=systemd:/x\n0::/user.slice/app.slice/term.scope\n')
  return slice
}

describe('the place for control groups', () => {
  it('AGT-TOOL-6 is the nearest above this process that counts memory and processes and is ours', () => {
    const slice = delegated()
    expect(findPlace(tree)).toEqual({ parent: slice, why: null })
    closed.add(join(slice, 'cgroup.procs'))
    group('user.slice', '')
    expect(findPlace(tree)).toEqual({ parent: tree.mounted, why: null })
    closed.add(tree.mounted)
    expect(findPlace(tree)).toMatchObject({ parent: null, why: expect.stringContaining('not handed over') })
  })

  it('AGT-TOOL-6 is none without the unified tree, without counters, or without our own entry', () => {
    expect(findPlace(tree).why).toContain('no unified control groups')
    group('', 'cpu')
    expect(findPlace(tree).why).toContain('not known')
    writeFileSync(tree.self, '0::/\n')
    expect(findPlace(tree).why).toContain('counts memory and processes')
    writeFileSync(tree.self, '0::/../elsewhere\n')
    expect(findPlace(tree).why).toContain('not known')
  })

  it('AGT-TOOL-6 is tried, and where a group cannot be made it is none, with the reason', () => {
    delegated()
    expect(tryPlace(tree).why).toBeNull()
    const makeFolder = () => {
      throw new Error('read-only file system')
    }
    expect(tryPlace({ ...tree, makeFolder })).toEqual({
      parent: null,
      why: 'a control group could not be made: read-only file system',
    })
  })

  it('AGT-TOOL-6 is described in words', () => {
    const slice = delegated()
    expect(heldIn(findPlace(tree))).toMatchObject({
      by: 'control-group',
      detail: expect.stringContaining(slice),
    })
    expect(heldIn({ parent: null, why: 'no reason' })).toMatchObject({
      by: 'counting',
      detail: expect.stringMatching(/counted while it runs.*\(no reason\)$/),
    })
  })
})

describe('a control group', () => {
  it('AGT-TOOL-6 has the limits before anything is in it, and is gone when it is over', async () => {
    const slice = delegated()
    const made = openGroup(tree, slice, {
      ...SANDBOX_LIMITS,
      memoryBytes: 1000,
      temporaryBytes: 10,
      processes: 4,
    })
    const [name = ''] = readdirSync(slice).filter((one) => one.startsWith('witan-'))
    const said = (file: string) => readFileSync(join(slice, name, file), 'latin1')
    expect(['memory.max', 'pids.max', 'memory.oom.group', 'memory.swap.max'].map(said)).toEqual([
      String(1000 + 20 + (64 << 20)),
      '72',
      '1',
      '0',
    ])
    expect(made.processes).toBe(join(slice, name, 'cgroup.procs'))
    expect(made.ranOut()).toBe(false)
    writeFileSync(join(slice, name, 'memory.events'), 'low 0\noom 1\noom_kill 1\n')
    expect(made.ranOut()).toBe(true)
    await made.remove()
    await made.remove()
    expect(existsSync(join(slice, name))).toBe(false)
  })

  it('AGT-TOOL-6 that cannot have its limits is not left behind', () => {
    const slice = delegated()
    const write = () => {
      throw new Error('no such limit')
    }
    expect(() => openGroup({ ...tree, write }, slice, SANDBOX_LIMITS)).toThrow('no such limit')
    expect(readdirSync(slice).filter((one) => one.startsWith('witan-'))).toEqual([])
  })

  it('AGT-TOOL-6 that a killed process left is removed, with its processes; groups of others stay', async () => {
    const slice = delegated()
    openGroup(tree, slice, SANDBOX_LIMITS)
    const gone = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    const { pid } = gone
    const started = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')[19]
    const left = `witan-${pid}-${started}-0`
    const reused = `witan-${pid}-1-0`
    for (const name of [left, reused, 'witan-notes', 'other.scope']) mkdirSync(join(slice, name))
    sweep(tree, slice)
    expect(readdirSync(slice)).toEqual(expect.arrayContaining([left, 'witan-notes', 'other.scope']))
    expect(existsSync(join(slice, reused))).toBe(false)
    gone.kill('SIGKILL')
    await once(gone, 'exit')
    const written: string[] = []
    sweep({ ...tree, write: (file) => void written.push(file) }, slice)
    expect(written).toEqual([join(slice, left, 'cgroup.kill')])
    expect(existsSync(join(slice, left))).toBe(false)
    expect(readdirSync(slice).filter((name) => name.startsWith(`witan-${process.pid}-`))).toHaveLength(1)
  })

  it('AGT-TOOL-6 of this machine takes in a process and is removed, or it is said why there is none', async () => {
    const place = groupsHere()
    if (place.parent === null) {
      expect(place.why).toMatch(/control group/)
      return
    }
    const made = openGroup(TREE, place.parent, SANDBOX_LIMITS)
    const script = `echo $$ >'${made.processes}' && cat /proc/self/cgroup`
    const { stdout } = spawnSync('/bin/sh', ['-c', script], { encoding: 'latin1' })
    expect(stdout).toMatch(new RegExp(`^0::.*/witan-${process.pid}-`, 'm'))
    await made.remove()
    expect(existsSync(made.processes)).toBe(false)
  })

  it('AGT-TOOL-6 is joined by the sandbox before it is built, which does not run where it cannot', async () => {
    const bwrap = (await findProgram('bwrap', process.env.PATH ?? '')) ?? ''
    const limits = { ...SANDBOX_LIMITS, outputBytes: 1000 }
    const args = [
      '--unshare-all',
      '--die-with-parent',
      '--ro-bind',
      '/',
      '/',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
    ]
    const run = (processes: string) => {
      const group = { processes, ranOut: () => false, remove: async () => undefined }
      const argv = ['/bin/echo', 'inside']
      const launch = launchOf({ bwrap, args, argv, limits, network: false, group })
      const program = { argv, env: {}, cwd: '/', stdin: '', sandbox: { launch, folders: [] } }
      return runBounded(program, limits, AbortSignal.timeout(60_000))
    }
    const file = join(base, "it's joined")
    const ran = await run(file)
    expect([ran.stdout.toString(), ran.code]).toEqual(['inside\n', 0])
    expect(readFileSync(file, 'latin1')).toMatch(/^\d+\n$/)
    const refused = await run(join(base, 'not-there', 'cgroup.procs'))
    expect([refused.stdout.toString(), refused.code]).toEqual(['', 125])
  })
})
