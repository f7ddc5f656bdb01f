// Pieces of a diff as they may be sent. A piece that is withheld keeps its heading: that a file was added or changed
// is worth knowing, what stands in it is not to be told.

/** The heading of a piece, without any line of content. */
export function headingOf(piece: string): string {
  const lines = piece.split('\n')
  const content = lines.findIndex((line) => /^(?:@@ |Binary files |GIT binary patch)/.test(line))
  const heading = lines.slice(0, content === -1 ? lines.length : content).filter((line) => line !== '')
  return `${heading.join('\n')}\n`
}

export const isBinaryPiece = (piece: string): boolean =>
  /^(?:Binary files .* differ|GIT binary patch)$/m.test(piece)

const name = (prefix: string, path: string) =>
  // Quoted as JSON, which reads the same to whoever parses a heading.
  /["\\\s]|[^ -~]/.test(path) ? JSON.stringify(`${prefix}/${path}`) : `${prefix}/${path}`

/** The heading of a file that is not tracked yet. */
export const newHeading = (path: string): string =>
  `diff --git ${name('a', path)} ${name('b', path)}\nnew file mode 100644\n`

/** A file that is not tracked yet, as the diff that would add it. */
export function newPiece(path: string, text: string): string {
  if (text === '') return newHeading(path)
  const lines = text.split('\n')
  const ends = lines.at(-1) === ''
  if (ends) lines.pop()
  const body = lines.map((line) => `+${line}`).join('\n')
  return (
    `${newHeading(path)}--- /dev/null\n+++ ${name('b', path)}\n@@ -0,0 +1,${lines.length} @@\n${body}\n` +
    (ends ? '' : '\\ No newline at end of file\n')
  )
}
