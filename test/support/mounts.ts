// File systems with a fault, seen by one child alone: `unshare` gives it mounts of its own, which vanish with it.
// As root that needs nothing more; otherwise the kernel must allow user namespaces.
import { execFileSync } from 'node:child_process'
import { type Child, startProgram } from './children.ts'

const flags = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']

const within = (mount: string, program: string, args: readonly string[]): readonly string[] => [
  ...flags,
  'sh',
  '-c',
  `${mount} && exec "$0" "$@"`,
  program,
  ...args,
]

export function canMount(): boolean {
  try {
    execFileSync('unshare', within('mount -t tmpfs tmpfs /mnt', 'true', []), { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The script sees a file system of so many kilobytes at the directory. */
export const onSmallDisk = (directory: string, kilobytes: number, script: string, ...args: string[]): Child =>
  startProgram('unshare', [
    ...within(`mount -t tmpfs -o size=${kilobytes}k tmpfs '${directory}'`, process.execPath, [
      script,
      ...args,
    ]),
  ])

/** The script sees the directory as it is, and cannot write to it. */
export const onReadonlyDisk = (directory: string, script: string, ...args: string[]): Child =>
  startProgram('unshare', [
    ...within(
      `mount --bind '${directory}' '${directory}' && mount -o remount,bind,ro '${directory}'`,
      process.execPath,
      [script, ...args],
    ),
  ])
