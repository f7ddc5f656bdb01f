// Comma-separated values after RFC 4180: quotes around cells, doubled inside them, line breaks within them.

export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** The rows, or what is wrong. Empty lines are skipped. */
export function readCsv(text: string): readonly CsvRow[] | string {
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = ''
  let line = 1
  let begun = 1
  let isQuoted = false
  const end = (): void => {
    cells.push(cell)
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: begun, cells })
    cells = []
    cell = ''
  }
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? ''
    if (char === '\n') line++
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text[i + 1] === '"') {
        cell += '"'
        i++
      } else isQuoted = false
    } else if (char === '"' && cell === '') isQuoted = true
    else if (char === '"') return `line ${line} has a quote inside a cell that is not quoted`
    else if (char === ',') {
      cells.push(cell)
      cell = ''
    } else if (char === '\n') {
      end()
      begun = line
    } else cell += char
  }
  if (isQuoted) return `a quote that opens on line ${begun} is never closed`
  end()
  return rows
}
