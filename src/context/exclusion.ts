// Why something was not read or not sent. Everything left out is listed with one of these reasons: a pack never
// passes for the whole when it is not.

/** Every reason for which a file stays behind. */
export const REASONS = [
  'ignored', // a .gitignore or .witanignore says so
  'secret-path', // by its name it holds keys or passwords
  'secret-content', // it is key material under any name
  'binary',
  'too-large',
  'dependency',
  'build',
  'cache',
  'vcs',
  'symlink', // links are not followed
  'unreadable',
  'over-limit', // there was no room left for it
] as const

/** Why a file stays behind. */
export type Reason = (typeof REASONS)[number]

/** A file that stays behind, and why. */
export interface Exclusion {
  /** With forward slashes; a folder ends with one and stands for all that is in it. */
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
