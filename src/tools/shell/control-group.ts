// A control group for each sandbox, where the system allows this user to make one (cgroup v2, as root or in a
// delegated part of the tree). The kernel then limits memory and processes for all of a sandbox together, for
// root too, and counts memory that belongs to no process. A group is named after the process that made it, so
// that the next process can find and remove what a killed one left behind.

import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type SandboxLimits, SHARED_BYTES, THREADS_EACH } from './limits.ts'
import { isAlive } from './processes.ts'

/** The operations on the tree; tests use a folder that looks like one. */
export interface Tree {
  /** Where it is mounted, and the file that says where in it this process is. */
  readonly mounted: string
  readonly self: string
  read(file: string): string
  write(file: string, text: string): void
  isWritable(path: string): boolean
  makeFolder(path: string): void
  removeFolder(path: string): void
  list(path: string): readonly string[]
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    // It does not exist, or is not accessible.
    return false
  }
}

export const TREE: Tree = {
  mounted: '/sys/fs/cgroup',
  self: '/proc/self/cgroup',
  read: (file) => readFileSync(file, 'latin1'),
  write: (file, text) => writeFileSync(file, text),
  isWritable,
  makeFolder: (path) => mkdirSync(path, { mode: 0o755 }),
  removeFolder: (path) => rmdirSync(path),
  list: (path) => readdirSync(path),
}

/** Where groups can be made, or why they cannot. */
export type Place =
  | { readonly parent: string; readonly why: null }
  | { readonly parent: null; readonly why: string }

const none = (why: string): Place => ({ parent: null, why })

function wordsIn(tree: Tree, file: string): readonly string[] {
  try {
    return tree.read(file).trim().split(/\s+/)
  } catch {
    // It does not exist: no content.
    return []
  }
}

const WANTED = ['memory', 'pids']

/** The nearest group above this process whose children have memory and processes counted and where we may make one. */
export function findPlace(tree: Tree): Place {
  if (wordsIn(tree, join(tree.mounted, 'cgroup.controllers')).length === 0) {
    return none('this system has no unified control groups (cgroup v2)')
  }
  let own: string | undefined
  try {
    own = /^0::(\/.*)$/m.exec(tree.read(tree.self))?.[1]
  } catch {
    own = undefined
  }
  if (own === undefined || own.split('/').includes('..'))
    return none('the control group of this process is not known')
  let why = 'no control group above this process counts memory and processes of its children'
  for (let at = join(tree.mounted, own); ; at = dirname(at)) {
    const counted = wordsIn(tree, join(at, 'cgroup.subtree_control'))
    if (WANTED.every((one) => counted.includes(one))) {
      if (tree.isWritable(at) && tree.isWritable(join(at, 'cgroup.procs'))) return { parent: at, why: null }
      why = 'the control groups here were not handed over to this user'
    }
    if (at === tree.mounted || dirname(at) === at) return none(why)
  }
}

const NAME = /^witan-(\d+)-(\d+)-\d+$/

/** When it started, in ticks of the machine: a reused number belongs to another process. */
function startOf(pid: number): string | null {
  try {
    const after = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '')
    return after.split(' ')[19] ?? null
  } catch {
    // Gone.
    return null
  }
}

/** Removes what processes that are gone left behind; only theirs, and only by name. */
export function sweep(tree: Tree, parent: string): void {
  for (const name of tree.list(parent)) {
    const [, pid, started] = NAME.exec(name) ?? []
    if (pid === undefined) continue
    if (isAlive(Number(pid)) && startOf(Number(pid)) === started) continue
    empty(tree, join(parent, name))
  }
}

/** False when something is still in it. */
function empty(tree: Tree, path: string): boolean {
  try {
    tree.write(join(path, 'cgroup.kill'), '1')
  } catch {
    // Before Linux 5.14: the sandbox was ended by other means.
  }
  try {
    tree.removeFolder(path)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

export interface ControlGroup {
  /** A process that writes its own number there belongs to it. */
  readonly processes: string
  /** Whether the kernel has ended something for lack of memory. */
  ranOut(): boolean
  remove(): Promise<void>
}

/** Of the sandbox itself. */
const OWN = 8
const PATIENCE_MS = 2_000

let made = 0

/** A new one with these limits; temporary folders are memory too, and are added. */
export function openGroup(tree: Tree, parent: string, limits: SandboxLimits): ControlGroup {
  const path = join(parent, `witan-${process.pid}-${startOf(process.pid)}-${made++}`)
  const { memoryBytes, temporaryBytes, processes } = limits
  tree.makeFolder(path)
  try {
    tree.write(join(path, 'memory.max'), String(memoryBytes + 2 * temporaryBytes + SHARED_BYTES))
    tree.write(join(path, 'pids.max'), String(processes * THREADS_EACH + OWN))
    tree.write(join(path, 'memory.oom.group'), '1')
  } catch (error) {
    empty(tree, path)
    throw error
  }
  try {
    tree.write(join(path, 'memory.swap.max'), '0')
  } catch {
    // A kernel without swap has no such file.
  }
  return {
    processes: join(path, 'cgroup.procs'),
    ranOut: () =>
      wordsIn(tree, join(path, 'memory.events'))
        .join(' ')
        .match(/\boom_kill [1-9]/) !== null,
    async remove() {
      for (let waited = 0; !empty(tree, path) && waited < PATIENCE_MS; waited += 20) await pause(20)
    },
  }
}

const TRIAL: SandboxLimits = { memoryBytes: 1 << 30, diskBytes: 0, temporaryBytes: 0, processes: 1 }

/** Where groups can be made, by making one; what others left behind is removed first. */
export function tryPlace(tree: Tree): Place {
  const place = findPlace(tree)
  if (place.parent === null) return place
  try {
    sweep(tree, place.parent)
    void openGroup(tree, place.parent, TRIAL).remove()
    return place
  } catch (error) {
    return none(
      `a control group could not be made: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

let here: Place | null = null

/** For this machine; tried once. */
export function groupsHere(): Place {
  here ??= tryPlace(TREE)
  return here
}

/** One for a sandbox; null where none can be made. */
export function groupFor(limits: SandboxLimits): ControlGroup | null {
  const { parent } = groupsHere()
  return parent === null ? null : openGroup(TREE, parent, limits)
}
