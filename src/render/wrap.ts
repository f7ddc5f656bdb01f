// Breaks text between words, for help and verdicts.

/** Lines of at most `width`, all but the first behind `indent` blanks, which count; the first begins at `indent` too. */
export function wrap(text: string, indent: number, width: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent + line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}
