// Whether a model's answer is in the prompt. Quoted material may contain a ready answer, to be repeated;
// different spacing or escaping does not make it the model's own.

const squash = (text: string): string => text.replaceAll(/[\s\\]+/g, '')

const SKIPPED = /^[\s\\]$/

/** The same characters that `squash` leaves out. */
function isSkipped(code: number): boolean {
  if (code < 0x80) return code === 0x20 || code === 0x5c || (code >= 0x09 && code <= 0x0d)
  return SKIPPED.test(String.fromCharCode(code))
}

/** How many characters of the prompt are read, relative to its length, before it is squashed instead. */
const LOOKS = 4

/** Whether `needle`, which is squashed, is in the squashed prompt; null where there are too many beginnings of it. */
function standsIn(prompt: string, needle: string): boolean | null {
  const first = needle.charAt(0)
  let looks = prompt.length * LOOKS
  for (let from = prompt.indexOf(first); from !== -1; from = prompt.indexOf(first, from + 1)) {
    let matched = 1
    for (let at = from + 1; at < prompt.length && matched < needle.length; at++) {
      if (--looks < 0) return null
      const code = prompt.charCodeAt(at)
      if (code === needle.charCodeAt(matched)) matched++
      else if (!isSkipped(code)) break
    }
    if (matched === needle.length) return true
  }
  return false
}

export class PromptText {
  private readonly prompt: string
  private squashed: string | null = null

  constructor(prompt: string) {
    this.prompt = prompt
  }

  holds(text: string): boolean {
    if (this.prompt === '' || text.trim() === '') return false
    const needle = squash(text)
    // Only backslashes: they are in every prompt.
    if (needle === '') return true
    const isQuoted = this.squashed === null ? standsIn(this.prompt, needle) : null
    if (isQuoted !== null) return isQuoted
    this.squashed ??= squash(this.prompt)
    return this.squashed.includes(needle)
  }
}
