// Text of models inside a picture: escaped, without control characters, and cut. Nothing a model writes can end an
// element.

export { forPicture as escaped } from '../../ledger/text/neutral.ts'

export function shortened(text: string, limit: number): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()]
  return characters.length <= limit ? characters.join('') : `${characters.slice(0, limit - 1).join('')}…`
}
