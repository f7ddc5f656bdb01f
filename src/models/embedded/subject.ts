// What is laid before the panel: a question, files and a diff, all of it data from elsewhere. Nothing here is read
// from a disk, and no path is ever opened: it only names a place.

export type Mode = 'ask' | 'architecture' | 'review'

export interface SubjectFile {
  readonly path: string
  /** Null for a binary file. */
  readonly text: string | null
  /** Absent for a file that is shown as it stands. */
  readonly status?: 'added' | 'modified' | 'deleted'
  /** What it said before the change. */
  readonly before?: string
}

export interface Subject {
  readonly question: string
  readonly mode: Mode
  readonly files: readonly SubjectFile[]
  /** A unified diff, as git or any other tool writes it. */
  readonly diff?: string
}
