// The limits of a sandbox, all its processes together, and what enforces them: the kernel, where a control
// group can be made; otherwise use is counted while it runs, and the kernel limits each process by itself.
// Temporary folders have a size.

/** The limits of a sandbox. */
export interface SandboxLimits {
  /** Of all its processes together. */
  readonly memoryBytes: number
  /** What it may add to the folders it can write. */
  readonly diskBytes: number
  /** Of each of its own folders for temporary files, which are in memory. */
  readonly temporaryBytes: number
  readonly processes: number
}

/** Where nothing is configured. */
export const SANDBOX_LIMITS: SandboxLimits = {
  memoryBytes: 4 * 2 ** 30,
  diskBytes: 4 * 2 ** 30,
  temporaryBytes: 512 << 20,
  processes: 64,
}

/** Of `/dev/shm`. */
export const SHARED_BYTES = 64 << 20

/** The kernel counts threads; its limit only has to stop what forks faster than it is counted. */
export const THREADS_EACH = 16

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`

/** After the name of the program. */
export function tooMuch(what: 'processes' | 'memory' | 'disk', limits: SandboxLimits): string {
  if (what === 'processes') return `started more than ${limits.processes} processes`
  if (what === 'memory') return `took more than ${mebibytes(limits.memoryBytes)} of memory`
  return `wrote more than ${mebibytes(limits.diskBytes)}, or nearly filled the disk`
}
