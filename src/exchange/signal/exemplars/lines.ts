// Exemplars are written one a line, so that they can be read, counted and compared as text.

export const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
