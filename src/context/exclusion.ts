// Why something was not read or not sent. Every exclusion is listed with one of these reasons: a pack never
// pretends to be complete.

/** Every reason for excluding a file. */
export const REASONS = [
  'ignored', // listed in a .gitignore or .witanignore
  'secret-path', // its name suggests keys or passwords
  'secret-content', // it is key material under any name
  'binary',
  'too-large',
  'dependency',
  'build',
  'cache',
  'vcs',
  'symlink', // links are not followed
  'unreadable',
  'over-limit', // there was no space left for it
] as const

/** Why a file was excluded. */
export type Reason = (typeof REASONS)[number]

/** An excluded file, and why. */
export interface Exclusion {
  /** With forward slashes; a folder ends with one and includes everything in it. */
  readonly path: string
  readonly reason: Reason
  readonly detail?: string
}

export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0

export function countsOf(excluded: readonly Exclusion[]): { readonly [reason: string]: number } {
  const counts = REASONS.map(
    (reason) => [reason, excluded.filter((each) => each.reason === reason).length] as const,
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}
