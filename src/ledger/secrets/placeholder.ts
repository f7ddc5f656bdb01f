// Whether a value that has the form of a secret is obviously made up, and why; and how evenly its characters
// are distributed. A doubtful value counts as a secret.

/** Shannon entropy in bits for each character, in whole thousandths, so that rounding is the same on every platform. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1)
  const total = [...value].length
  let bits = 0
  for (const n of counts.values()) bits -= (n / total) * Math.log2(n / total)
  return Math.round(bits * 1000)
}

const WORDS =
  /example|placeholder|change[_-]?me|replace[_-]?me|your[_-]|[_-]here|dummy|redacted|not[_-]?a?[_-]?real|insert[_-]|fake|sample|todo/i
const RUN = /([A-Za-z0-9*.])\1{7}/
const TEMPLATE = /\$\{|\{\{|\$\(|<[a-z_ -]{2,40}>|%[({]|^\$[A-Z_a-z]|^process\.env|^os\.environ|^ENV\[/

export const FILLED_IN = 'It is filled in from elsewhere.'
export const STAND_IN = 'The password is a stand-in.'

export function placeholderReason(value: string): string | null {
  if (TEMPLATE.test(value)) return FILLED_IN
  if (WORDS.test(value)) return 'It says itself that it is a placeholder.'
  if (RUN.test(value)) return 'It repeats one character.'
  return entropy(value) < 2000 ? 'It has too few different characters to be a key.' : null
}

const NAMES_NO_SECRET =
  /hash|digest|checksum|sum|_?id$|name|url|uri|path|file|type|kind|field|header|prefix|suffix|pattern|regex|label|title|text|message|format|length|limit|count|env$|ref$|_?at$|policy|store|provider/i

/** An assignment to a telltale name counts only when the value looks random; a pass phrase may look less random. */
export function looksRandom(name: string, value: string): boolean {
  if (NAMES_NO_SECRET.test(name)) return false
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  if (/^(?:https?:|file:|\.{0,2}\/|[A-Za-z]:\\|@)/.test(value) || /[()[\]{};,\\]/.test(value)) return false
  // Dotted or dashed words with a version, such as `vault.kv.v2`, are names.
  if (/^[A-Za-z]+(?:[._:/-][A-Za-z]+)*(?:[._:/-]v?\d{1,4})?$/.test(value)) return false
  return /passw|pwd|passphrase/i.test(name)
    ? entropy(value) >= 2500
    : value.length >= 16 && entropy(value) >= 3500
}

/** A person's text that could be a password: several kinds of characters, and no name, path, call or number. */
export function looksLikePassword(value: string): boolean {
  if (value.length < 6 || value.length > 64 || !/[A-Za-z]/.test(value)) return false
  if (/[()[\]{}<>\\|]|\$[A-Za-z{(]|^%|%$|^[/.~@-]|:\/\/|^\*+|\*\*/.test(value)) return false
  // A word, a name of several words, a word with a number as in a version or a unit.
  if (/^[A-Za-z]+(?:[._:/,;'’-]+[A-Za-z]+)*[._:/-]?$/.test(value)) return false
  if (/^v?\d+(?:[.,:-]\d+)*[A-Za-z%]{0,10}$/.test(value)) return false
  if (/^[A-Za-z_$]+(?:[.][A-Za-z_$]+[0-9]*)+$|^[a-z]+(?:_[a-z]+)+\d{0,2}$/.test(value)) return false
  return /\d/.test(value) || (/[A-Z]/.test(value) && /[a-z]/.test(value) && /[!@#$%^&*+=?]/.test(value))
}
