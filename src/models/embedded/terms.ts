// Text as terms: words of any script, folded so that case, width and a plural s do not matter. Scripts
// without spaces give pairs of characters. Identifiers give themselves and their parts. Deterministic:
// independent of the locale.

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}_]*/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

const STOP = new Set(
  `a about above across add after again all along already also always am among an and another any anything are around as ask at away
  back bad be because become been before behind being below best better between both but by call can cannot case change choose come
  consider could decide decision did different do doe does doing done down during each either else enough etc even ever every everything
  few find first for from further get give go going gone good got great had has have having he help her here him his how however i idea
  if in instead into is it its just keep kind know last least less let like look lot made make making many matter may me mean might more
  most move much must my need neither never new next no none nor not nothing now of off often ok old on once one only option or other
  our out over own part people per pick place please point possible problem put question rather really reason right said same say see
  seem set shall she should show since so some something soon start still stop such sure switch take team tell than that the their them
  then there these they thing think this those though thought through time to today together too try two under until up upon us use used
  user using value very want was way we well were what whatever when where whether which while who whom whose why will with within
  without work would year yes yet you your adopt versus vs recommend approach currently current`.split(
    /\s+/u,
  ),
)

/** One spelling for a word: compatibility forms, case, and the plural of English. */
function folded(word: string): string {
  const plain = word.normalize('NFKC').toLowerCase()
  return /^[a-z]{2,}[^s]s$/.test(plain) ? plain.slice(0, -1) : plain
}

const pairs = (word: string): string[] => {
  const chars = [...word]
  return chars.length < 2 ? chars : chars.slice(1).map((char, i) => `${chars[i]}${char}`)
}

const partsOf = (word: string): string[] =>
  word
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .split('_')
    .filter((part) => part !== '')

/** The distinct terms of a text, without stop words and single letters. */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>()
  for (const [word] of text.matchAll(WORD)) {
    if (word.length > 60) continue
    const spellings = UNSPACED.test(word) ? pairs(word) : [word, ...partsOf(word)]
    for (const each of spellings) {
      const term = folded(each)
      const counts = UNSPACED.test(term) || ([...term].length >= 3 && !/^\p{N}+$/u.test(term))
      if (counts && !STOP.has(term)) terms.add(term)
    }
  }
  return terms
}

// What the panel is shown: a question, files and a diff, all of it outside data. Nothing here is read from a
// disk, and no path is ever opened: it only names a place.

export type Mode = 'ask' | 'architecture' | 'review'

export interface SubjectFile {
  readonly path: string
  /** Null for a binary file. */
  readonly text: string | null
  /** Absent for a file that is shown as it is. */
  readonly status?: 'added' | 'modified' | 'deleted'
  /** Its content before the change. */
  readonly before?: string
}

export interface Subject {
  readonly question: string
  readonly mode: Mode
  readonly files: readonly SubjectFile[]
  /** A unified diff, as git or any other tool writes it. */
  readonly diff?: string
}
