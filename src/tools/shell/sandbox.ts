// How bubblewrap is told to run a command: it sees the system's programs read-only, the granted roots, and an
// empty home; no network, no other process, none of our environment. Forbidden parts of a root are covered.
// The user's home, the store and the keys are not hidden there: they do not exist in it.

import { access, constants, lstat, readlink } from 'node:fs/promises'
import { delimiter, join, relative } from 'node:path'
import {
  type Forbidden,
  findRealPath,
  placeFault,
  type Root,
  realForbidden,
  within,
} from '../allowed-paths.ts'
import { Fault } from '../call-tool.ts'
import { SHARED_BYTES } from './limits.ts'

export const HOME = '/home/witan'
export const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin'
const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']
/** Of /etc only what programs need to be found and to load; passwords and keys are in it too. */
const SETTINGS =
  'ld.so.cache ld.so.conf ld.so.conf.d alternatives localtime mime.types nsswitch.conf ssl/certs ssl/openssl.cnf ' +
  'ca-certificates'
/** Files for resolving hosts. */
const NAMES = ['/etc/resolv.conf', '/etc/hosts']
/** What the kernel reveals about the whole machine must not be visible inside. */
const OF_MACHINE =
  'acpi asound kallsyms kcore keys key-users kmsg kpagecgroup kpagecount kpageflags latency_stats sched_debug scsi ' +
  'slabinfo sysrq-trigger timer_list timer_stats vmallocinfo vmcore'

export interface SandboxOptions {
  readonly forbidden: Forbidden
  /** Further folders of programs, read-only: where else they are installed. */
  readonly system: readonly string[]
  readonly network: boolean
  /** The size limit of `/tmp` and of the home, each. */
  readonly temporaryBytes: number
}

export interface Mounted {
  readonly root: Root
  readonly real: string
  readonly inside: string
}

/** Where the sandbox's own program is found; null when it is not installed. */
export async function findProgram(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter((one) => one !== '')) {
    const candidate = join(folder, name)
    const isExecutable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return candidate
  }
  return null
}

const placeInside = (root: Root, at: number): string =>
  at === 0 ? '/workspace' : `/roots/${root.name.replace(/[^\w-]/g, '_')}`

/** Whether the sandbox contains it anyway. */
export const isOfSystem = (path: string): boolean =>
  ['/usr', ...SYSTEM].some((folder) => within(folder, path))

export async function collectMounts({
  roots,
  forbidden,
}: {
  readonly roots: readonly Root[]
  readonly forbidden: Forbidden
}): Promise<Mounted[]> {
  const real = realForbidden(forbidden)
  const mounted = await Promise.all(
    roots.map(async (root, at): Promise<Mounted> => {
      const place = await findRealPath(root.path)
      if (place === null) throw new Fault('not_found', `the root ${root.name} is not there`)
      const fault = placeFault(place, place, real)
      if (fault !== null) throw new Fault('denied', fault)
      return { root, real: place, inside: placeInside(root, at) }
    }),
  )
  return mounted
}

async function readKind(path: string): Promise<'folder' | 'file' | null> {
  try {
    const stats = await lstat(path)
    return stats.isSymbolicLink() ? null : stats.isDirectory() ? 'folder' : 'file'
  } catch {
    // It does not exist: nothing to cover.
    return null
  }
}

/** The parts of a real folder that are covered. */
export const hiddenIn =
  ({ never, homes }: Forbidden) =>
  (real: string): string[] =>
    [...new Set([...never, ...homes])].filter((one) => within(real, one) && one !== real)

async function covers({ real, inside }: Mounted, forbidden: Forbidden): Promise<string[]> {
  const args: string[] = []
  for (const path of hiddenIn(forbidden)(real)) {
    const kind = await readKind(path)
    const target = join(inside, relative(real, path))
    if (kind === 'folder') args.push('--tmpfs', target, '--remount-ro', target)
    if (kind === 'file') args.push('--ro-bind', '/dev/null', target)
  }
  return args
}

/** Read-only as a whole: root without any capability still owns the machine's settings in it. */
async function kernelArguments(): Promise<string[]> {
  const args = ['--proc', '/proc']
  for (const name of OF_MACHINE.split(' ')) {
    const kind = await readKind(`/proc/${name}`)
    if (kind === 'folder') args.push('--tmpfs', `/proc/${name}`, '--remount-ro', `/proc/${name}`)
    if (kind === 'file') args.push('--ro-bind', '/dev/null', `/proc/${name}`)
  }
  args.push('--remount-ro', '/proc', '--dev', '/dev')
  return [...args, '--size', String(SHARED_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev']
}

async function systemArguments(system: readonly string[]): Promise<string[]> {
  const args = ['--ro-bind', '/usr', '/usr']
  for (const path of SYSTEM) {
    const stats = await lstat(path).catch(() => null)
    if (stats?.isSymbolicLink()) args.push('--symlink', await readlink(path), path)
    else if (stats?.isDirectory()) args.push('--ro-bind', path, path)
  }
  for (const name of SETTINGS.split(' ')) args.push('--ro-bind-try', `/etc/${name}`, `/etc/${name}`)
  for (const path of system) args.push('--ro-bind', path, path)
  return args
}

/** The arguments before the command itself and its `--`; `mountArguments` are mounts over parts of the folders. */
export async function sandboxArguments(
  options: SandboxOptions,
  mounts: readonly Mounted[],
  mountArguments: readonly string[],
  workingFolder: string,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const args = ['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--cap-drop', 'ALL']
  if (options.network) args.push('--share-net', ...NAMES.flatMap((file) => ['--ro-bind-try', file, file]))
  args.push('--hostname', 'witan', ...(await systemArguments(options.system)), ...(await kernelArguments()))
  const size = String(options.temporaryBytes)
  for (const place of ['/tmp', '/home']) args.push('--size', size, '--tmpfs', place)
  args.push('--dir', HOME)
  const forbidden = realForbidden(options.forbidden)
  for (const mount of mounts) {
    args.push(mount.root.write ? '--bind' : '--ro-bind', mount.real, mount.inside)
    args.push(...(await covers(mount, forbidden)))
  }
  args.push(...mountArguments)
  for (const [name, value] of Object.entries(env)) args.push('--setenv', name, value)
  args.push('--remount-ro', '/')
  return [...args, '--chdir', workingFolder]
}
